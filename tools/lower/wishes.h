// SPDX-License-Identifier: MIT
// What a user may wish of a lowering, for command lines: the values of --divide, and the range of --l2-kib.
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/configuration.h"
#include "tools/lower/plan/plan.h"

namespace cox::lower {

struct NamedDivision {
  const char *name;
  Division division;
};

inline constexpr NamedDivision kDivisions[] = {
    {"cheapest", Division::cheapest}, {"images", Division::images}, {"kernels", Division::kernels}, {"rows", Division::rows}};

inline constexpr std::uint32_t kMostL2Kib = isa::tile::kMaxL2Blocks;  ///< a block is a KiB

}  // namespace cox::lower
