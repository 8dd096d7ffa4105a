// SPDX-License-Identifier: MIT
#include "sim/model/cube/arithmetic/element.h"
#include "sim/model/cube/arithmetic/reference.h"

namespace cox::model::cube::reference {
namespace {

using isa::cube::Im2col;
using isa::cube::Im2colToL0A;

/// Returns an element of the im2col matrix. Its row is `place`, the number of an output pixel. The first pixel of the map is at `pixels`.
std::uint32_t im2col_element(const Im2col &map, const std::byte *pixels, std::uint32_t place, std::uint64_t column) {
  if (column >= map.depth()) return 0;
  const auto channel = static_cast<std::uint32_t>(column % map.channels);
  const auto tap = static_cast<std::uint32_t>(column / map.channels);
  const std::int64_t y =
      std::int64_t{place / map.out_width} * map.stride_y - map.pad_top + std::int64_t{tap / map.kernel_width} * map.dilation_y;
  const std::int64_t x =
      std::int64_t{place % map.out_width} * map.stride_x - map.pad_left + std::int64_t{tap % map.kernel_width} * map.dilation_x;
  if (y < 0 || y >= map.height || x < 0 || x >= map.width) return static_cast<std::uint32_t>(map.pad_value);
  const std::uint32_t bits = isa::cube::element_bits(map.type);
  return element(pixels + y * map.row_pitch + x * map.pixel_pitch, std::uint64_t{channel} * bits, bits);
}

}  // namespace

void im2col(const Im2colToL0A &op, Buffers &buffers) {
  const isa::cube::Type type = op.map.type;
  const std::uint32_t rows = isa::cube::fractals(op.rows, isa::cube::kFractalRows) * isa::cube::kFractalRows;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t k = 0; k < op.k_count() * isa::cube::fractal_width(type); ++k) {
      const bool inside = row < op.rows && k < op.columns;
      const std::uint32_t value =
          inside ? im2col_element(op.map, buffers.l1.data() + op.source, op.first_place + row, std::uint64_t{op.first_column} + k) : 0;
      set_element(buffers.l0a.data() + op.destination, isa::cube::l0a_bit(row, k, type, op.k_count()), isa::cube::element_bits(type),
                  value);
    }
  }
}

}  // namespace cox::model::cube::reference
