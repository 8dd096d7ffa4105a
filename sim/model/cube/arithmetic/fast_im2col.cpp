// SPDX-License-Identifier: MIT
// Makes rows of the im2col matrix by copying runs of bytes. A run is a pixel, or the pixels under a row of the kernel if they are
// contiguous.
#include <algorithm>
#include <cstring>

#include "sim/model/cube/arithmetic/fast.h"

namespace cox::model::cube::fast {
namespace {

using isa::cube::Im2col;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRowBytes;

/// Writes a row of a matrix in L0A from its first byte on. The row consists of pieces of 32 bytes, one in each fractal.
class Pieces {
 public:
  explicit Pieces(std::byte *row) : piece_(row) {}

  void copy(const std::byte *from, std::int64_t bytes) {
    while (offset_ == 0 && bytes >= kFractalRowBytes) {
      std::memcpy(piece_, from, kFractalRowBytes);
      from += kFractalRowBytes;
      bytes -= kFractalRowBytes;
      piece_ += kFractalBytes;
    }
    while (bytes > 0) {
      const std::size_t part = next_part(bytes);
      std::memcpy(piece_ + offset_, from, part);
      from += part;
      bytes -= advance(part);
    }
  }
  void fill(int value, std::int64_t bytes) {
    while (bytes > 0) {
      const std::size_t part = next_part(bytes);
      std::memset(piece_ + offset_, value, part);
      bytes -= advance(part);
    }
  }

 private:
  [[nodiscard]] std::size_t next_part(std::int64_t bytes) const {
    return static_cast<std::size_t>(std::min(bytes, static_cast<std::int64_t>(kFractalRowBytes - offset_)));
  }
  std::int64_t advance(std::size_t part) {
    offset_ += part;
    if (offset_ == kFractalRowBytes) {
      offset_ = 0;
      piece_ += kFractalBytes;
    }
    return static_cast<std::int64_t>(part);
  }

  std::byte *piece_;
  std::size_t offset_ = 0;  ///< offset in the current piece
};

/// The im2col matrix. The operation copies bytes [begin_, end_) of its rows. The constructor limits this range to the width of the matrix.
class Matrix {
 public:
  Matrix(const isa::cube::Im2colToL0A &op, const std::byte *pixels) : map_(op.map), pixels_(pixels) {
    const std::int64_t bits = isa::cube::element_bits(map_.type);
    pixel_bytes_ = map_.channels * bits / 8;
    line_bytes_ = map_.kernel_width * pixel_bytes_;
    const std::int64_t depth = map_.kernel_height * line_bytes_;
    begin_ = std::min(op.first_column * bits / 8, depth);
    end_ = std::min((std::int64_t{op.first_column} + op.columns) * bits / 8, depth);
    first_line_ = begin_ / line_bytes_;
    joined_ = map_.dilation_x == 1 && map_.pixel_pitch == pixel_bytes_;
  }

  [[nodiscard]] std::int64_t bytes() const { return end_ - begin_; }

  void copy(std::uint32_t place, Pieces &out) const {
    const std::int64_t x0 = std::int64_t{place % map_.out_width} * map_.stride_x - map_.pad_left;
    std::int64_t y = std::int64_t{place / map_.out_width} * map_.stride_y - map_.pad_top + first_line_ * map_.dilation_y;
    std::int64_t line = first_line_ * line_bytes_;  // offset, in the matrix row, of the pixels under this row of the kernel
    for (; line < end_; line += line_bytes_, y += map_.dilation_y) {
      const std::int64_t first = std::max(begin_ - line, std::int64_t{0}), last = std::min(end_ - line, line_bytes_);
      if (y < 0 || y >= map_.height) {
        out.fill(map_.pad_value, last - first);
      } else {
        copy_line(pixels_ + y * map_.row_pitch, x0, first, last, out);
      }
    }
  }

 private:
  /// Copies bytes [first, last) of the pixels under one row of the kernel. `line` is the row of the map that lies under this row.
  void copy_line(const std::byte *line, std::int64_t x0, std::int64_t first, std::int64_t last, Pieces &out) const {
    if (joined_) {
      const std::int64_t left = std::clamp(-x0 * pixel_bytes_, first, last);
      const std::int64_t right = std::clamp((map_.width - x0) * pixel_bytes_, left, last);
      out.fill(map_.pad_value, left - first);
      if (right > left) out.copy(line + (x0 * pixel_bytes_ + left), right - left);
      out.fill(map_.pad_value, last - right);
      return;
    }
    std::int64_t column = first / pixel_bytes_;
    for (std::int64_t at = first; at < last; ++column) {
      const std::int64_t next = std::min(last, (column + 1) * pixel_bytes_), x = x0 + column * map_.dilation_x;
      if (x < 0 || x >= map_.width) {
        out.fill(map_.pad_value, next - at);
      } else {
        out.copy(line + x * map_.pixel_pitch + (at - column * pixel_bytes_), next - at);
      }
      at = next;
    }
  }

  const Im2col &map_;
  const std::byte *pixels_;
  std::int64_t pixel_bytes_ = 0, line_bytes_ = 0;  ///< bytes of a pixel, and of all pixels under a row of the kernel
  std::int64_t begin_ = 0, end_ = 0, first_line_ = 0;
  bool joined_ = false;  ///< true if the pixels under a row of the kernel are contiguous
};

}  // namespace

void im2col(const isa::cube::Im2colToL0A &op, Buffers &buffers) {
  const Matrix matrix(op, buffers.l1.data() + op.source);
  const std::int64_t row_bytes = std::int64_t{op.k_count()} * kFractalRowBytes;
  const std::uint32_t rows = isa::cube::fractals(op.rows, isa::cube::kFractalRows) * isa::cube::kFractalRows;
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::size_t fractal = std::size_t{i / isa::cube::kFractalRows} * op.k_count();
    const std::size_t row = std::size_t{i % isa::cube::kFractalRows} * kFractalRowBytes;
    Pieces out(buffers.l0a.data() + op.destination + fractal * kFractalBytes + row);
    if (i < op.rows) {
      matrix.copy(op.first_place + i, out);
      out.fill(0, row_bytes - matrix.bytes());
    } else {
      out.fill(0, row_bytes);
    }
  }
}

}  // namespace cox::model::cube::fast
