// SPDX-License-Identifier: MIT
// Blocks of a product that differ in where they lie alone: their loads and full steps (docs/kernels/cube.md, Pipelining). Of the kernels'
// inside.
#pragma once

#include <cstdint>

#include "kernels/cube/step_pattern.h"

namespace cox::kernels::cube {

/// Where in L1 an operand's blocks lie: by turns in a few places, or one behind the other.
struct BlockPlaces {
  std::uint32_t address = 0;  ///< of the next block
  std::uint32_t left = 0;     ///< places from there to the last one
  std::uint32_t first = 0, bytes = 0, count = 0;

  void begin(std::uint32_t index) {
    address = first + index * bytes;
    left = count - index;
  }
  void begin_whole(std::uint32_t from, std::uint32_t block_bytes) {
    *this = {.address = from, .left = ~std::uint32_t{0}, .bytes = block_bytes};
  }
  [[gnu::always_inline]] inline void next() {
    address += bytes;
    if (--left == 0) {
      left = count;
      address = first;
    }
  }
};

/// A DRAM_TO_L1 for each block.
struct LoadPattern {
  StepPattern::Words low{}, high{};             ///< but for source and destination
  std::uint64_t source = 0, source_stride = 0;  ///< words Source and SourceHigh, as one number

  static constexpr unsigned kSourceWord = isa::cube::word_of<isa::cube::Opcode::DRAM_TO_L1, "Source">();
  static constexpr unsigned kDestinationWord = isa::cube::whole_word_of<isa::cube::Opcode::DRAM_TO_L1, "Destination">();
  static_assert(isa::cube::word_of<isa::cube::Opcode::DRAM_TO_L1, "SourceHigh">() == kSourceWord + 1 && kSourceWord + 1 < 4 &&
                kDestinationWord >= 4);

  void begin(const isa::cube::MachineCode &load) {
    low = StepPattern::Words{load[0], load[1], load[2], load[3]};
    high = StepPattern::Words{load[4], load[5], load[6], load[7]};
  }
  /// At an address of DRAM; Rows stand above its 48 bits.
  void begin_source(std::uint64_t address) { source = address | std::uint64_t{low[kSourceWord + 1] & 0xFFFF0000U} << 32; }

  [[gnu::always_inline]] inline void write(isa::cube::MachineCode *slot, std::uint64_t from, std::uint32_t destination) const {
    StepPattern::Words first = low, second = high;
    first[kSourceWord] = static_cast<std::uint32_t>(from);
    first[kSourceWord + 1] = static_cast<std::uint32_t>(from >> 32);
    second[kDestinationWord - 4] = destination;
    auto *const to = reinterpret_cast<StepPattern::WordsInMemory *>(slot);
    to[0] = first;
    to[1] = second;
  }
};

struct BlockPattern {
  StepPattern step;
  LoadPattern outer_load, inner_load;
  BlockPlaces outer, inner;
  std::uint32_t outer_word = 0, inner_word = 0;  ///< of their moves' word Source, but for the address
  std::uint32_t first_wait = 0, last_set = 0;    ///< the first word of a block's first step, the second of its last one's right move
  std::uint32_t steps = 1;

  /// `blocks`, at least 1; gives the end of their slots. Of each block the inner operand is loaded and, with `BothCome`, before it the
  /// outer one. `LeftOuter`: that is A.
  template <bool LeftOuter, bool BothCome>
  isa::cube::MachineCode *write(isa::cube::MachineCode *slots, std::uint32_t blocks) {
    StepPattern pattern = step;
    BlockPlaces outer_at = outer, inner_at = inner;
    std::uint64_t outer_from = outer_load.source, inner_from = inner_load.source;
    do {
      if constexpr (BothCome) {
        outer_load.write(slots, outer_from, outer_at.address);
        outer_from += outer_load.source_stride;
        ++slots;
      }
      inner_load.write(slots, inner_from, inner_at.address);
      inner_from += inner_load.source_stride;
      isa::cube::MachineCode *const first = slots + 1;
      const std::uint32_t outer_place = outer_word + outer_at.address, inner_place = inner_word + inner_at.address;
      slots = pattern.write(first, steps, LeftOuter ? outer_place : inner_place, LeftOuter ? inner_place : outer_place);
      first[0][isa::cube::kWaitWord] = first_wait;
      slots[-2][isa::cube::kSetWord] = last_set;
      outer_at.next();
      inner_at.next();
    } while (--blocks != 0);
    step.left_low = pattern.left_low;
    step.right_low = pattern.right_low;
    step.mad_high = pattern.mad_high;
    outer = outer_at;
    inner = inner_at;
    outer_load.source = outer_from;
    inner_load.source = inner_from;
    return slots;
  }
};

}  // namespace cox::kernels::cube
