// SPDX-License-Identifier: MIT
// The footprint of vp_self and vp_pool.
#include <algorithm>

#include "coxswain/isa/tile/footprint.h"

namespace cox::isa::tile::detail {
namespace {

/// Rounds towards minus infinity; `divisor` is positive.
constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) { return value / divisor - (value % divisor < 0 ? 1 : 0); }

/// The rows (axis 0) or columns (axis 1) of a source of `size` that a resize reads for `length` outputs from number `first` on.
Interval resized(const Vector &op, unsigned axis, std::int64_t first, std::int64_t length, std::int64_t size) {
  const std::int64_t step = 2 * std::int64_t{op.numerator[axis]};
  const std::int64_t divisor = 2 * std::int64_t{op.denominator[axis]};
  const std::int64_t reach = op.function == VectorFunction::bilinear ? 1 : 0;  // bilinear also reads the next row or column
  const std::int64_t lowest = floor_divide(first * step + op.offset[axis], divisor);
  const std::int64_t highest = floor_divide((first + length - 1) * step + op.offset[axis], divisor) + reach;
  if (op.padding_value == kNoAreaCorrection) {
    const std::int64_t begin = std::clamp<std::int64_t>(lowest, 0, size - 1);
    return {begin, std::clamp<std::int64_t>(highest, 0, size - 1) + 1 - begin};
  }
  const std::int64_t begin = std::max<std::int64_t>(lowest, 0);
  return {begin, std::min(highest, size - 1) + 1 - begin};
}

/// The box of a tensor for the whole tile. In a dimension that the tensor lacks, the extent is 1.
Box tile_of(const Vector &op, unsigned dimensions) {
  return {{0, has_dimension(dimensions, Dimensions::H) ? op.height : 1},
          {0, has_dimension(dimensions, Dimensions::W) ? op.width : 1},
          has_dimension(dimensions, Dimensions::C) ? op.channels : 1,
          1};
}

Box source_of(const Vector &op) {
  if (op.is_pool()) {
    return {covered(op.first_row, op.height, op.stride_height, op.kernel_height, op.source.height),
            covered(op.first_column, op.width, op.stride_width, op.kernel_width, op.source.width), op.channels, 1};
  }
  if (op.is_resize()) {
    return {resized(op, 0, op.first_row, op.height, op.source.height), resized(op, 1, op.first_column, op.width, op.source.width),
            op.channels, 1};
  }
  return tile_of(op, op.dimensions);
}

}  // namespace

void add_vector(Footprint &footprint, const Vector &op) {
  constexpr auto kSelf = Opcode::vp_self, kPool = Opcode::vp_pool;
  static_assert(word_of<kSelf, "STaddr">() == word_of<kPool, "STaddr">());
  add_box(footprint, op.source, false, source_of(op), address_field<kSelf, "STaddr">());
  if (op.two_tensors) {
    Box second = tile_of(op, op.dimensions1);
    if (op.function == VectorFunction::layer_norm) second.rows = {0, 2};
    add_box(footprint, op.source1, false, second, address_field<kSelf, "STaddr1">());
  }
  add_table(footprint, op.table);
  const bool pools = op.is_pool() || op.is_resize();
  add_box(footprint, op.destination, true, tile_of(op, ~unsigned{op.reduced}),
          pools ? address_field<kPool, "DTaddr">() : address_field<kSelf, "DTaddr">());
}

}  // namespace cox::isa::tile::detail
