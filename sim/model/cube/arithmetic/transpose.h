// SPDX-License-Identifier: MIT
// Transposes square blocks of a matrix in fractals, with vectors of 16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "coxswain/isa/cube/layout.h"

namespace cox::model::cube::fast {

/// A block of 4 x 4, 8 x 8 or 16 x 16 elements. Rows are kFractalRowBytes apart in the source and in the destination.
template <typename Element>
struct Block {
  static constexpr std::uint32_t kBits = 8 * sizeof(Element);
  static constexpr std::uint32_t kSide = 16 / sizeof(Element);
  using Vector [[gnu::vector_size(16)]] = Element;

  /// Transposes `rows` rows and `columns` columns of `from`, and fills the rest of the block with zeros.
  static void transpose(const std::byte *from, std::byte *to, std::uint32_t rows, std::uint32_t columns) {
    Vector x[kSide];
    if (rows == kSide && columns == kSide) {
      for (std::size_t i = 0; i < kSide; ++i) std::memcpy(&x[i], from + i * isa::cube::kFractalRowBytes, sizeof(Vector));
    } else {
      std::memset(x, 0, sizeof x);
      for (std::size_t i = 0; i < rows; ++i) std::memcpy(&x[i], from + i * isa::cube::kFractalRowBytes, columns * sizeof(Element));
    }
    interleave_all(x);
    for (std::size_t i = 0; i < kSide; ++i) std::memcpy(to + i * isa::cube::kFractalRowBytes, &x[i], sizeof(Vector));
  }

  /// Transposes by interleaving. The position of an element is a number: its row in the upper bits, its column in the lower bits.
  /// Interleaving the rows of the two halves of the block rotates this number by one bit, so that the highest bit becomes the lowest. After
  /// one rotation for each bit of the row, row and column are exchanged.
  static void interleave_all(Vector *x) {
#pragma GCC unroll 4
    for (std::uint32_t done = 1; done < kSide; done *= 2) {
      Vector y[kSide];
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kSide / 2; ++i) {
        y[2 * i] = interleave_low(x[i], x[i + kSide / 2]);
        y[2 * i + 1] = interleave_high(x[i], x[i + kSide / 2]);
      }
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kSide; ++i) x[i] = y[i];
    }
  }

  /// Takes elements from a and b in turn, beginning with element `kFirst` of each.
  template <std::size_t kFirst, std::size_t... kPlaces>
  static Vector interleave(Vector a, Vector b, std::index_sequence<kPlaces...> /*places*/) {
    return __builtin_shufflevector(a, b, (kFirst + kPlaces / 2 + kPlaces % 2 * kSide)...);
  }
  static Vector interleave_low(Vector a, Vector b) { return interleave<0>(a, b, std::make_index_sequence<kSide>()); }
  static Vector interleave_high(Vector a, Vector b) { return interleave<kSide / 2>(a, b, std::make_index_sequence<kSide>()); }
};

/// A block of 16 x 16 elements of 4 bits, which are converted to bytes for the transposition.
struct NibbleBlock {
  static constexpr std::uint32_t kBits = 4;
  static constexpr std::uint32_t kSide = 16;

  static void transpose(const std::byte *from, std::byte *to, std::uint32_t rows, std::uint32_t columns) {
    using Bytes = Block<std::uint8_t>;
    Bytes::Vector x[kSide] = {};
    if (rows == kSide && columns == kSide) {
      for (std::size_t i = 0; i < kSide; ++i) {
        std::memcpy(&x[i], from + i * isa::cube::kFractalRowBytes, kSide / 2);
        x[i] = Bytes::interleave_low(x[i] & 0x0F, x[i] >> 4);
      }
    } else {
      for (std::size_t i = 0; i < rows; ++i) {
        std::uint8_t elements[kSide] = {};
        for (std::uint32_t column = 0; column < columns; ++column) {
          const std::byte pair = from[i * isa::cube::kFractalRowBytes + column / 2];
          elements[column] = std::to_integer<std::uint8_t>(column % 2 == 0 ? pair & std::byte{0x0F} : pair >> 4);
        }
        std::memcpy(&x[i], elements, sizeof elements);
      }
    }
    Bytes::interleave_all(x);
    for (std::size_t i = 0; i < kSide; ++i) {
      using Pairs [[gnu::vector_size(16)]] = std::uint16_t;
      Pairs pairs;
      std::memcpy(&pairs, &x[i], sizeof pairs);
      const auto bytes = __builtin_convertvector((pairs & 0x0F) | (pairs >> 4), Half);
      std::memcpy(to + i * isa::cube::kFractalRowBytes, &bytes, sizeof bytes);
    }
  }

 private:
  using Half [[gnu::vector_size(8)]] = std::uint8_t;
};

}  // namespace cox::model::cube::fast
