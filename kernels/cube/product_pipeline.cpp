// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/product_pipeline.h"

#include <algorithm>

#include "coxswain/isa/cube/build.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::MachineCode;

using detail::divided_up;

}  // namespace

bool ProductPipeline::run(Stream &stream, const Arguments &arguments, const Tiling &tiling) {
  arguments_ = arguments;
  tiling_ = tiling;
  const Product &product = arguments_.product;
  const bool left = tiling_.left_outer;
  unit_ = k_unit(product.type);
  k_units_ = divided_up(product.k, unit_);
  outer_tiles_ = left ? divided_up(product.m, tiling_.m_tile) : divided_up(product.n, tiling_.n_tile);
  inner_tiles_ = left ? divided_up(product.n, tiling_.n_tile) : divided_up(product.m, tiling_.m_tile);
  panel_ = 0;
  first_tile_ = true;
  outer_.begin(left ? arguments_.left.matrix : arguments_.right.matrix, product.type, !left);
  inner_.begin(left ? arguments_.right.matrix : arguments_.left.matrix, product.type, left);
  inner_unit_ = across_unit(product.type, inner_.k_rows());
  place();
  count();
  multiply_.left = (left ? outer_ : inner_).move();
  multiply_.right = (left ? inner_ : outer_).move();
  outer_address_ = (left ? arguments_.left : arguments_.right).matrix.address;
  inner_address_ = (left ? arguments_.right : arguments_.left).matrix.address;
  for (std::uint32_t batch = 1; batch <= product.batches; ++batch) {
    if (!run_batch(stream, batch == product.batches)) return false;
    outer_address_ += (left ? arguments_.left : arguments_.right).batch_stride;
    inner_address_ += (left ? arguments_.right : arguments_.left).batch_stride;
    arguments_.output += arguments_.output_stride;
    arguments_.residual += arguments_.residual_stride;
  }
  return stream.write(isa::cube::kEverythingEnds);
}

/// Assigns L1 addresses to panels, blocks and C, one behind the other.
void ProductPipeline::place() {
  std::uint32_t l1 = arguments_.l1;
  const std::uint32_t outer_tile = tiling_.left_outer ? tiling_.m_tile : tiling_.n_tile;
  const std::uint32_t inner_tile = tiling_.left_outer ? tiling_.n_tile : tiling_.m_tile;
  if (!outer_.in_l1()) {
    outer_.place(l1, outer_tile, tiling_.panels != 0 ? k_units_ : tiling_.block_units);
    l1 += outer_.place_bytes() * (tiling_.panels != 0 ? tiling_.panels : tiling_.places);
  }
  if (!inner_.in_l1()) {
    inner_.place(l1, inner_tile, tiling_.inner_stays ? k_units_ : tiling_.block_units);
    l1 += inner_.place_bytes() * (tiling_.inner_stays ? inner_tiles_ : tiling_.places);
  }
  OutputStage::Configuration &stage = arguments_.stage;
  stage.output.residual_pitch = tiling_.n_tile * isa::cube::element_bytes(stage.to);
  stage.residual_l1 = l1;
  stage.residual_bytes = tiling_.m_tile * stage.output.residual_pitch;
}

/// Counts how often the buffers of each Ring will be used. A Ring must know this number, because the last use of a buffer must not set a
/// flag: no later use would wait for it.
void ProductPipeline::count() {
  const Product &product = arguments_.product;
  const std::uint32_t all_panels = outer_tiles_ * product.batches;
  const Count even = count_blocks(k_units_, tiling_.block_units, tiling_.step_units, false);
  const Count uneven = count_blocks(k_units_, tiling_.block_units, tiling_.step_units, true);
  const std::uint32_t inner_tile = tiling_.left_outer ? tiling_.n_tile : tiling_.m_tile;
  std::uint32_t tiles = all_panels * inner_tiles_ - 1;
  for (std::uint32_t rest = (tiling_.left_outer ? product.n : product.m) - (inner_tiles_ - 1) * inner_tile; rest > 0; ++tiles) {
    rest -= piece_of(rest, tiling_.last_piece, inner_unit_);
  }
  const bool outer_streams = !outer_.in_l1() && tiling_.panels == 0, inner_streams = !inner_.in_l1() && !tiling_.inner_stays;
  const std::uint32_t streaming = inner_streams || !tiling_.outer_in_l0 ? tiles : all_panels;
  std::uint32_t steps = tiles * even.steps, blocks = streaming * even.blocks;
  if (tiling_.short_start) {
    steps = tiling_.outer_in_l0 ? tiles * uneven.steps : steps - even.steps + uneven.steps;
    blocks = tiling_.outer_in_l0 ? streaming * uneven.blocks : blocks - even.blocks + uneven.blocks;
  }
  even_steps_ = even.steps;
  even_blocks_ = even.blocks;
  // part_of() shortens the last two blocks if the length of k is not a multiple of a block.
  const std::uint32_t whole_blocks = k_units_ / tiling_.block_units;
  const bool shortens = k_units_ % tiling_.block_units != 0 || product.k % unit_ != 0;
  full_blocks_ = tiling_.block_units % tiling_.step_units != 0 ? 0 : whole_blocks - (shortens && whole_blocks != 0 ? 1U : 0U);
  pattern_m_ = pattern_n_ = 0;
  one_step_ = even.steps == 1 && all_panels > 1;
  blocks_ = Ring(tiling_.places, outer_streams || inner_streams ? blocks : 0);
  panels_ = Ring(std::max<std::uint32_t>(tiling_.panels, 1), all_panels);
  has_alike_tiles_ = inner_streams && !tiling_.outer_in_l0 && full_blocks_ == even_blocks_ &&
                     kStepSlots * divided_up(tiling_.block_units, tiling_.step_units) + 2 <= Stream::kMostReserved;
  panel_flags_ = tiling_.panels != 0 && !inner_streams && !product.residual;

  const std::uint32_t outer_tile = tiling_.left_outer ? tiling_.m_tile : tiling_.n_tile;
  multiply_.begin({.type = product.type,
                   .step_units = tiling_.step_units,
                   .steps = steps,
                   .tiles = tiles,
                   .kept = !tiling_.outer_in_l0 ? Kept::none : (tiling_.left_outer ? Kept::left : Kept::right),
                   .kept_step_bytes = static_cast<std::uint32_t>(panel_bytes(product.type, outer_tile, tiling_.step_units))});
  arguments_.stage.tiles = tiles;
  arguments_.stage.residual_flags = !(inner_streams || (outer_streams && !tiling_.outer_in_l0)) || !blocks_tell_of_fix();
  output_.begin(arguments_.stage);
}

/// Returns true if the load of C needs no flag of its own, because the load before it already waits until C's place in L1 is free.
/// - A tile's first MAD starts only after C's place is free, and the moves of the tile's third step wait for that MAD.
/// - The load before that of C is the load of the tile's last block. It waits for the moves of the block `places` blocks earlier.
/// The function returns true if that earlier block ends with the tile's third step or a later step.
bool ProductPipeline::blocks_tell_of_fix() const {
  constexpr std::uint32_t kSteps = kBanks + 1;  // number of steps up to the third, which is the first to use a bank again
  const bool is_short = tiling_.short_start && tiling_.outer_in_l0;
  const std::uint32_t blocks = count_blocks(k_units_, tiling_.block_units, tiling_.step_units, is_short).blocks;
  std::uint32_t steps = 0, unit = 0;
  for (std::uint32_t block = 0; block + tiling_.places < blocks && steps < kSteps; ++block) {
    const std::uint32_t units = block_at(unit, k_units_, tiling_.block_units, is_short);
    steps += divided_up(units, tiling_.step_units);
    unit += units;
  }
  return steps >= kSteps;
}

bool ProductPipeline::run_batch(Stream &stream, bool last) {
  const Product &product = arguments_.product;
  const std::uint32_t tile = tiling_.left_outer ? tiling_.m_tile : tiling_.n_tile, all = tiling_.left_outer ? product.m : product.n;
  Panel outer{.first = true};
  for (; outer.begin < all; outer.begin += tile, ++outer.index, outer.first = false) {
    outer.size = std::min(tile, all - outer.begin);
    outer.last = outer.index + 1 == outer_tiles_;
    outer_.begin_panel(outer_address_, outer.begin + (tiling_.left_outer ? 0 : arguments_.first_column), outer.size);
    if (!run_panel(stream, outer, last && outer.last)) return false;
    panels_.next();
    ++panel_;
  }
  return true;
}

bool ProductPipeline::run_panel(Stream &stream, const Panel &outer, bool last) {
  const Product &product = arguments_.product;
  const std::uint32_t tile = tiling_.left_outer ? tiling_.n_tile : tiling_.m_tile, all = tiling_.left_outer ? product.n : product.m;
  Panel inner{.first = true};
  for (std::uint32_t begin = 0; begin < all; begin += tile, ++inner.index) {
    if (const std::uint32_t tiles = inner.first ? 0 : alike_tiles(last ? all - begin - 1 : all - begin); tiles != 0) {
      if (!run_alike_tiles(stream, outer, begin, tiles)) return false;
      inner.index += tiles - 1;
      begin += (tiles - 1) * tile;
      continue;
    }
    const std::uint32_t end = std::min(all, begin + tile);
    const std::uint32_t piece = last && end == all ? tiling_.last_piece : 0;
    for (inner.begin = begin; inner.begin < end; inner.begin += inner.size) {
      inner.size = piece_of(end - inner.begin, piece, inner_unit_);
      inner.last = inner.begin + inner.size == all;
      inner_.begin_panel(inner_address_, inner.begin + (tiling_.left_outer ? arguments_.first_column : 0), inner.size);
      if (!run_tile(stream, outer, inner, inner.begin - begin)) return false;
      inner.first = false;
      first_tile_ = false;
    }
  }
  return true;
}

bool ProductPipeline::run_tile(Stream &stream, const Panel &outer, const Panel &inner, std::uint32_t inner_offset) {
  const Product &product = arguments_.product;
  const bool left = tiling_.left_outer, in_l0 = tiling_.outer_in_l0;
  const bool is_short = tiling_.short_start && (first_tile_ || in_l0);
  Loads loads{.outer = !outer_.in_l1() && (inner.first || (tiling_.panels == 0 && !in_l0)),
              .inner = !inner_.in_l1() && (!tiling_.inner_stays || outer.first)};
  loads.streams = (loads.outer && tiling_.panels == 0) || (loads.inner && !tiling_.inner_stays);
  const bool moves_outer = !in_l0 || inner.first;
  multiply_.begin_tile({.m = left ? outer.size : inner.size,
                        .n = left ? inner.size : outer.size,
                        .moves_left = !left || moves_outer,
                        .moves_right = left || moves_outer,
                        .kept_from = one_step_ ? panel_ % kBanks : 0});
  if (loads.streams && !is_short && !(loads.inner && tiling_.inner_stays) && blocks_.is_steady(even_blocks_) &&
      multiply_.has_pattern(even_steps_) && kStepSlots * divided_up(tiling_.block_units, tiling_.step_units) + 2 <= Stream::kMostReserved)
    return run_even_blocks(stream, loads, inner.index, inner_offset) && output_.finish(stream, output_tile(outer, inner));
  for (std::uint32_t unit = 0; unit < k_units_;) {
    const std::uint32_t units = block_at(unit, k_units_, tiling_.block_units, is_short);
    const std::uint32_t next = unit + units;
    const bool begins_panel = panel_flags_ && inner.first && unit == 0, ends_panel = panel_flags_ && inner.last && next == k_units_;
    MultiplyStage::Block block{.k = std::min(units * unit_, product.k - unit * unit_),
                               .waits = loads.outer || loads.inner,
                               .frees = loads.streams ? blocks_.is_awaited() : ends_panel && panels_.is_awaited(),
                               .last = next == k_units_};
    const bool waits = loads.streams ? blocks_.waits() : begins_panel && panels_.waits();
    if (block.waits && !load_block(stream, loads, inner.index, unit, block.k, waits)) return false;

    const std::uint32_t outer_at = outer_from(unit), inner_at = inner_from(inner.index, unit, inner_offset);
    block.left = left ? outer_at : inner_at;
    block.right = left ? inner_at : outer_at;
    if (!multiply_.run(stream, block)) return false;
    if (loads.streams) blocks_.next();
    unit = next;
  }
  return output_.finish(stream, output_tile(outer, inner));
}

std::uint32_t ProductPipeline::outer_from(std::uint32_t unit) const {
  if (outer_.in_l1()) return outer_.address_in_l1(unit);
  return tiling_.panels != 0 ? outer_.address_in(panels_.buffer(), unit, 0) : outer_.place_address(blocks_.buffer());
}

std::uint32_t ProductPipeline::inner_from(std::uint32_t index, std::uint32_t unit, std::uint32_t offset) const {
  if (inner_.in_l1()) return inner_.address_in_l1(unit);
  return tiling_.inner_stays ? inner_.address_in(index, unit, offset) : inner_.place_address(blocks_.buffer());
}

bool ProductPipeline::load_block(Stream &stream, const Loads &loads, std::uint32_t inner_index, std::uint32_t unit, std::uint32_t k,
                                 bool waits) {
  std::uint32_t wait = waits ? kBlockFree.wait() : 0;
  const std::uint32_t first = unit * unit_;
  if (loads.outer) {
    MachineCode code = tiling_.panels != 0 ? outer_.load(first, k, panels_.buffer(), unit) : outer_.load(first, k, blocks_.buffer(), 0);
    code[isa::cube::kWaitWord] |= wait;
    if (!loads.inner) code[isa::cube::kSetWord] = kBlockReady.set();
    wait = 0;
    if (!stream.write(code)) return false;
  }
  if (!loads.inner) return true;
  MachineCode code = tiling_.inner_stays ? inner_.load(first, k, inner_index, unit) : inner_.load(first, k, blocks_.buffer(), 0);
  code[isa::cube::kWaitWord] |= wait;
  code[isa::cube::kSetWord] = kBlockReady.set();
  return stream.write(code);
}

OutputStage::Tile ProductPipeline::output_tile(const Panel &outer, const Panel &inner) const {
  const Panel &rows = tiling_.left_outer ? outer : inner, &columns = tiling_.left_outer ? inner : outer;
  const OutputStage::Configuration &stage = arguments_.stage;
  const std::uint64_t along = std::uint64_t{arguments_.first_column + columns.begin} * isa::cube::element_bytes(stage.to);
  return {.destination = arguments_.output + std::uint64_t{rows.begin} * stage.pitch + along,
          .residual = arguments_.residual + std::uint64_t{rows.begin} * stage.residual_pitch + along,
          .rows = rows.size,
          .columns = columns.size,
          .channel = columns.begin,
          .accumulators = multiply_.accumulators(),
          .column_fractals = multiply_.column_fractals()};
}

}  // namespace cox::kernels::cube
