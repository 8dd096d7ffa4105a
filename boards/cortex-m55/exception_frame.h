// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace cox::board {

/// Registers that the core pushes when it enters an exception.
struct ExceptionFrame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

}  // namespace cox::board
