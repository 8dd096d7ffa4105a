// SPDX-License-Identifier: MIT
// Writes steps of a product that differ only in their operands' addresses. A step is two moves from L1 and a MAD, in one slot each. Two
// vectors hold the 8 words of a slot and stay in registers from step to step (docs/kernels/cube.md, Pipelining). Internal to the kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/pipeline.h"

namespace cox::kernels::cube {

inline constexpr std::uint32_t kStepSlots = 3;
inline constexpr std::uint32_t kBankBytes = isa::cube::kL0ABytes / kBanks;
static_assert(isa::cube::kL0ABytes == isa::cube::kL0BBytes);

struct StepPattern {
  using Words = std::uint32_t __attribute__((vector_size(16)));
  /// Four words in a stream, as a vector that needs only the alignment of one word.
  using WordsInMemory = std::uint32_t __attribute__((vector_size(16), aligned(4), may_alias));

  // Words 0 to 3 (low) and 4 to 7 (high) of the next step's L1_TO_L0A, L1_TO_L0B and MAD. write() adds the sources of the moves.
  Words left_low{}, left_high{}, right_low{}, right_high{}, mad_low{}, mad_high{};
  std::uint32_t left_stride = 0, right_stride = 0;  ///< bytes from one step's source to the next step's source

  static constexpr unsigned kSourceWord = isa::cube::word_of<isa::cube::Opcode::L1_TO_L0A, "Source">();
  static_assert(kSourceWord == isa::cube::word_of<isa::cube::Opcode::L1_TO_L0B, "Source">());

  /// Sets the bank of L0A and L0B for the next step's operands.
  void set_bank(std::uint32_t bank) {
    left_low[3] = right_low[3] = mad_high[0] = mad_high[1] = bank * kBankBytes;
    using isa::cube::Opcode;
    static_assert(isa::cube::whole_word_of<Opcode::L1_TO_L0A, "Destination">() == 3 &&
                  isa::cube::whole_word_of<Opcode::L1_TO_L0B, "Destination">() == 3 &&
                  isa::cube::whole_word_of<Opcode::MAD, "Left">() == 4 && isa::cube::whole_word_of<Opcode::MAD, "Right">() == 5);
  }

  /// Writes `steps` steps, at least 1. `left` and `right` are the words with the field Source in the first step's L1_TO_L0A and L1_TO_L0B.
  /// Each further step adds left_stride and right_stride to them. Returns the end of the slots.
  [[gnu::always_inline]] inline isa::cube::MachineCode *write(isa::cube::MachineCode *slots, std::uint32_t steps, std::uint32_t left,
                                                              std::uint32_t right) {
    constexpr Words kOtherBank = {0, 0, 0, kBankBytes}, kOtherBanks = {kBankBytes, kBankBytes, 0, 0};
    auto *to = reinterpret_cast<WordsInMemory *>(slots);
    do {
      left_low[kSourceWord] = left;
      right_low[kSourceWord] = right;
      left += left_stride;
      right += right_stride;
      to[0] = left_low;
      to[1] = left_high;
      to[2] = right_low;
      to[3] = right_high;
      to[4] = mad_low;
      to[5] = mad_high;
      left_low ^= kOtherBank;
      right_low ^= kOtherBank;
      mad_high ^= kOtherBanks;
      to += std::size_t{2} * kStepSlots;
    } while (--steps != 0);
    return reinterpret_cast<isa::cube::MachineCode *>(to);
  }
};

}  // namespace cox::kernels::cube
