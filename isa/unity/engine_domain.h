// SPDX-License-Identifier: MIT
// The engines to which Unity units can submit, by their domains (docs/isa/unity.md, Other engines).
#pragma once

#include <array>

#include "coxswain/device/engines.h"
#include "coxswain/isa/unity/storage.h"

namespace cox::isa::unity {

inline constexpr std::array kEngineDomains{Domain::tile, Domain::mx, Domain::cube, Domain::pim};

/// `domain`: one of kEngineDomains.
constexpr registers::Engine engine_of(Domain domain) {
  switch (domain) {
    case Domain::tile: return registers::Engine::tile;
    case Domain::mx: return registers::Engine::mx;
    case Domain::cube: return registers::Engine::cube;
    default: return registers::Engine::pim;
  }
}

/// `engine`: that of one of kEngineDomains.
constexpr Domain domain_of(registers::Engine engine) {
  for (const Domain domain : kEngineDomains) {
    if (engine_of(domain) == engine) return domain;
  }
  return Domain::unity;
}

}  // namespace cox::isa::unity
