// SPDX-License-Identifier: MIT
// For each element type, a class template that unpacks a fractal into step words, the operands of the loops in kernels_multiply.h. The
// template's parameter is the class that multiplies and adds step words: `Real` for floating-point types, `Whole` for integers.
#pragma once

#include "sim/model/cube/arithmetic/kernels_multiply.h"

namespace cox::model::cube {
namespace {

/// Unpacks each word of a fractal into kPieces words. Type::piece_of_left() and Type::piece_of_right() return one of these words.
template <typename Type>
struct ByPieces {
  static void unpack_left(const std::byte *fractal, std::uint32_t *__restrict out) {
    std::uint32_t words[kFractalWords];
    __builtin_memcpy(words, fractal, sizeof words);
    for (std::size_t i = 0; i < kFractalWords; ++i) {
#pragma GCC unroll 4
      for (std::uint32_t p = 0; p < Type::kPieces; ++p) out[i * Type::kPieces + p] = Type::piece_of_left(words[i], p);
    }
  }
  static void unpack_right(const std::uint32_t *__restrict transposed, std::uint32_t *__restrict out) {
    for (std::size_t word = 0; word < kWords; ++word) {
#pragma GCC unroll 4
      for (std::uint32_t p = 0; p < Type::kPieces; ++p) {
        for (std::size_t i = 0; i < kSide; ++i) {
          out[(word * Type::kPieces + p) * kSide + i] = Type::piece_of_right(transposed[word * kSide + i], p);
        }
      }
    }
  }
};

template <typename Real>
struct Bfloat16 : ByPieces<Bfloat16<Real>> {
  using Number = Real;
  static constexpr auto kType = isa::cube::Type::bfloat16;
  static constexpr std::uint32_t kPieces = 2;
  static constexpr bool kInteger = false, kUnpackLeft = true;
  static std::uint32_t piece_of_left(std::uint32_t word, std::uint32_t piece) { return piece == 0 ? word << 16 : word & 0xFFFF0000U; }
  static std::uint32_t piece_of_right(std::uint32_t word, std::uint32_t piece) { return piece_of_left(word, piece); }
};

template <typename Real>
struct Half {
  using Number = Real;
  static constexpr auto kType = isa::cube::Type::half;
  static constexpr std::uint32_t kPieces = 2;
  static constexpr bool kInteger = false, kUnpackLeft = true;
  static void unpack_left(const std::byte *fractal, std::uint32_t *out) {
    for (std::size_t row = 0; row < kSide; ++row) Real::widen(fractal + row * isa::cube::kFractalRowBytes, out + row * kSide);
  }
  static void unpack_right(const std::uint32_t *transposed, std::uint32_t *out) {
    for (std::size_t word = 0; word < kWords; ++word) Real::widen_pairs(transposed + word * kSide, out + 2 * word * kSide);
  }
};

template <typename Real>
struct Float : ByPieces<Float<Real>> {
  using Number = Real;
  static constexpr auto kType = isa::cube::Type::float32;
  static constexpr std::uint32_t kPieces = 1;
  static constexpr bool kInteger = false, kUnpackLeft = false;
  static std::uint32_t piece_of_right(std::uint32_t word, std::uint32_t /*piece*/) { return word; }
};

/// Sign-extends each field of the word `fields` to `width` bits. Bit `sign_bit` of a field is its sign. `signs` is the mask of all signs.
/// Bits outside of the fields are 0.
constexpr std::uint32_t extend(std::uint32_t fields, std::uint32_t signs, std::uint32_t sign_bit, std::uint32_t width) {
  const std::uint32_t negative = fields & signs;
  return fields | ((negative << (width - sign_bit)) - (negative << 1));
}

/// Integers, unpacked to four bytes in each 32-bit word. kOffset is added to every byte of a to make it unsigned. To undo this in the
/// products, correct() computes what to add to each column of c: minus kOffset times the sum of that column of b.
template <typename Whole, typename Type, std::uint32_t kOffset>
struct Bytes : ByPieces<Type> {
  using Number = Whole;
  static constexpr bool kInteger = true, kUnpackLeft = true;
  static void correct(const std::uint32_t *right, std::uint32_t steps, std::uint32_t *correction) {
    const std::uint32_t offsets = kOffset * 0x01010101U;
    alignas(64) std::uint32_t zeros[kSide] = {};
    auto sums = Whole::load(zeros);
    for (std::size_t s = 0; s < steps; ++s) sums = Whole::multiply_add(Whole::broadcast(&offsets), Whole::load(right + s * kSide), sums);
    Whole::store(correction, sums);
    for (std::size_t i = 0; i < kSide; ++i) correction[i] = 0 - correction[i];
  }
};
template <typename Whole>
struct Int8Bytes : Bytes<Whole, Int8Bytes<Whole>, 128> {
  static constexpr auto kType = isa::cube::Type::int8;
  static constexpr std::uint32_t kPieces = 1;
  static std::uint32_t piece_of_left(std::uint32_t word, std::uint32_t /*piece*/) { return word ^ 0x80808080U; }
  static std::uint32_t piece_of_right(std::uint32_t word, std::uint32_t /*piece*/) { return word; }
};
template <typename Whole>
struct Int4Bytes : Bytes<Whole, Int4Bytes<Whole>, 8> {
  static constexpr auto kType = isa::cube::Type::int4;
  static constexpr std::uint32_t kPieces = 2;
  static std::uint32_t piece_of_left(std::uint32_t word, std::uint32_t piece) { return (word >> (4 * piece) & 0x0F0F0F0FU) ^ 0x08080808U; }
  static std::uint32_t piece_of_right(std::uint32_t word, std::uint32_t piece) {
    return extend(word >> (4 * piece) & 0x0F0F0F0FU, 0x08080808U, 3, 8);
  }
};

/// Integers, unpacked to two 16-bit numbers in each 32-bit word.
template <typename Whole, typename Type>
struct Pairs : ByPieces<Type> {
  using Number = Whole;
  static constexpr bool kInteger = true, kUnpackLeft = true;
  static void correct(const std::uint32_t * /*right*/, std::uint32_t /*steps*/, std::uint32_t * /*correction*/) {}
  static std::uint32_t piece_of_left(std::uint32_t word, std::uint32_t piece) { return Type::piece_of_right(word, piece); }
};
template <typename Whole>
struct Int8Pairs : Pairs<Whole, Int8Pairs<Whole>> {
  static constexpr auto kType = isa::cube::Type::int8;
  static constexpr std::uint32_t kPieces = 2;
  static std::uint32_t piece_of_right(std::uint32_t word, std::uint32_t piece) {
    return extend(word >> (8 * piece) & 0x00FF00FFU, 0x00800080U, 7, 16);
  }
};
template <typename Whole>
struct Int4Pairs : Pairs<Whole, Int4Pairs<Whole>> {
  static constexpr auto kType = isa::cube::Type::int4;
  static constexpr std::uint32_t kPieces = 4;
  static std::uint32_t piece_of_right(std::uint32_t word, std::uint32_t piece) {
    return extend(word >> (4 * piece) & 0x000F000FU, 0x00080008U, 3, 16);
  }
};

}  // namespace
}  // namespace cox::model::cube
