// SPDX-License-Identifier: MIT
// Writes the slots for several blocks of a product. A block is a range of k. Its slots load the operands' elements of this range to L1 and
// multiply them (step_pattern.h). The blocks must have the same length and differ only in addresses (docs/kernels/cube.md, Pipelining).
// Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/kernels/cube/step_pattern.h"

namespace cox::kernels::cube {

/// The L1 addresses of an operand's blocks. Either blocks use a few buffers ("places") in turn, or all of them are contiguous.
struct BlockPlaces {
  std::uint32_t address = 0;  ///< L1 address of the next block
  std::uint32_t bytes = 0;    ///< bytes from one block to the next
  std::uint32_t turn = 0;     ///< subtracted from `address` after the last buffer, to return to the first; 0 if the blocks are contiguous
  std::uint32_t first = 0;
};

/// A pattern for the DRAM_TO_L1 of each block.
struct LoadPattern {
  StepPattern::Words low{}, high{};             ///< the words of a DRAM_TO_L1, without source and destination
  std::uint64_t source = 0, source_stride = 0;  ///< both words of the source address as one number; increment for each block

  static constexpr unsigned kSourceWord = isa::cube::word_of<isa::cube::Opcode::DRAM_TO_L1, "Source">();
  static constexpr unsigned kDestinationWord = isa::cube::whole_word_of<isa::cube::Opcode::DRAM_TO_L1, "Destination">();
  static_assert(isa::cube::word_of<isa::cube::Opcode::DRAM_TO_L1, "SourceHigh">() == kSourceWord + 1 && kSourceWord + 1 < 4 &&
                kDestinationWord >= 4);

  void begin(const isa::cube::MachineCode &load) {
    low = StepPattern::Words{load[0], load[1], load[2], load[3]};
    high = StepPattern::Words{load[4], load[5], load[6], load[7]};
  }
  /// Sets the source to an address in DRAM, which has 48 bits. The 16 bits above it are the field Rows, which stays as it is.
  void begin_source(std::uint64_t address) {
    source = address | std::uint64_t{low[kSourceWord + 1] & 0xFFFF0000U} << 32;
    low[kSourceWord + 1] = static_cast<std::uint32_t>(source >> 32);
  }
  /// Returns true if the sources of the next `blocks` blocks differ only in their low words.
  [[nodiscard]] bool is_near(std::uint32_t blocks) const {
    const std::uint64_t end = static_cast<std::uint32_t>(source) + std::uint64_t{static_cast<std::uint32_t>(source_stride)} * (blocks - 1);
    return blocks == 1 || (source_stride >> 32 == 0 && end >> 32 == 0);
  }
  void move_on(std::uint32_t blocks) {
    source += source_stride * blocks;
    low[kSourceWord + 1] = static_cast<std::uint32_t>(source >> 32);
  }

  [[gnu::always_inline]] inline void write(isa::cube::MachineCode *slot, std::uint32_t from, std::uint32_t destination) const {
    auto *const to = reinterpret_cast<StepPattern::WordsInMemory *>(slot);
    to[0] = low;
    to[1] = high;
    (*slot)[kSourceWord] = from;
    (*slot)[kDestinationWord] = destination;
  }
};

struct BlockPattern {
  LoadPattern outer_load, inner_load;
  BlockPlaces outer, inner;
  std::uint32_t places = 1, places_left = 1;     ///< places in L1 that blocks use in turn; places left until the first is used again
  std::uint32_t outer_word = 0, inner_word = 0;  ///< word with the field Source in each operand's moves to L0, with Source 0
  /// first_wait: word 0 of a block's first L1_TO_L0A, with its wait flags. last_set: word 1 of its last L1_TO_L0B, with its set flags.
  std::uint32_t first_wait = 0, last_set = 0;
  std::uint32_t steps = 1;
  StepPattern step;

  /// Writes `blocks` blocks (at least 1) and returns the end of their slots. is_near(blocks) must be true for each load used.
  /// If BothCome is true, each block loads both operands, otherwise only the inner one. If LeftOuter is true, the outer operand is A.
  /// noinline keeps the variables in registers.
  template <bool LeftOuter, bool BothCome>
  [[gnu::noinline]] isa::cube::MachineCode *write(isa::cube::MachineCode *slots, std::uint32_t blocks) {
    StepPattern pattern = step;
    std::uint32_t outer_at = outer.address, inner_at = inner.address, left = places_left;
    auto outer_from = static_cast<std::uint32_t>(outer_load.source), inner_from = static_cast<std::uint32_t>(inner_load.source);
    const std::uint32_t count = blocks;
    do {
      if constexpr (BothCome) {
        outer_load.write(slots, outer_from, outer_at);
        outer_from += static_cast<std::uint32_t>(outer_load.source_stride);
        ++slots;
      }
      inner_load.write(slots, inner_from, inner_at);
      inner_from += static_cast<std::uint32_t>(inner_load.source_stride);
      isa::cube::MachineCode *const first = slots + 1;
      const std::uint32_t outer_place = outer_word + outer_at, inner_place = inner_word + inner_at;
      slots = pattern.write(first, steps, LeftOuter ? outer_place : inner_place, LeftOuter ? inner_place : outer_place);
      first[0][isa::cube::kWaitWord] = first_wait;
      slots[-2][isa::cube::kSetWord] = last_set;
      outer_at += outer.bytes;
      inner_at += inner.bytes;
      if (--left == 0) {
        left = places;
        outer_at -= outer.turn;
        inner_at -= inner.turn;
      }
    } while (--blocks != 0);
    step.left_low = pattern.left_low;
    step.right_low = pattern.right_low;
    step.mad_high = pattern.mad_high;
    if constexpr (BothCome) outer_load.move_on(count);
    inner_load.move_on(count);
    outer.address = outer_at;
    inner.address = inner_at;
    places_left = left;
    return slots;
  }
};

}  // namespace cox::kernels::cube
