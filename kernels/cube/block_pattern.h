// SPDX-License-Identifier: MIT
// Blocks of a product of which one operand comes from DRAM, block after block, while the other one is in L1 as a whole: a load and full
// steps each (docs/kernels/cube.md, Pipelining). Of the kernels' inside.
#pragma once

#include <cstdint>

#include "kernels/cube/step_pattern.h"

namespace cox::kernels::cube {

/// Where the operand that comes lies in L1.
struct BlockPlaces {
  std::uint32_t address = 0, index = 0;  ///< of the next block
  std::uint32_t first = 0, bytes = 0, count = 1;

  [[gnu::always_inline]] inline void next() {
    address += bytes;
    if (++index == count) {
      index = 0;
      address = first;
    }
  }
};

struct BlockPattern {
  StepPattern step;
  StepPattern::Words load_low{}, load_high{};   ///< but for source and destination
  std::uint64_t source = 0, source_stride = 0;  ///< words Source and SourceHigh, as one number
  BlockPlaces places;
  std::uint32_t whole = 0, whole_stride = 0;    ///< the other operand's address in L1
  std::uint32_t left_word = 0, right_word = 0;  ///< of the moves' word Source, but for the address
  std::uint32_t first_wait = 0, last_set = 0;   ///< the first word of a block's first step, the second of its last one's right move
  std::uint32_t steps = 1;

  static constexpr unsigned kLoadSourceWord = isa::cube::word_of<isa::cube::Opcode::DRAM_TO_L1, "Source">();
  static constexpr unsigned kLoadDestinationWord = isa::cube::whole_word_of<isa::cube::Opcode::DRAM_TO_L1, "Destination">();
  static_assert(isa::cube::word_of<isa::cube::Opcode::DRAM_TO_L1, "SourceHigh">() == kLoadSourceWord + 1 && kLoadSourceWord + 1 < 4 &&
                kLoadDestinationWord >= 4);

  [[nodiscard]] constexpr std::uint32_t slots() const { return 1 + kStepSlots * steps; }

  /// `blocks`, at least 1, of slots() slots each; gives their end. `RightComes`: the operand that comes is B.
  template <bool RightComes>
  isa::cube::MachineCode *write(isa::cube::MachineCode *slots, std::uint32_t blocks) {
    StepPattern pattern = step;
    BlockPlaces at = places;
    std::uint64_t from = source;
    std::uint32_t other = whole;
    StepPattern::Words low = load_low, high = load_high;
    do {
      low[kLoadSourceWord] = static_cast<std::uint32_t>(from);
      low[kLoadSourceWord + 1] = static_cast<std::uint32_t>(from >> 32);
      high[kLoadDestinationWord - 4] = at.address;
      auto *const load = reinterpret_cast<StepPattern::WordsInMemory *>(slots);
      load[0] = low;
      load[1] = high;
      isa::cube::MachineCode *const first = slots + 1;
      slots = pattern.write(first, steps, left_word + (RightComes ? other : at.address), right_word + (RightComes ? at.address : other));
      first[0][isa::cube::kWaitWord] = first_wait;
      slots[-2][isa::cube::kSetWord] = last_set;
      from += source_stride;
      other += whole_stride;
      at.next();
    } while (--blocks != 0);
    step.left_low = pattern.left_low;
    step.right_low = pattern.right_low;
    step.mad_high = pattern.mad_high;
    places = at;
    source = from;
    whole = other;
    return slots;
  }
};

}  // namespace cox::kernels::cube
