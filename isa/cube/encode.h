// SPDX-License-Identifier: MIT
// Building the matrix unit's instructions field by field, and checking their bits against the table.
#pragma once

#include <cstdint>

#include "isa/cube/table.h"

namespace cox::isa::cube {

// Of instructions that check() takes.

/// The pipe that runs it. BARRIER, which no pipe runs and which has no flags, gives MTE2.
[[nodiscard]] Pipe pipe_of(const MachineCode &code);
/// Its masks with those of SET_FLAG and WAIT_FLAG joined in (mask_bit()).
struct Flags {
  std::uint32_t wait = 0, set = 0;
};
[[nodiscard]] Flags flags_of(const MachineCode &code);

}  // namespace cox::isa::cube
