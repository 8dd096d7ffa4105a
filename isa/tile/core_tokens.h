// SPDX-License-Identifier: MIT
// Tokens between cores. Only SI and SO carry them (docs/isa/tile.md, Cores).
#pragma once

#include <cstdint>

#include "isa/tile/header.h"

namespace cox::isa::tile {

/// Prev_Cores and Next_Cores: bit i is core i of the task. Both are 0 for instructions that are neither SI nor SO.
struct CoreTokens {
  std::uint8_t previous = 0, next = 0;
};
[[nodiscard]] CoreTokens core_tokens(const MachineCode &code);

}  // namespace cox::isa::tile
