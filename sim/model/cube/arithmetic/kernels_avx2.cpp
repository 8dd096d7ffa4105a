// SPDX-License-Identifier: MIT
// AVX2 with FMA and F16C. 16 numbers fill two vectors. Integers are multiplied in pairs of 16-bit numbers, which are INT8 or INT4 elements
// with their signs extended. So the sum of the two products of a pair is at most 2 * 128 * 128 and fits in INT32.
#include <immintrin.h>

#include "sim/model/cube/arithmetic/kernels_numbers.h"
#include "sim/model/cube/arithmetic/kernels_output.h"

namespace cox::model::cube {
namespace {

struct Real {
  struct Vector {
    __m256 low, high;
  };
  static Vector load(const void *from) {
    const auto *numbers = static_cast<const float *>(from);
    return {_mm256_loadu_ps(numbers), _mm256_loadu_ps(numbers + 8)};
  }
  static Vector begin(const void *from, const std::uint32_t * /*correction*/) { return load(from); }
  static Vector broadcast(const std::uint32_t *word) {
    const __m256 number = _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(*word)));
    return {number, number};
  }
  static Vector multiply_add(Vector a, Vector b, Vector sum) {
    return {_mm256_fmadd_ps(a.low, b.low, sum.low), _mm256_fmadd_ps(a.high, b.high, sum.high)};
  }
  static void store(void *to, Vector sum) {
    auto *numbers = static_cast<float *>(to);
    _mm256_storeu_ps(numbers, canonical(sum.low));
    _mm256_storeu_ps(numbers + 8, canonical(sum.high));
  }
  /// Converts 16 FP16 numbers to FP32.
  static void widen(const void *halves, void *out) {
    const auto *from = static_cast<const __m128i *>(halves);
    auto *numbers = static_cast<float *>(out);
    _mm256_storeu_ps(numbers, _mm256_cvtph_ps(_mm_loadu_si128(from)));
    _mm256_storeu_ps(numbers + 8, _mm256_cvtph_ps(_mm_loadu_si128(from + 1)));
  }
  /// Converts 16 pairs of FP16 numbers. Writes first the 16 lower numbers of the pairs, then the 16 upper ones.
  static void widen_pairs(const void *pairs, void *out) {
    const auto *from = static_cast<const __m256i *>(pairs);
    const __m256i a = _mm256_loadu_si256(from), b = _mm256_loadu_si256(from + 1), low = _mm256_set1_epi32(0xFFFF);
    auto *numbers = static_cast<float *>(out);
    widen(_mm256_packus_epi32(_mm256_and_si256(a, low), _mm256_and_si256(b, low)), numbers);
    widen(_mm256_packus_epi32(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16)), numbers + 16);
  }
  /// Converts 16 FP32 numbers to FP16. Every NaN among them must be kFloatNan.
  static void narrow(const void *words, void *halves) {
    const auto *numbers = static_cast<const float *>(words);
    auto *to = static_cast<__m128i *>(halves);
    _mm_storeu_si128(to, _mm256_cvtps_ph(_mm256_loadu_ps(numbers), _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128(to + 1, _mm256_cvtps_ph(_mm256_loadu_ps(numbers + 8), _MM_FROUND_TO_NEAREST_INT));
  }

 private:
  /// Converts 16 FP16 numbers, which _mm256_packus_epi32() has left in the wrong order: quarters 0, 2, 1, 3.
  static void widen(__m256i packed, float *numbers) {
    const __m256i halves = _mm256_permute4x64_epi64(packed, 0xD8);
    _mm256_storeu_ps(numbers, _mm256_cvtph_ps(_mm256_castsi256_si128(halves)));
    _mm256_storeu_ps(numbers + 8, _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1)));
  }
  static __m256 canonical(__m256 sum) {
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(kFloatNan));
    return _mm256_blendv_ps(sum, nan, _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q));
  }
};

struct Whole {
  struct Vector {
    __m256i low, high;
  };
  static Vector load(const void *from) {
    const auto *vectors = static_cast<const __m256i *>(from);
    return {_mm256_loadu_si256(vectors), _mm256_loadu_si256(vectors + 1)};
  }
  static Vector begin(const void *from, const std::uint32_t * /*correction*/) { return load(from); }
  static Vector broadcast(const std::uint32_t *word) {
    const __m256i pair = _mm256_set1_epi32(static_cast<int>(*word));
    return {pair, pair};
  }
  static Vector multiply_add(Vector a, Vector b, Vector sum) {
    return {_mm256_add_epi32(_mm256_madd_epi16(a.low, b.low), sum.low), _mm256_add_epi32(_mm256_madd_epi16(a.high, b.high), sum.high)};
  }
  static void store(void *to, Vector sum) {
    auto *vectors = static_cast<__m256i *>(to);
    _mm256_storeu_si256(vectors, sum.low);
    _mm256_storeu_si256(vectors + 1, sum.high);
  }
};

struct Set {
  static constexpr std::uint32_t kRows = 4, kGroups = 1;
  using Bfloat16 = cube::Bfloat16<Real>;
  using Half = cube::Half<Real>;
  using Float = cube::Float<Real>;
  using Int8 = Int8Pairs<Whole>;
  using Int4 = Int4Pairs<Whole>;

  /// Transposes 16 columns of 8 words to 8 rows of 16 words.
  static void transpose(const std::byte *fractal, std::uint32_t *out) {
    for (std::size_t half = 0; half < 2; ++half) {
      const auto *columns = reinterpret_cast<const __m256i *>(fractal) + half * 8;
      __m256i pairs[8], fours[8];
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        const __m256i a = _mm256_loadu_si256(columns + 2 * i), b = _mm256_loadu_si256(columns + 2 * i + 1);
        pairs[2 * i] = _mm256_unpacklo_epi32(a, b);
        pairs[2 * i + 1] = _mm256_unpackhi_epi32(a, b);
      }
#pragma GCC unroll 2
      for (int i = 0; i < 2; ++i) {
        fours[4 * i] = _mm256_unpacklo_epi64(pairs[4 * i], pairs[4 * i + 2]);
        fours[4 * i + 1] = _mm256_unpackhi_epi64(pairs[4 * i], pairs[4 * i + 2]);
        fours[4 * i + 2] = _mm256_unpacklo_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
        fours[4 * i + 3] = _mm256_unpackhi_epi64(pairs[4 * i + 1], pairs[4 * i + 3]);
      }
      auto *to = reinterpret_cast<__m256i *>(out) + half;
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        _mm256_storeu_si256(to + i * 2, _mm256_permute2x128_si256(fours[i], fours[4 + i], 0x20));
        _mm256_storeu_si256(to + (4 + i) * 2, _mm256_permute2x128_si256(fours[i], fours[4 + i], 0x31));
      }
    }
  }
};

}  // namespace

const Kernels kAvx2Kernels{"avx2_fma", multiply<Set>, finish<Real>};

}  // namespace cox::model::cube
