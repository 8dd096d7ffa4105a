// SPDX-License-Identifier: MIT
// AVX2 without VNNI. Bytes are extended to 16 bits before they are multiplied: the multiply-add of 16-bit numbers is exact, but that of
// bytes saturates at 16 bits.
#include "sim/model/tile/arithmetic/convolution_kernels_common.h"
#include "sim/model/tile/arithmetic/kernels_common.h"

namespace cox::model::arithmetic {
namespace {

constexpr std::uint32_t kPixels = 2;
constexpr std::uint32_t kQuarters = 4;  // A line of weights is for 16 output channels, a quarter of it for 4.

void clear(const std::int8_t *, std::int64_t, std::int32_t *starts) {
  for (std::uint32_t k = 0; k < kLineKernels; ++k) starts[k] = 0;
}

template <std::uint32_t kCount>
void accumulate_pixels(const Accumulation &a) {
  __m256i sums[kCount][kQuarters];  // [pixel][quarter]: a vector has two adjacent partial sums for each of 4 output channels
  for (auto &pixel : sums) {
    for (__m256i &sum : pixel) sum = _mm256_setzero_si256();
  }
  const std::int8_t *line = a.weights;
  for (std::uint32_t t = 0; t < a.tap_count; ++t) {
    const std::uint8_t *x[kCount];
    for (std::uint32_t p = 0; p < kCount; ++p) x[p] = a.pixels[p] + a.taps[t];
    for (std::uint32_t g = 0; g < a.groups; ++g, line += kLineBytes) {
      __m256i source[kCount];
      for (std::uint32_t p = 0; p < kCount; ++p) {
        source[p] = _mm256_cvtepi8_epi16(_mm_set1_epi32(load_group(x[p])));
        x[p] += kLineChannels;
      }
      for (std::uint32_t q = 0; q < kQuarters; ++q) {
        const __m256i weights = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(line) + q));
        for (std::uint32_t p = 0; p < kCount; ++p) sums[p][q] = _mm256_add_epi32(sums[p][q], _mm256_madd_epi16(source[p], weights));
      }
    }
  }
  for (std::uint32_t p = 0; p < kCount; ++p) {
    for (std::uint32_t pair = 0; pair < kQuarters / 2; ++pair) {
      // hadd works within 128-bit halves, so the sums have the order 0 1 4 5 2 3 6 7. The permutation restores the order.
      const __m256i added = _mm256_hadd_epi32(sums[p][2 * pair], sums[p][2 * pair + 1]);
      const __m256i ordered = _mm256_permute4x64_epi64(added, 0xD8);
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(a.start) + pair);
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(a.accumulators + std::size_t{p} * kLineKernels) + pair,
                          _mm256_add_epi32(ordered, start));
    }
  }
}

void accumulate(const Accumulation &a) { a.pixel_count == 1 ? accumulate_pixels<1>(a) : accumulate_pixels<kPixels>(a); }

}  // namespace

const Kernels kAvx2Kernels{"avx2", kPixels, 1, clear, accumulate, kConvolutionKernels};

}  // namespace cox::model::arithmetic
