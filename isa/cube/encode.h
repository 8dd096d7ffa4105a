// SPDX-License-Identifier: MIT
// The pipe that runs an encoded instruction, the flags for which it waits, and the flags that it sets.
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/table.h"

namespace cox::isa::cube {

// These functions take instructions that check() accepts.

/// The pipe that runs the instruction. No pipe runs a BARRIER; the result is then MTE2.
[[nodiscard]] Pipe pipe_of(const MachineCode &code);
/// The flags that a slot waits for and sets, including the flag of SET_FLAG or WAIT_FLAG. mask_bit() says which bit is which flag.
struct Flags {
  std::uint32_t wait = 0, set = 0;
};
[[nodiscard]] Flags flags_of(const MachineCode &code);

}  // namespace cox::isa::cube
