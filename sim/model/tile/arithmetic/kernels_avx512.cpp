// SPDX-License-Identifier: MIT
// AVX-512 with VNNI. Its byte products take one unsigned factor. Flipping the sign bit of the source adds 128 and makes it unsigned. To
// compensate, the sums begin at -128 times the sum of the weights. Sums wrap modulo 2^32, as the accumulator does.
#include "sim/model/tile/arithmetic/convolution_kernels_common.h"
#include "sim/model/tile/arithmetic/kernels_common.h"

namespace cox::model::arithmetic {
namespace {

constexpr std::uint32_t kPixels = 6;
constexpr std::uint32_t kBlocks = 4;  // kPixels * kBlocks sums, 4 lines of weights, a source and the sign bits use 30 of 32 registers

void start(const std::int8_t *block, std::int64_t lines, std::int32_t *starts) {
  __m512i sums = _mm512_setzero_si512();
  const __m512i offset = _mm512_set1_epi8(-128);  // +128 as an unsigned byte
  for (std::int64_t i = 0; i < lines; ++i) sums = _mm512_dpbusd_epi32(sums, offset, _mm512_loadu_si512(block + i * kLineBytes));
  _mm512_storeu_si512(starts, _mm512_sub_epi32(_mm512_setzero_si512(), sums));
}

template <std::uint32_t kPixelCount, std::uint32_t kBlockCount>
void accumulate_tile(const Accumulation &a) {
  __m512i sums[kPixelCount][kBlockCount];
#pragma GCC unroll 8
  for (std::uint32_t p = 0; p < kPixelCount; ++p) {
#pragma GCC unroll 8
    for (std::uint32_t b = 0; b < kBlockCount; ++b) sums[p][b] = _mm512_loadu_si512(a.start + std::size_t{b} * kLineKernels);
  }
  const __m512i sign = _mm512_set1_epi8(-128);
  const std::int8_t *line = a.weights;
  for (std::uint32_t t = 0; t < a.tap_count; ++t) {
    const std::uint8_t *x[kPixelCount];
#pragma GCC unroll 8
    for (std::uint32_t p = 0; p < kPixelCount; ++p) x[p] = a.pixels[p] + a.taps[t];
    for (std::int64_t byte = 0; byte < std::int64_t{a.groups} * kLineChannels; byte += kLineChannels) {
      __m512i weights[kBlockCount];
#pragma GCC unroll 8
      for (std::uint32_t b = 0; b < kBlockCount; ++b) weights[b] = _mm512_loadu_si512(line + b * a.block_bytes);
#pragma GCC unroll 8
      for (std::uint32_t p = 0; p < kPixelCount; ++p) {
        const __m512i source = _mm512_xor_si512(_mm512_set1_epi32(load_group(x[p] + byte)), sign);
#pragma GCC unroll 8
        for (std::uint32_t b = 0; b < kBlockCount; ++b) sums[p][b] = _mm512_dpbusd_epi32(sums[p][b], source, weights[b]);
      }
      line += kLineBytes;
    }
  }
#pragma GCC unroll 8
  for (std::uint32_t p = 0; p < kPixelCount; ++p) {
#pragma GCC unroll 8
    for (std::uint32_t b = 0; b < kBlockCount; ++b)
      _mm512_storeu_si512(a.accumulators + (std::size_t{p} * kBlockCount + b) * kLineKernels, sums[p][b]);
  }
}

template <std::uint32_t kBlockCount>
void accumulate_blocks(const Accumulation &a) {
  switch (a.pixel_count) {
    case 1: return accumulate_tile<1, kBlockCount>(a);
    case 2: return accumulate_tile<2, kBlockCount>(a);
    case 3: return accumulate_tile<3, kBlockCount>(a);
    case 4: return accumulate_tile<4, kBlockCount>(a);
    case 5: return accumulate_tile<5, kBlockCount>(a);
    default: return accumulate_tile<kPixels, kBlockCount>(a);
  }
}

void accumulate(const Accumulation &a) {
  switch (a.blocks) {
    case 1: return accumulate_blocks<1>(a);
    case 2: return accumulate_blocks<2>(a);
    case 3: return accumulate_blocks<3>(a);
    default: return accumulate_blocks<kBlocks>(a);
  }
}

}  // namespace

const Kernels kAvx512Kernels{"avx512_vnni", kPixels, kBlocks, start, accumulate, kConvolutionKernels};

}  // namespace cox::model::arithmetic
