// SPDX-License-Identifier: MIT
// Products of FP32 matrices, for one instruction set (kernels_loops.h has the rules). Registers hold a part of the result, so that each
// element is summed in the order of k.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "sim/model/unity/arithmetic/real_kernels.h"

namespace cox::model::unity {
namespace {

#if defined(__AVX512F__)
struct Lanes {
  using Vector = __m512;
  static constexpr std::size_t kCount = 16, kRows = 12, kVectors = 2;
  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector load(const Float *from) { return _mm512_loadu_ps(from); }
  static Vector all(float x) { return _mm512_set1_ps(x); }
  static Vector fma(Vector a, Vector b, Vector sum) { return _mm512_fmadd_ps(a, b, sum); }
  static Vector canonical(Vector x) { return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), all(__builtin_nanf("")), x); }
  static void store(Float *to, Vector x) { _mm512_storeu_ps(to, x); }
};
#elif defined(__AVX2__)
struct Lanes {
  using Vector = __m256;
  static constexpr std::size_t kCount = 8, kRows = 6, kVectors = 2;
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector load(const Float *from) { return _mm256_loadu_ps(from); }
  static Vector all(float x) { return _mm256_set1_ps(x); }
  static Vector fma(Vector a, Vector b, Vector sum) { return _mm256_fmadd_ps(a, b, sum); }
  static Vector canonical(Vector x) { return _mm256_blendv_ps(all(__builtin_nanf("")), x, _mm256_cmp_ps(x, x, _CMP_ORD_Q)); }
  static void store(Float *to, Vector x) { _mm256_storeu_ps(to, x); }
};
#else
struct Lanes {
  using Vector = float;
  static constexpr std::size_t kCount = 1, kRows = 4, kVectors = 2;
  static Vector zero() { return 0; }
  static Vector load(const Float *from) { return *from; }
  static Vector all(float x) { return x; }
  static Vector fma(Vector a, Vector b, Vector sum) { return __builtin_fmaf(a, b, sum); }
  static Vector canonical(Vector x) { return x == x ? x : __builtin_nanf(""); }
  static void store(Float *to, Vector x) { *to = x; }
};
#endif
static_assert(kTileRows % Lanes::kRows == 0 && kTileColumns % (Lanes::kCount * Lanes::kVectors) == 0);

/// Rows from `first_row` on and columns from `first_column` on that registers hold.
void multiply_part(const TileProduct &product, std::size_t first_row, std::size_t first_column, Float *result) {
  constexpr std::size_t kRows = Lanes::kRows, kVectors = Lanes::kVectors, kTriples = (kRows + 2) / 3;
  Lanes::Vector sums[kRows][kVectors];
#pragma GCC unroll 12
  for (auto &row : sums) {
#pragma GCC unroll 2
    for (auto &sum : row) sum = Lanes::zero();
  }
  // A pointer for three rows each, because there are not enough registers for all rows.
  const std::size_t step = product.row_step;
  const Float *rows[kTriples];
  for (std::size_t t = 0; t < kTriples; ++t) rows[t] = product.rows + (first_row + 3 * t) * step;
  const Float *columns = product.columns + first_column;
  for (std::size_t k = 0; k < product.length; ++k, columns += kTileColumns) {
    Lanes::Vector b[kVectors];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) b[v] = Lanes::load(columns + v * Lanes::kCount);
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      const Lanes::Vector a = Lanes::all(rows[r / 3][k + r % 3 * step]);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = Lanes::fma(a, b[v], sums[r][v]);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      Lanes::store(result + (first_row + r) * kTileColumns + first_column + v * Lanes::kCount, Lanes::canonical(sums[r][v]));
    }
  }
}

void multiply_reals(const TileProduct &product, Float *result) {
  for (std::size_t column = 0; column < kTileColumns; column += Lanes::kCount * Lanes::kVectors) {
    for (std::size_t row = 0; row < kTileRows; row += Lanes::kRows) multiply_part(product, row, column, result);
  }
}

using Quad [[gnu::vector_size(16)]] = float;

/// Blocks of 4 x 4 elements.
void interleave(const Float *lines, std::size_t line_step, std::size_t length, Float *columns) {
  const std::size_t whole = length / 4 * 4;
  for (std::size_t k = 0; k < whole; k += 4) {
    for (std::size_t c = 0; c < kTileColumns; c += 4) {
      Quad x[4];
#pragma GCC unroll 4
      for (std::size_t i = 0; i < 4; ++i) __builtin_memcpy(&x[i], lines + (c + i) * line_step + k, sizeof(Quad));
      const Quad y0 = __builtin_shufflevector(x[0], x[2], 0, 4, 1, 5), y1 = __builtin_shufflevector(x[0], x[2], 2, 6, 3, 7);
      const Quad y2 = __builtin_shufflevector(x[1], x[3], 0, 4, 1, 5), y3 = __builtin_shufflevector(x[1], x[3], 2, 6, 3, 7);
      const Quad z[4] = {__builtin_shufflevector(y0, y2, 0, 4, 1, 5), __builtin_shufflevector(y0, y2, 2, 6, 3, 7),
                         __builtin_shufflevector(y1, y3, 0, 4, 1, 5), __builtin_shufflevector(y1, y3, 2, 6, 3, 7)};
#pragma GCC unroll 4
      for (std::size_t i = 0; i < 4; ++i) __builtin_memcpy(columns + (k + i) * kTileColumns + c, &z[i], sizeof(Quad));
    }
  }
  for (std::size_t k = whole; k < length; ++k) {
    for (std::size_t c = 0; c < kTileColumns; ++c) columns[k * kTileColumns + c] = lines[c * line_step + k];
  }
}

}  // namespace
}  // namespace cox::model::unity
