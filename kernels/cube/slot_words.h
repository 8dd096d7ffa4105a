// SPDX-License-Identifier: MIT
// Slots as two vectors of four words, which the control core's vector unit writes whole: what many slots have in common stays in registers.
// Of the kernels' inside.
#pragma once

#include <cstdint>

#include "isa/cube/instruction.h"

namespace cox::kernels::cube {

/// Aligned as words are; may be what a std::array of words lies in.
using FourWords = std::uint32_t __attribute__((vector_size(16), aligned(4), may_alias));

struct SlotWords {
  FourWords low{}, high{};  ///< words 0 to 3, 4 to 7

  SlotWords() = default;
  explicit SlotWords(const isa::cube::MachineCode &code)
      : low{code[0], code[1], code[2], code[3]}, high{code[4], code[5], code[6], code[7]} {}
  void write(isa::cube::MachineCode &slot) const {
    auto *const words = reinterpret_cast<FourWords *>(slot.data());
    words[0] = low;
    words[1] = high;
  }
};

}  // namespace cox::kernels::cube
