// SPDX-License-Identifier: MIT
// The pipe and the flags of a slot.
#pragma once

#include <cstdint>

#include "isa/cube/table.h"

namespace cox::isa::cube {

// For instructions that check() accepts.

/// The pipe that runs it. No pipe runs a BARRIER: the result is then MTE2.
[[nodiscard]] Pipe pipe_of(const MachineCode &code);
/// The flags it waits for and sets, including those of SET_FLAG and WAIT_FLAG. Bits: mask_bit().
struct Flags {
  std::uint32_t wait = 0, set = 0;
};
[[nodiscard]] Flags flags_of(const MachineCode &code);

}  // namespace cox::isa::cube
