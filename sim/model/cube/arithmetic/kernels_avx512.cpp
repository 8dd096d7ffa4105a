// SPDX-License-Identifier: MIT
// AVX-512 with VNNI. Its dot products of four bytes do not saturate; they wrap as INT32 does.
#include <immintrin.h>

#include "sim/model/cube/arithmetic/kernels_numbers.h"
#include "sim/model/cube/arithmetic/kernels_output.h"

namespace cox::model::cube {
namespace {

struct Real {
  using Vector = __m512;
  static Vector load(const void *from) { return _mm512_loadu_ps(from); }
  static Vector begin(const void *from, const std::uint32_t * /*correction*/) { return load(from); }
  static Vector broadcast(const std::uint32_t *word) { return _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(*word))); }
  static Vector multiply_add(Vector a, Vector b, Vector sum) { return _mm512_fmadd_ps(a, b, sum); }
  static void store(void *to, Vector sum) {
    const __mmask16 nan = _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q);
    _mm512_storeu_ps(to, _mm512_mask_mov_ps(sum, nan, _mm512_castsi512_ps(_mm512_set1_epi32(kFloatNan))));
  }
  /// Converts 16 FP16 numbers to FP32.
  static void widen(const void *halves, void *out) {
    _mm512_storeu_ps(out, _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i *>(halves))));
  }
  /// Converts 16 pairs of FP16 numbers. Writes first the 16 lower numbers of the pairs, then the 16 upper ones.
  static void widen_pairs(const void *pairs, void *out) {
    const __m512i words = _mm512_loadu_si512(pairs);
    auto *numbers = static_cast<float *>(out);
    _mm512_storeu_ps(numbers, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)));
    _mm512_storeu_ps(numbers + 16, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(words, 16))));
  }
  /// Converts 16 FP32 numbers to FP16. Every NaN among them must be kFloatNan.
  static void narrow(const void *words, void *halves) {
    _mm256_storeu_si256(static_cast<__m256i *>(halves), _mm512_cvtps_ph(_mm512_loadu_ps(words), _MM_FROUND_TO_NEAREST_INT));
  }
};

struct Whole {
  using Vector = __m512i;
  static Vector load(const void *from) { return _mm512_loadu_si512(from); }
  static Vector begin(const void *from, const std::uint32_t *correction) { return _mm512_add_epi32(load(from), load(correction)); }
  static Vector broadcast(const std::uint32_t *word) { return _mm512_set1_epi32(static_cast<int>(*word)); }
  static Vector multiply_add(Vector a, Vector b, Vector sum) { return _mm512_dpbusd_epi32(sum, a, b); }
  static void store(void *to, Vector sum) { _mm512_storeu_si512(to, sum); }
};

/// Returns indices for a permutation of two vectors, which hold columns of 2 * run words. The indices select the first `run` words
/// of each column if `half` is 0, and the last `run` words if it is 1.
__m512i indices(int run, int half) {
  alignas(64) std::int32_t index[16];
  for (int i = 0; i < 16; ++i) {
    const int column = i / run;
    index[i] = column * 2 * run + half * run + i % run;
  }
  return _mm512_load_si512(index);
}

struct Set {
  static constexpr std::uint32_t kRows = 8, kGroups = 2;
  using Bfloat16 = cube::Bfloat16<Real>;
  using Half = cube::Half<Real>;
  using Float = cube::Float<Real>;
  using Int8 = Int8Bytes<Whole>;
  using Int4 = Int4Bytes<Whole>;

  /// Transposes 16 columns of 8 words to 8 rows of 16 words, in three steps. Before the first step, a vector holds 8 words of each of 2
  /// columns. Each step doubles the number of columns and halves the number of words, so the last step leaves 1 word of each of 16 columns.
  static void transpose(const std::byte *fractal, std::uint32_t *out) {
    __m512i x[8], y[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) x[i] = _mm512_loadu_si512(fractal + std::ptrdiff_t{i} * 64);
    step<4>(x, y);
    step<2>(y, x);
    step<1>(x, y);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) _mm512_store_si512(out + std::ptrdiff_t{i} * 16, y[i]);
  }

 private:
  /// One step of transpose(). Two adjacent vectors of `x` hold the same 2 * kRun rows of different columns. The step puts the lower kRun
  /// rows of all these columns into one vector of `y`, and the upper kRun rows into another.
  template <int kRun>
  static void step(const __m512i *x, __m512i *y) {
    const __m512i low = indices(kRun, 0), high = indices(kRun, 1);
    constexpr int kParts = 4 / kRun, kVectors = 8 / kParts;  // vectors of the same part of `x` hold the same rows
#pragma GCC unroll 8
    for (int part = 0; part < kParts; ++part) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors / 2; ++v) {
        const __m512i a = x[part * kVectors + 2 * v], b = x[part * kVectors + 2 * v + 1];
        y[part * kVectors + v] = _mm512_permutex2var_epi32(a, low, b);
        y[part * kVectors + kVectors / 2 + v] = _mm512_permutex2var_epi32(a, high, b);
      }
    }
  }
};

}  // namespace

const Kernels kAvx512Kernels{"avx512_vnni", multiply<Set>, finish<Real>};

}  // namespace cox::model::cube
