// SPDX-License-Identifier: MIT
// The fast path of moves: copies whole fractals, or single rows within fractals.
#include <algorithm>
#include <cstring>

#include "sim/model/cube/arithmetic/fast.h"
#include "sim/model/cube/arithmetic/transpose.h"

namespace cox::model::cube::fast {
namespace {

using isa::cube::kFractalBytes;
using isa::cube::kFractalRowBytes;
using isa::cube::kFractalRows;

/// Copies `bits` bits of a row of a fractal and sets the rest to zero.
void copy_row(std::byte *to, const std::byte *from, std::uint32_t bits) {
  if (bits >= kFractalRowBytes * 8) {
    std::memcpy(to, from, kFractalRowBytes);
    return;
  }
  std::memset(to, 0, kFractalRowBytes);
  std::memcpy(to, from, bits / 8);
  if (bits % 8 != 0) to[bits / 8] = from[bits / 8] & std::byte{0x0F};
}

/// Copies `rows` rows of a fractal, with `bits` bits each, and sets the rest to zero.
void copy_fractal(std::byte *to, const std::byte *from, std::uint32_t rows, std::uint32_t bits) {
  if (rows >= kFractalRows && bits >= kFractalRowBytes * 8) {
    std::memcpy(to, from, kFractalBytes);
    return;
  }
  for (std::size_t row = 0; row < kFractalRows; ++row) {
    copy_row(to + row * kFractalRowBytes, from + row * kFractalRowBytes, row < rows ? bits : 0);
  }
}

std::uint32_t remaining(std::uint64_t size, std::uint64_t done) { return static_cast<std::uint32_t>(size > done ? size - done : 0); }

void load_linear(const isa::cube::DramToL1 &op, std::byte *l1, const std::byte *dram) {
  if (op.source_pitch == op.row_bytes && op.destination_pitch == op.row_bytes) {
    std::memcpy(l1, dram, std::size_t{op.rows} * op.row_bytes);
    return;
  }
  for (std::size_t row = 0; row < op.rows; ++row) std::memcpy(l1 + row * op.destination_pitch, dram + row * op.source_pitch, op.row_bytes);
}

/// Copies `kPieces` complete fractals that lie side by side, so that the rows of the matrix are read in whole cache lines.
template <std::uint32_t kPieces>
void gather_fractals(std::byte *to, std::size_t to_pitch, const std::byte *from, std::size_t from_pitch) {
  for (std::uint32_t row = 0; row < kFractalRows; ++row, from += from_pitch, to += kFractalRowBytes) {
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      std::memcpy(to + piece * to_pitch, from + piece * kFractalRowBytes, kFractalRowBytes);
    }
  }
}

void load_fractals(const isa::cube::DramToL1 &op, std::byte *l1, const std::byte *dram) {
  constexpr std::uint32_t kPieces = 4;
  const std::size_t pitch = std::size_t{op.destination_pitch} * kFractalBytes;
  const std::uint32_t pieces = isa::cube::fractals(op.row_bytes, kFractalRowBytes);
  for (std::uint32_t first = 0; first < op.rows; first += kFractalRows) {
    const std::uint32_t rows = std::min(op.rows - first, kFractalRows);
    const std::byte *from = dram + std::uint64_t{first} * op.source_pitch;
    std::byte *to = l1 + std::size_t{first} * kFractalRowBytes;
    std::uint32_t piece = 0;
    for (; rows == kFractalRows && (piece + kPieces) * kFractalRowBytes <= op.row_bytes; piece += kPieces) {
      gather_fractals<kPieces>(to + piece * pitch, pitch, from + std::size_t{piece} * kFractalRowBytes, op.source_pitch);
    }
    for (; piece < pieces; ++piece) {
      const std::uint32_t bits = 8 * remaining(op.row_bytes, std::uint64_t{piece} * kFractalRowBytes);
      for (std::size_t row = 0; row < kFractalRows; ++row) {
        const std::byte *at = row < rows ? from + row * std::uint64_t{op.source_pitch} + std::size_t{piece} * kFractalRowBytes : from;
        copy_row(to + piece * pitch + row * kFractalRowBytes, at, row < rows ? bits : 0);
      }
    }
  }
}

/// The destination gets the fractals of the source in L1, which has them column by column, with gaps between the columns. L0A has them row
/// by row. L0B has them column by column without gaps.
void move_fractals(const isa::cube::L1ToL0 &op, const std::byte *l1, std::byte *l0) {
  const std::uint32_t bits = isa::cube::element_bits(op.type);
  const std::uint32_t k_size = op.right ? op.rows : op.columns, other_size = op.right ? op.columns : op.rows;
  const std::size_t k_stride = kFractalBytes * std::size_t{op.right ? op.other_count() : 1};
  const std::size_t other_stride = kFractalBytes * std::size_t{op.right ? 1 : op.k_count()};
  const std::uint32_t whole = other_size / kFractalRows;
  for (std::uint32_t k = 0; k < op.k_count(); ++k) {
    const std::uint32_t k_bits = remaining(std::uint64_t{k_size} * bits, std::uint64_t{k} * kFractalRowBytes * 8);
    const std::byte *from = l1 + std::size_t{k} * op.source_pitch * kFractalBytes;
    std::byte *to = l0 + k * k_stride;
    std::uint32_t other = 0;
    if (op.right && k_bits >= kFractalRowBytes * 8) {
      std::memcpy(to, from, std::size_t{whole} * kFractalBytes);
      other = whole;
    }
    for (; other < op.other_count(); ++other) {
      // If no column of the matrix is left, the fractal is only cleared. Its address is not computed, because it may be beyond L1.
      const std::byte *fractal = k_bits == 0 ? l1 : from + std::size_t{other} * kFractalBytes;
      copy_fractal(to + other * other_stride, fractal, other_size - other * kFractalRows, k_bits);
    }
  }
}

/// Transposes block by block. A block fits into the vector registers.
template <typename Block>
void move_transposed(const isa::cube::L1ToL0 &op, const std::byte *l1, std::byte *l0) {
  constexpr std::uint32_t kSide = Block::kSide;  // the height and width of a fractal are multiples of kSide
  constexpr std::uint32_t kWidth = kFractalRowBytes * 8 / Block::kBits;
  const std::uint32_t k_size = op.right ? op.rows : op.columns, other_size = op.right ? op.columns : op.rows;
  const std::size_t k_stride = op.right ? op.other_count() : 1, other_stride = op.right ? 1 : op.k_count();
  const auto place = [](std::uint32_t row, std::uint32_t column) {  // offset in bytes within a fractal
    return std::size_t{row % kFractalRows} * kFractalRowBytes + column % kWidth * Block::kBits / 8;
  };
  for (std::uint32_t k = 0; k < op.k_count() * kWidth; k += kSide) {
    for (std::uint32_t other = 0; other < op.other_count() * kFractalRows; other += kSide) {
      std::byte *to = l0 + (k / kWidth * k_stride + other / kFractalRows * other_stride) * kFractalBytes + place(other, k);
      const std::uint32_t rows = std::min(remaining(k_size, k), kSide), columns = std::min(remaining(other_size, other), kSide);
      const std::size_t fractal = std::size_t{other / kWidth} * op.source_pitch + k / kFractalRows;
      Block::transpose(rows == 0 || columns == 0 ? l1 : l1 + fractal * kFractalBytes + place(k, other), to, rows, columns);
    }
  }
}

}  // namespace

void load(const isa::cube::DramToL1 &op, Buffers &buffers, const std::byte *dram) {
  std::byte *l1 = buffers.l1.data() + op.destination;
  op.format == isa::cube::Format::linear ? load_linear(op, l1, dram) : load_fractals(op, l1, dram);
}

void move(const isa::cube::L1ToL0 &op, Buffers &buffers) {
  const std::byte *l1 = buffers.l1.data() + op.source;
  std::byte *l0 = (op.right ? buffers.l0b.data() : buffers.l0a.data()) + op.destination;
  if (!op.transpose) return move_fractals(op, l1, l0);
  switch (isa::cube::element_bits(op.type)) {
    case 4: return move_transposed<NibbleBlock>(op, l1, l0);
    case 8: return move_transposed<Block<std::uint8_t>>(op, l1, l0);
    case 16: return move_transposed<Block<std::uint16_t>>(op, l1, l0);
    default: return move_transposed<Block<std::uint32_t>>(op, l1, l0);
  }
}

void move(const isa::cube::L1ToBt &op, Buffers &buffers) {
  std::memcpy(buffers.bias_table.data() + op.destination, buffers.l1.data() + op.source, op.bytes);
}

}  // namespace cox::model::cube::fast
