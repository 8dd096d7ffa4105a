// SPDX-License-Identifier: MIT
// The footprint of a dt_cal that changes the order of dimensions.
#include <array>

#include "coxswain/isa/tile/footprint.h"

namespace cox::isa::tile::detail {
namespace {

struct Dimension {
  std::int64_t count, stride;  ///< `stride` in bytes
};

/// Builds an access from a run that is repeated in up to four dimensions. An access has only three, so store() merges dimensions.
class Grid {
 public:
  explicit Grid(std::int64_t run) : run_(run) {}

  /// Adds a dimension. The dimensions stay sorted by stride, smallest first.
  void add(std::int64_t count, std::int64_t bits) {
    if (count == 1) return;
    unsigned at = used_++;
    for (; at > 0 && levels_[at - 1].stride > bits / 8; --at) levels_[at] = levels_[at - 1];
    levels_[at] = {count, bits / 8};
  }

  void store(Access &access) {
    // Joins the runs of the innermost dimension if there is no gap between them, or if more dimensions remain than an access can have. In
    // the second case, the gaps (padding of pixels) become part of the run.
    while (used_ > 0 && (levels_[0].stride == run_ || used_ > access.count.size())) {
      run_ += (levels_[0].count - 1) * levels_[0].stride;
      --used_;
      for (unsigned i = 0; i < used_; ++i) levels_[i] = levels_[i + 1];
    }
    access.run = run_;
    access.count = {1, 1, 1};
    access.stride = {};
    for (unsigned i = 0; i < used_; ++i) {
      access.count[i] = levels_[i].count;
      access.stride[i] = levels_[i].stride;
    }
  }

 private:
  std::int64_t run_;
  std::array<Dimension, 4> levels_{};
  unsigned used_ = 0;
};

/// Adds `blocks` blocks of `channels` channels each, beginning with block `first`. A map without blocks is added as a whole.
void add_blocks(Footprint &footprint, const Transform &op, const StridedMap &map, bool write, std::int64_t first, std::int64_t blocks,
                std::int64_t channels) {
  constexpr auto kOp = Opcode::dt_cal;
  Access &access =
      append(footprint, Space::l2, map.selector, write, write ? address_field<kOp, "DTaddr">() : address_field<kOp, "STaddr">());
  access.origin = map.base;
  access.start = map.base + first * map.block_step / 8;
  // Runs go along the dimension whose elements lie side by side.
  const std::int64_t bits = op.element_bits;
  const bool across = map.block > 1;
  const bool by_channel = !across && map.block_step == bits;
  const bool by_row = map.row == bits;
  const bool by_column = map.column == bits;
  std::int64_t side_by_side = channels;
  if (by_channel) side_by_side = op.channels;
  if (by_row) side_by_side = op.height;
  if (by_column) side_by_side = op.width;
  Grid grid((side_by_side * bits + 7) / 8);
  if (!by_column) grid.add(op.width, map.column);
  if (!by_row) grid.add(op.height, map.row);
  if (!by_channel) grid.add(blocks, map.block_step);
  grid.add(op.batch, map.image);
  grid.store(access);
}

void add_side(Footprint &footprint, const Transform &op, const StridedMap &map, bool write) {
  const std::int64_t whole = op.channels / map.block;
  const std::int64_t rest = op.channels % map.block;
  if (whole > 0) add_blocks(footprint, op, map, write, 0, whole, map.block);
  if (rest > 0) add_blocks(footprint, op, map, write, whole, 1, rest);
}

}  // namespace

void add_transform(Footprint &footprint, const Transform &op) {
  add_side(footprint, op, op.from, false);
  add_side(footprint, op, op.to, true);
}

}  // namespace cox::isa::tile::detail
