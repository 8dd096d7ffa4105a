// SPDX-License-Identifier: MIT
// The memory that a list of instructions touches in total.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/isa/tile/configuration.h"
#include "tools/tile/task.h"

namespace cox::task {

struct Layout {
  struct WindowUse {
    std::uint64_t end = 0;  ///< one past the highest byte that is used; 0: the window is not used
    bool written = false;
  };
  std::array<WindowUse, isa::tile::kWindows> windows{};
  Geometry geometry;
};

/// Walks the instructions in program order. An instruction that does not resolve (isa/tile/operation.h) touches nothing; the verifier
/// refuses it.
[[nodiscard]] Layout layout_of(std::span<const Instruction> instructions);

}  // namespace cox::task
