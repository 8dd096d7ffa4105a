// SPDX-License-Identifier: MIT
// Writes the blocks of a tile. A block is a part of k with its loads, moves and MADs. Its slots are copied from a prepared pattern, in
// which only the addresses change. This is the cheapest way for the control core (docs/kernels/cube.md, Pipelining). product_pipeline.cpp
// writes the tiles.
#include <algorithm>

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/product_pipeline.h"

namespace cox::kernels::cube {

using detail::divided_up;
using isa::cube::MachineCode;

/// Holds the L1 address of an operand's next block, and the DRAM_TO_L1 instruction that loads this block.
struct ProductPipeline::Walk {
  bool loads = false, streams = false;
  std::uint32_t from = 0;  ///< L1 address of the next block
  /// Distances in L1, in bytes: `place` from one block to the next, `stride` from one group of k_unit() elements along k to the next.
  std::uint32_t place = 0, stride = 0;
  std::uint32_t first_place = 0;
  MachineCode load{};             ///< the instruction that loads the next block, without its destination
  std::uint64_t load_stride = 0;  ///< bytes from one load's source to the next load's source

  [[gnu::always_inline]] inline MachineCode *write_load(MachineCode *slot) {
    load[isa::cube::whole_word_of<isa::cube::Opcode::DRAM_TO_L1, "Destination">()] = from;
    *slot = load;
    move_source(load_stride);
    return slot + 1;
  }
  /// Goes to the next block. If the operand is loaded block by block, `index` is the number of that block's place in L1.
  [[gnu::always_inline]] inline void go_on(std::uint32_t index) { from = streams && index == 0 ? first_place : from + place; }
  /// Call this after go_on() if the block is shorter than a full block: by `k_less` elements of k, and by `units_less` units in L1.
  /// Shortens the load at `written` to `k` elements, and corrects `from` and `load`, which have advanced by a full block.
  void shorten(MachineCode *written, const OperandSource &source, std::uint32_t k, std::uint32_t units_less, std::uint32_t k_less) {
    if (!streams) from -= units_less * stride;
    if (!loads) return;
    source.shorten(*written, k);
    move_source(0 - source.load_stride(k_less));
  }

 private:
  /// Moves the source of `load` by `bytes`. The fields Source and SourceHigh form one number of 48 bits.
  [[gnu::always_inline]] inline void move_source(std::uint64_t bytes) {
    using isa::cube::Opcode;
    constexpr unsigned kSourceWord = isa::cube::word_of<Opcode::DRAM_TO_L1, "Source">();
    static_assert(isa::cube::word_of<Opcode::DRAM_TO_L1, "SourceHigh">() == kSourceWord + 1);
    const std::uint64_t moved = (std::uint64_t{load[kSourceWord + 1]} << 32 | load[kSourceWord]) + bytes;
    load[kSourceWord] = static_cast<std::uint32_t>(moved);
    load[kSourceWord + 1] = static_cast<std::uint32_t>(moved >> 32);
  }
};

ProductPipeline::Walk ProductPipeline::walk_of(const OperandSource &source, bool loads, bool streams, std::uint32_t from,
                                               std::uint32_t unit) const {
  const std::uint32_t k = tiling_.block_units * unit_;
  Walk walk{.loads = loads,
            .streams = streams,
            .from = from,
            .place = streams ? source.place_bytes() : tiling_.block_units * source.stride(),
            .stride = source.stride(),
            .first_place = source.place_address(0)};
  if (!loads) return walk;
  walk.load = source.load(unit * unit_, std::min(k, arguments_.product.k), 0, 0);
  walk.load_stride = source.load_stride(k);
  return walk;
}

void ProductPipeline::begin_pattern() {
  const bool left = tiling_.left_outer;
  const std::uint32_t k = tiling_.block_units * unit_;
  pattern_.step = multiply_.pattern();
  pattern_.first_wait = pattern_.step.left_low[isa::cube::kWaitWord] | kBlockReady.wait();
  pattern_.last_set = pattern_.step.right_low[isa::cube::kSetWord] | kBlockFree.set();
  pattern_.steps = tiling_.block_units / tiling_.step_units;
  pattern_.outer_word = (left ? multiply_.left : multiply_.right).code[StepPattern::kSourceWord];
  pattern_.inner_word = (left ? multiply_.right : multiply_.left).code[StepPattern::kSourceWord];
  if (!outer_.in_l1()) {
    MachineCode load = outer_.load(0, k, 0, 0);
    load[isa::cube::kWaitWord] |= kBlockFree.wait();
    pattern_.outer_load.begin(load);
    pattern_.outer_load.source_stride = outer_.load_stride(k);
    const std::uint32_t bytes = outer_.place_bytes();
    pattern_.outer = {.bytes = bytes, .turn = tiling_.places * bytes, .first = outer_.place_address(0)};
  }
  MachineCode load = inner_.load(0, k, 0, 0);
  load[isa::cube::kSetWord] = kBlockReady.set();
  pattern_.inner_load.begin(load);
  pattern_.inner_load.source_stride = inner_.load_stride(k);
  const std::uint32_t bytes = inner_.place_bytes();
  pattern_.inner = {.bytes = bytes, .turn = tiling_.places * bytes, .first = inner_.place_address(0)};
  pattern_.places = tiling_.places;
}

void ProductPipeline::begin_full_blocks(bool both_come) {
  if (multiply_.m() != pattern_m_ || multiply_.n() != pattern_n_) {
    pattern_m_ = multiply_.m();
    pattern_n_ = multiply_.n();
    begin_pattern();
  } else {
    multiply_.renew(pattern_.step);
  }
  const std::uint32_t wait = pattern_.inner_load.low[isa::cube::kWaitWord] & ~kBlockFree.wait();
  pattern_.inner_load.low[isa::cube::kWaitWord] = both_come ? wait : wait | kBlockFree.wait();
  const std::uint32_t place = blocks_.buffer();
  pattern_.places_left = tiling_.places - place;
  pattern_.inner.address = pattern_.inner.first + place * pattern_.inner.bytes;
  if (outer_.in_l1() || tiling_.panels != 0) {
    pattern_.outer = {.bytes = tiling_.block_units * outer_.stride(), .first = outer_from(0)};
  } else {
    pattern_.outer.address = pattern_.outer.first + place * pattern_.outer.bytes;
  }
}

bool ProductPipeline::run_full_blocks(Stream &stream, bool both_come) {
  pattern_.inner_load.begin_source(inner_.source());
  if (both_come) pattern_.outer_load.begin_source(outer_.source());
  if (pattern_.outer.turn == 0) pattern_.outer.address = pattern_.outer.first;
  const std::uint32_t block_slots = kStepSlots * pattern_.steps + (both_come ? 2U : 1U);
  for (std::uint32_t rest = full_blocks_; rest > 0;) {
    std::uint32_t blocks = pattern_.inner_load.is_near(rest) && (!both_come || pattern_.outer_load.is_near(rest)) ? rest : 1;
    MachineCode *const slots = stream.reserve_pieces(block_slots, blocks);
    if (slots == nullptr) return false;
    MachineCode *end = nullptr;
    if (both_come) {
      end = tiling_.left_outer ? pattern_.write<true, true>(slots, blocks) : pattern_.write<false, true>(slots, blocks);
    } else {
      end = tiling_.left_outer ? pattern_.write<true, false>(slots, blocks) : pattern_.write<false, false>(slots, blocks);
    }
    if (rest == full_blocks_) multiply_.begin_sum(slots[both_come ? 4 : 3]);
    rest -= blocks;
    if (rest == 0 && full_blocks_ == even_blocks_) multiply_.end_sum(end[-1]);
  }
  multiply_.skip(full_blocks_ * pattern_.steps);
  blocks_.next(full_blocks_);
  return true;
}

std::uint32_t ProductPipeline::alike_tiles(std::uint32_t rest) const {
  if (!has_alike_tiles_) return 0;
  const std::uint32_t tiles = rest / (tiling_.left_outer ? tiling_.n_tile : tiling_.m_tile);
  return blocks_.is_steady(tiles * even_blocks_) && multiply_.has_pattern(tiles * even_steps_) ? tiles : 0;
}

bool ProductPipeline::run_alike_tiles(Stream &stream, const Panel &outer, std::uint32_t begin, std::uint32_t tiles) {
  const bool left = tiling_.left_outer, both_come = !outer_.in_l1() && tiling_.panels == 0;
  Panel inner{.begin = begin, .size = left ? tiling_.n_tile : tiling_.m_tile};
  const MultiplyStage::Tile tile{.m = left ? outer.size : inner.size, .n = left ? inner.size : outer.size};
  const OutputStage::Configuration &stage = arguments_.stage;
  const std::uint64_t bytes = std::uint64_t{inner.size} * (left ? isa::cube::element_bytes(stage.to) : stage.pitch);
  const std::uint64_t residual_bytes = left ? bytes : std::uint64_t{inner.size} * stage.residual_pitch;
  multiply_.begin_tile(tile);
  begin_full_blocks(both_come);
  OutputStage::Tile result = output_tile(outer, inner);
  for (;;) {
    inner_.begin_panel(inner_address_, inner.begin + (left ? arguments_.first_column : 0), inner.size);
    if (!run_full_blocks(stream, both_come) || !output_.finish(stream, result)) return false;
    if (--tiles == 0) return true;
    inner.begin += inner.size;
    multiply_.begin_tile(tile);
    multiply_.renew_sum(pattern_.step);
    result.destination += bytes;
    result.residual += residual_bytes;
    if (left) result.channel += inner.size;
    result.accumulators = multiply_.accumulators();
  }
}

bool ProductPipeline::run_even_blocks(Stream &stream, const Loads &loads, std::uint32_t inner_index, std::uint32_t inner_offset) {
  const bool left_outer = tiling_.left_outer;
  std::uint32_t unit = 0;
  if (loads.inner && full_blocks_ != 0) {
    begin_full_blocks(loads.outer);
    if (!run_full_blocks(stream, loads.outer)) return false;
    unit = full_blocks_ * tiling_.block_units;
    if (unit >= k_units_) return true;
  }
  Walk outer = walk_of(outer_, loads.outer, !outer_.in_l1() && tiling_.panels == 0, outer_from(unit), unit);
  Walk inner = walk_of(inner_, loads.inner, !inner_.in_l1() && !tiling_.inner_stays, inner_from(inner_index, unit, inner_offset), unit);
  (loads.outer ? outer : inner).load[isa::cube::kWaitWord] |= kBlockFree.wait();
  (loads.inner ? inner : outer).load[isa::cube::kSetWord] = kBlockReady.set();
  StepPattern pattern = multiply_.pattern();
  const std::uint32_t left_word = multiply_.left.code[StepPattern::kSourceWord],
                      right_word = multiply_.right.code[StepPattern::kSourceWord];
  const std::uint32_t loaded = (loads.outer ? 1U : 0U) + (loads.inner ? 1U : 0U);
  const std::uint32_t all_units = k_units_, full_units = tiling_.block_units, full_k = full_units * unit_;
  const std::uint32_t full_steps = divided_up(full_units, tiling_.step_units);
  const bool has_whole_steps = full_steps * tiling_.step_units == full_units;
  std::uint32_t place = blocks_.buffer(), all_steps = 0, all_blocks = 0;
  for (; unit < all_units; ++all_blocks) {
    const std::uint32_t rest = all_units - unit;
    std::uint32_t units = full_units, steps = full_steps, k = full_k;
    if (rest < 2 * full_units) {
      units = part_of(rest, full_units);
      steps = divided_up(units, tiling_.step_units);
      k = std::min(units * unit_, arguments_.product.k - unit * unit_);
    }
    MachineCode *const first = stream.reserve(loaded + kStepSlots * steps);
    if (first == nullptr) return false;
    MachineCode *slots = first;
    if (loads.outer) slots = outer.write_load(slots);
    if (loads.inner) slots = inner.write_load(slots);
    const MultiplyStage::Block block{.k = k, .left = left_outer ? outer.from : inner.from, .right = left_outer ? inner.from : outer.from};
    MachineCode *const end = pattern.write(slots, steps, left_word + block.left, right_word + block.right);
    if (++place == tiling_.places) place = 0;
    outer.go_on(place);
    inner.go_on(place);
    if (k != full_k) {
      outer.shorten(first, outer_, k, full_units - units, full_k - k);
      inner.shorten(first + loaded - 1, inner_, k, full_units - units, full_k - k);
    }
    if (k != full_k || !has_whole_steps) multiply_.shorten(end, steps, block);
    slots[0][isa::cube::kWaitWord] |= kBlockReady.wait();
    end[-2][isa::cube::kSetWord] |= kBlockFree.set();
    if (unit == 0) multiply_.begin_sum(slots[2]);
    unit += units;
    all_steps += steps;
    if (unit == all_units) multiply_.end_sum(end[-1]);
  }
  multiply_.skip(all_steps);
  blocks_.next(all_blocks);
  return true;
}

}  // namespace cox::kernels::cube
