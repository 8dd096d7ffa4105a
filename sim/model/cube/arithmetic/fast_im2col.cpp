// SPDX-License-Identifier: MIT
// Rows of the im2col matrix from runs of bytes: a pixel, or a row of the kernel where its pixels follow each other.
#include <algorithm>
#include <cstring>

#include "sim/model/arithmetic/scratch.h"
#include "sim/model/cube/arithmetic/fast.h"

namespace cox::model::cube::fast {
namespace {

using isa::cube::Im2col;
using isa::cube::kFractalRowBytes;

/// Bytes [begin, end) of a row of the matrix, as far as the matrix goes.
struct Row {
  const Im2col &map;
  const std::byte *pixels;
  std::int64_t pixel_bytes;  ///< of a pixel that are read
  bool joined;               ///< pixels under a row of the kernel follow each other
  std::int64_t begin, end;

  void copy(std::uint32_t place, std::byte *out) const {
    const std::int64_t line = map.kernel_width * pixel_bytes;
    const std::int64_t y0 = std::int64_t{place / map.out_width} * map.stride_y - map.pad_top;
    const std::int64_t x0 = std::int64_t{place % map.out_width} * map.stride_x - map.pad_left;
    for (std::int64_t at = begin; at < end;) {
      const std::int64_t kernel_row = at / line;
      const std::int64_t next = std::min(end, (kernel_row + 1) * line);
      const std::int64_t y = y0 + kernel_row * map.dilation_y;
      if (y < 0 || y >= map.height) {
        pad(out + (at - begin), next - at);
      } else {
        copy_line(pixels + y * map.row_pitch, x0, at - kernel_row * line, next - kernel_row * line, out + (at - begin));
      }
      at = next;
    }
  }

 private:
  void pad(std::byte *out, std::int64_t bytes) const { std::memset(out, map.pad_value, static_cast<std::size_t>(bytes)); }

  /// Bytes [first, last) of those that a row of the kernel has over the map's row at `line`.
  void copy_line(const std::byte *line, std::int64_t x0, std::int64_t first, std::int64_t last, std::byte *out) const {
    if (joined) return copy_run(line, x0, map.width, first, last, out);
    while (first < last) {
      const std::int64_t column = first / pixel_bytes;
      const std::int64_t next = std::min(last, (column + 1) * pixel_bytes);
      const std::int64_t x = x0 + column * map.dilation_x;
      // A pixel is a row of one.
      copy_run(line + x * map.pixel_pitch, x < 0 || x >= map.width ? -1 : 0, 1, first - column * pixel_bytes, next - column * pixel_bytes,
               out);
      out += next - first;
      first = next;
    }
  }

  /// Bytes [first, last) from pixel `x` on, of a row of `width` pixels without gaps.
  void copy_run(const std::byte *line, std::int64_t x, std::int64_t width, std::int64_t first, std::int64_t last, std::byte *out) const {
    const std::int64_t left = std::clamp(-x * pixel_bytes, first, last), right = std::clamp((width - x) * pixel_bytes, left, last);
    pad(out, left - first);
    if (right > left) std::memcpy(out + (left - first), line + x * pixel_bytes + left, static_cast<std::size_t>(right - left));
    pad(out + (right - first), last - right);
  }
};

}  // namespace

void im2col(const isa::cube::Im2colToL0A &op, Buffers &buffers) {
  const std::int64_t bits = isa::cube::element_bits(op.map.type);
  const std::int64_t pixel_bytes = op.map.channels * bits / 8;
  const std::int64_t depth = static_cast<std::int64_t>(op.map.depth()) * bits / 8;
  const std::int64_t begin = std::min(op.first_column * bits / 8, depth);
  const std::int64_t end = std::min((std::int64_t{op.first_column} + op.columns) * bits / 8, depth);
  const bool joined = op.map.dilation_x == 1 && op.map.pixel_pitch == pixel_bytes;
  const Row row{op.map, buffers.l1.data() + op.source, pixel_bytes, joined, begin, end};

  const std::size_t line_bytes = std::size_t{op.k_count()} * kFractalRowBytes;
  std::byte *line = arithmetic::scratch(arithmetic::ScratchUse::gather, static_cast<std::int64_t>(line_bytes));
  std::memset(line, 0, line_bytes);  // what no row writes stays zero
  const std::uint32_t rows = isa::cube::fractals(op.rows, isa::cube::kFractalRows) * isa::cube::kFractalRows;
  for (std::uint32_t i = 0; i < rows; ++i) {
    i < op.rows ? row.copy(op.first_place + i, line) : static_cast<void>(std::memset(line, 0, line_bytes));
    std::byte *to = buffers.l0a.data() + op.destination +
                    std::size_t{i / isa::cube::kFractalRows} * op.k_count() * isa::cube::kFractalBytes +
                    std::size_t{i % isa::cube::kFractalRows} * kFractalRowBytes;
    for (std::size_t piece = 0; piece < op.k_count(); ++piece) {
      std::memcpy(to + piece * isa::cube::kFractalBytes, line + piece * kFractalRowBytes, kFractalRowBytes);
    }
  }
}

}  // namespace cox::model::cube::fast
