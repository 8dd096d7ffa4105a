// SPDX-License-Identifier: MIT
// Products of matrices, c = a * b + start, for one instruction set. Each instruction set has one source file that includes this; the
// functions have internal linkage there and use nothing of the standard library. Otherwise the linker could give all callers the same copy
// of a function, perhaps the one that was built with AVX-512.
//
// Both matrices are unpacked into steps. A step adds one product of two 32-bit step words to each element of c. One step word comes from
// the element's row of a, the other from its column of b. For floating-point types, a step word is one FP32 number. For integers, it holds
// as many numbers as the instruction set multiplies at once. A 32-bit word of a fractal is unpacked into kPieces step words for consecutive
// steps. A fractal's row of 8 words therefore becomes 8 * kPieces steps.
//
// `Set` describes the instruction set. Its registers hold kRows rows of c, each as wide as kGroups fractals. It also has the functions
// called below as Set::name().
#pragma once

#include "sim/model/cube/arithmetic/kernels.h"

namespace cox::model::cube {
namespace {

constexpr std::uint32_t kSide = isa::cube::kFractalRows;
constexpr std::uint32_t kWords = isa::cube::kFractalRowBytes / 4;  // words in a row of a fractal
constexpr std::size_t kFractalWords = isa::cube::kFractalBytes / 4;

/// The part of c that registers hold: a few rows and a few groups of 16 columns. A step word has 32 bits: one FP32
/// number, or the integers that a step multiplies at once.
struct Tile {
  const std::uint32_t *left = nullptr;        ///< step words of a, from the tile's first row on: [fractal][16 rows][step in the fractal]
  const std::uint32_t *right = nullptr;       ///< step words of b: [group][step][16 columns]
  std::uint32_t steps = 0, right_steps = 0;   ///< number of steps, and distance in steps from one group to the next
  const std::uint32_t *start = nullptr;       ///< initial values of a row: [group][16 columns]; nullptr: the values in c
  const std::uint32_t *correction = nullptr;  ///< numbers to add to integer sums: [group][16 columns]
  std::byte *c = nullptr;
  std::size_t group_bytes = 0;               ///< distance in c from one group to the next
  std::uint32_t rows = 0, last_columns = 0;  ///< rows to store, and columns to store of the last group
};

template <typename Number, std::uint32_t kRows, std::uint32_t kGroups, std::uint32_t kSteps>
void multiply_tile(const Tile &tile) {
  using Vector = typename Number::Vector;
  Vector sums[kRows][kGroups];
#pragma GCC unroll 8
  for (std::uint32_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::uint32_t g = 0; g < kGroups; ++g) {
      const void *from = tile.start != nullptr ? static_cast<const void *>(tile.start + std::size_t{g} * kSide)
                                               : tile.c + g * tile.group_bytes + std::size_t{r} * kSide * sizeof(std::uint32_t);
      sums[r][g] = Number::begin(from, tile.correction + std::size_t{g} * kSide);
    }
  }
  const auto step = [&](const std::uint32_t *left, const std::uint32_t *right) __attribute__((always_inline)) {
    Vector b[kGroups];
#pragma GCC unroll 4
    for (std::uint32_t g = 0; g < kGroups; ++g) b[g] = Number::load(right + std::size_t{g} * tile.right_steps * kSide);
#pragma GCC unroll 8
    for (std::uint32_t r = 0; r < kRows; ++r) {
      const auto a = Number::broadcast(left + std::size_t{r} * kSteps);
#pragma GCC unroll 4
      for (std::uint32_t g = 0; g < kGroups; ++g) sums[r][g] = Number::multiply_add(a, b[g], sums[r][g]);
    }
  };
  const std::uint32_t *left = tile.left;
  const std::uint32_t *right = tile.right;
  std::uint32_t remaining = tile.steps;
  for (; remaining >= kSteps; remaining -= kSteps, left += std::size_t{kSide} * kSteps) {
#pragma GCC unroll 4
    for (std::uint32_t s = 0; s < kSteps; ++s, right += kSide) step(left + s, right);
  }
  for (std::uint32_t s = 0; s < remaining; ++s, right += kSide) step(left + s, right);
#pragma GCC unroll 8
  for (std::uint32_t r = 0; r < kRows; ++r) {
    if (r >= tile.rows) break;
#pragma GCC unroll 4
    for (std::uint32_t g = 0; g < kGroups; ++g) {
      std::byte *to = tile.c + g * tile.group_bytes + std::size_t{r} * kSide * sizeof(std::uint32_t);
      if (g + 1 < kGroups || tile.last_columns == kSide) {
        Number::store(to, sums[r][g]);
      } else {
        alignas(64) std::uint32_t words[kSide];
        Number::store(words, sums[r][g]);
        __builtin_memcpy(to, words, tile.last_columns * sizeof(std::uint32_t));
      }
    }
  }
}

/// Computes all rows of c for a few groups of columns. The columns of b for these groups are already unpacked.
template <typename Set, typename Number, std::uint32_t kGroups, std::uint32_t kSteps>
void multiply_columns(const Multiplication &x, Tile tile, const std::uint32_t *left, std::byte *c) {
  const std::size_t row_of_fractals = std::size_t{x.k_count} * kSide * kSteps;
  for (std::uint32_t row = 0; row < x.m; row += Set::kRows) {
    tile.left = left + row / kSide * row_of_fractals + std::size_t{row % kSide} * kSteps;
    tile.c = c + std::size_t{row} * kSide * sizeof(std::uint32_t);
    tile.rows = x.m - row < Set::kRows ? x.m - row : Set::kRows;
    tile.rows <= 2 ? multiply_tile<Number, 2, kGroups, kSteps>(tile) : multiply_tile<Number, Set::kRows, kGroups, kSteps>(tile);
  }
}

template <typename Set, typename Numbers>
void multiply_as(const Multiplication &x) {
  using Number = typename Numbers::Number;
  constexpr std::uint32_t kSteps = kWords * Numbers::kPieces;
  const std::uint32_t bits = isa::cube::element_bits(Numbers::kType);
  const std::uint32_t blocks = (x.k * bits + kWords * 32 - 1) / (kWords * 32);
  // Floating-point types have one step for each column of a. The last word of a row of integers may hold numbers beyond column k - 1. These
  // have no effect, because they are multiplied by zeros of b.
  const std::uint32_t words = (x.k * bits + 31) / 32;
  const std::uint32_t steps = Numbers::kInteger ? words * Numbers::kPieces : x.k;
  const std::uint32_t last_bits = x.k * bits % 32;

  const auto *left = reinterpret_cast<const std::uint32_t *>(x.left);
  if constexpr (Numbers::kUnpackLeft) {
    auto *unpacked = reinterpret_cast<std::uint32_t *>(x.left_steps);
    for (std::uint32_t row = 0; row < x.m_count; ++row) {
      const std::size_t first = std::size_t{row} * x.k_count;
      for (std::size_t f = first; f < first + blocks; ++f) {
        Numbers::unpack_left(x.left + f * isa::cube::kFractalBytes, unpacked + f * kSide * kSteps);
      }
    }
    left = unpacked;
  }
  auto *right = reinterpret_cast<std::uint32_t *>(x.right_steps);
  std::uint32_t groups = 0;
  for (std::uint32_t group = 0; group < x.n_count; group += groups) {
    groups = x.n_count - group < Set::kGroups ? 1 : Set::kGroups;
    alignas(64) std::uint32_t correction[Set::kGroups * kSide] = {};
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::uint32_t *to = right + std::size_t{g} * blocks * kSteps * kSide;
      for (std::uint32_t block = 0; block < blocks; ++block, to += std::size_t{kSteps} * kSide) {
        alignas(64) std::uint32_t transposed[kFractalWords];
        Set::transpose(x.right + (std::size_t{block} * x.n_count + group + g) * isa::cube::kFractalBytes, transposed);
        if (Numbers::kInteger && last_bits != 0 && block + 1 == blocks) {
          const std::size_t last = std::size_t{(words - 1) % kWords} * kSide;
          for (std::size_t i = last; i < last + kSide; ++i) transposed[i] &= (1U << last_bits) - 1;
        }
        Numbers::unpack_right(transposed, to);
      }
      if constexpr (Numbers::kInteger) {
        Numbers::correct(right + std::size_t{g} * blocks * kSteps * kSide, steps, correction + std::size_t{g} * kSide);
      }
    }
    Tile tile;
    tile.right = right;
    tile.steps = steps;
    tile.right_steps = blocks * kSteps;
    tile.start = x.start == nullptr ? nullptr : reinterpret_cast<const std::uint32_t *>(x.start) + std::size_t{group} * kSide;
    tile.correction = correction;
    tile.group_bytes = std::size_t{x.m_count} * isa::cube::kAccumulatorFractalBytes;
    const std::uint32_t end = (group + groups) * kSide;
    tile.last_columns = end > x.n ? kSide - (end - x.n) : kSide;
    std::byte *c = x.accumulators + group * tile.group_bytes;
    groups == 1 ? multiply_columns<Set, Number, 1, kSteps>(x, tile, left, c)
                : multiply_columns<Set, Number, Set::kGroups, kSteps>(x, tile, left, c);
  }
}

template <typename Set>
void multiply(const Multiplication &x) {
  using isa::cube::Type;
  switch (x.type) {
    case Type::bfloat16: return multiply_as<Set, typename Set::Bfloat16>(x);
    case Type::half: return multiply_as<Set, typename Set::Half>(x);
    case Type::float32: return multiply_as<Set, typename Set::Float>(x);
    case Type::int8: return multiply_as<Set, typename Set::Int8>(x);
    case Type::int4: return multiply_as<Set, typename Set::Int4>(x);
  }
}

}  // namespace
}  // namespace cox::model::cube
