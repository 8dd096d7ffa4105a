// SPDX-License-Identifier: MIT
// The layouts of matrices in the buffers (docs/isa/cube.md, Layouts). A fractal has 512 bytes, or 1,024 in L0C.
#pragma once

#include <cstdint>

namespace cox::isa::cube {

/// The type of a MAD's operands. Accumulators are FP32 for the first three types and INT32 for the last two.
enum class Type : std::uint8_t { bfloat16 = 0, half = 1, float32 = 2, int8 = 3, int4 = 4 };

constexpr std::uint32_t element_bits(Type type) {
  switch (type) {
    case Type::float32: return 32;
    case Type::int8: return 8;
    case Type::int4: return 4;
    default: return 16;
  }
}
constexpr bool is_integer(Type type) { return type == Type::int8 || type == Type::int4; }

inline constexpr std::uint32_t kFractalRows = 16;
inline constexpr std::uint32_t kFractalRowBytes = 32;
inline constexpr std::uint32_t kFractalBytes = kFractalRows * kFractalRowBytes;
inline constexpr std::uint32_t kAccumulatorBytes = 4;
inline constexpr std::uint32_t kAccumulatorFractalBytes = kFractalRows * kFractalRows * kAccumulatorBytes;

// Sizes of the unit's buffers in bytes. The device reports them (GEOMETRY4 to GEOMETRY6).
inline constexpr std::uint32_t kL1Bytes = 1U << 20;
inline constexpr std::uint32_t kL0ABytes = 64U << 10;
inline constexpr std::uint32_t kL0BBytes = 64U << 10;
inline constexpr std::uint32_t kL0CBytes = 256U << 10;
inline constexpr std::uint32_t kBiasTableBytes = 1024;
inline constexpr std::uint32_t kBiasAlignment = 64;
inline constexpr std::uint32_t kChannelBytes = 4;  ///< bytes of one scale factor or bias in L1
inline constexpr unsigned kAddressBits = 48;       ///< width of a DRAM address

/// The number of elements, 8 to 64, in a fractal's row of 32 bytes.
constexpr std::uint32_t fractal_width(Type type) { return kFractalRowBytes * 8 / element_bits(type); }
/// Bytes of a row of elements; the result must be below 2^32. An odd number of int4 leaves half of the last byte unused.
constexpr std::uint32_t packed_bytes(std::uint32_t elements, Type type) {
  return elements / 8 * element_bits(type) + (elements % 8 * element_bits(type) + 7) / 8;
}
constexpr std::uint32_t fractals(std::uint32_t elements, std::uint32_t side) { return (elements + side - 1) / side; }
/// Number of fractals that hold k elements. `k_align`, which only FP32 has, makes the number even.
constexpr std::uint32_t k_fractals(std::uint32_t k, Type type, bool k_align) {
  return k_align && type == Type::float32 ? 2 * fractals(k, 16) : fractals(k, fractal_width(type));
}

// Each of the next functions returns the position of an element, in bits (in L0C: bytes) from the start of the matrix.

/// L0A, m x k: the fractals lie row by row, `k_fractal_count` in a row. Each has 16 rows of 32 bytes.
constexpr std::uint64_t l0a_bit(std::uint32_t row, std::uint32_t k, Type type, std::uint32_t k_fractal_count) {
  const std::uint32_t width = fractal_width(type);
  const std::uint64_t fractal = std::uint64_t{row / kFractalRows} * k_fractal_count + k / width;
  return fractal * kFractalBytes * 8 + (std::uint64_t{row % kFractalRows} * width + k % width) * element_bits(type);
}
/// L0B, k x n: the fractals lie row by row, `n_fractal_count` = ceil(n / 16) in a row. Each has 16 columns of 32 bytes.
constexpr std::uint64_t l0b_bit(std::uint32_t k, std::uint32_t column, Type type, std::uint32_t n_fractal_count) {
  const std::uint32_t width = fractal_width(type);
  const std::uint64_t fractal = std::uint64_t{k / width} * n_fractal_count + column / kFractalRows;
  return fractal * kFractalBytes * 8 + (std::uint64_t{column % kFractalRows} * width + k % width) * element_bits(type);
}
/// L0C, m x n: the fractals lie column by column, `m_fractal_count` in a column. Each has 16 rows of 16 accumulators.
constexpr std::uint64_t l0c_byte(std::uint32_t row, std::uint32_t column, std::uint32_t m_fractal_count) {
  const std::uint64_t fractal = std::uint64_t{column / kFractalRows} * m_fractal_count + row / kFractalRows;
  return fractal * kAccumulatorFractalBytes +
         std::uint64_t{(row % kFractalRows) * kFractalRows + column % kFractalRows} * kAccumulatorBytes;
}
/// Returns an element's position in L1, in bits. The fractals of L1 have rows of 32 bytes and lie column by column, `pitch` in each column.
constexpr std::uint64_t l1_bit(std::uint32_t row, std::uint32_t column, std::uint32_t bits, std::uint32_t pitch) {
  const std::uint32_t width = kFractalRowBytes * 8 / bits;
  const std::uint64_t fractal = std::uint64_t{column / width} * pitch + row / kFractalRows;
  return fractal * kFractalBytes * 8 + (std::uint64_t{row % kFractalRows} * width + column % width) * bits;
}

}  // namespace cox::isa::cube
