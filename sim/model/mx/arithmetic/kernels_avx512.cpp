// SPDX-License-Identifier: MIT
// AVX-512 with VNNI. A dot product starts with the bits of the FP32 number 1.5 * 2^23, whose lowest fraction bit has the value 1. The bits
// of the result, read as FP32, are therefore 1.5 * 2^23 plus the sum. One fused multiply-subtract removes the 1.5 * 2^23 and multiplies the
// sum by the weights' scale, exactly. A fused multiply-add then multiplies by the input's scale and adds the product to `sums`. This
// product is exact too, so the result is rounded only once, as in an addition.
#include "sim/model/mx/arithmetic/kernels_common.h"

namespace cox::model::mx {
namespace {

constexpr std::uint32_t kPixels = 6;
constexpr std::uint32_t kGroups = 2;  // groups of 16 output channels; kPixels * kGroups dot products and as many sums fit into registers

constexpr float kUnitsOfOne = 0x1.8p23F;

std::int32_t load_pair(const std::int16_t *elements) {
  std::int32_t pair;
  __builtin_memcpy(&pair, elements, sizeof pair);
  return pair;
}

template <std::uint32_t kPixelCount, std::uint32_t kGroupCount>
void accumulate_tile(const Accumulation &a) {
  __m512 sums[kPixelCount][kGroupCount];
#pragma GCC unroll 16
  for (std::uint32_t p = 0; p < kPixelCount; ++p) {
#pragma GCC unroll 2
    for (std::uint32_t g = 0; g < kGroupCount; ++g)
      sums[p][g] = _mm512_loadu_ps(a.sums + (std::size_t{g} * kPixelCount + p) * kBlockElements);
  }
  const __m512i start = _mm512_castps_si512(_mm512_set1_ps(kUnitsOfOne));
  const __m512 units = _mm512_set1_ps(kUnitsOfOne);
  for (std::uint32_t t = 0; t < a.tap_count; ++t) {
    const std::int16_t *x[kPixelCount];
    const float *scales[kPixelCount];
#pragma GCC unroll 16
    for (std::uint32_t p = 0; p < kPixelCount; ++p) {
      const std::int64_t input = a.corners[p] + a.taps[t].input;
      x[p] = a.inputs + input * kUnpackedElements;
      scales[p] = a.input_scales + input;
    }
    const std::int16_t *weights = a.weights + a.taps[t].weights * kUnpackedWeights;
    const float *weight_scales = a.weight_scales + a.taps[t].weights * kBlockElements;
    for (std::size_t c = 0; c < a.blocks; ++c, weights += kUnpackedWeights, weight_scales += kBlockElements) {
      __m512i dots[kPixelCount][kGroupCount];
#pragma GCC unroll 8
      for (std::uint32_t pair = 0; pair < isa::mx::kPairs; ++pair) {
        __m512i line[kGroupCount];
#pragma GCC unroll 2
        for (std::uint32_t g = 0; g < kGroupCount; ++g) {
          line[g] = _mm512_loadu_si512(weights + g * a.group_blocks * kUnpackedWeights + std::size_t{pair} * 2 * kBlockElements);
        }
#pragma GCC unroll 16
        for (std::uint32_t p = 0; p < kPixelCount; ++p) {
          const __m512i source = _mm512_set1_epi32(load_pair(x[p] + c * kUnpackedElements + std::size_t{pair} * 2));
#pragma GCC unroll 2
          for (std::uint32_t g = 0; g < kGroupCount; ++g) {
            dots[p][g] = _mm512_dpwssd_epi32(pair == 0 ? start : dots[p][g], source, line[g]);
          }
        }
      }
#pragma GCC unroll 2
      for (std::uint32_t g = 0; g < kGroupCount; ++g) {
        const __m512 scale = _mm512_loadu_ps(weight_scales + g * a.group_blocks * kBlockElements);
        const __m512 offset = _mm512_mul_ps(units, scale);
#pragma GCC unroll 16
        for (std::uint32_t p = 0; p < kPixelCount; ++p) {
          const __m512 scaled = _mm512_fmsub_ps(_mm512_castsi512_ps(dots[p][g]), scale, offset);
          sums[p][g] = _mm512_fmadd_ps(scaled, _mm512_set1_ps(scales[p][c]), sums[p][g]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (std::uint32_t p = 0; p < kPixelCount; ++p) {
#pragma GCC unroll 2
    for (std::uint32_t g = 0; g < kGroupCount; ++g)
      _mm512_storeu_ps(a.sums + (std::size_t{g} * kPixelCount + p) * kBlockElements, sums[p][g]);
  }
}

template <std::uint32_t kGroupCount>
void accumulate_groups(const Accumulation &a) {
  switch (a.pixels) {
    case 1: return accumulate_tile<1, kGroupCount>(a);
    case 2: return accumulate_tile<2, kGroupCount>(a);
    case 3: return accumulate_tile<3, kGroupCount>(a);
    case 4: return accumulate_tile<4, kGroupCount>(a);
    case 5: return accumulate_tile<5, kGroupCount>(a);
    default: return accumulate_tile<kPixels, kGroupCount>(a);
  }
}

void accumulate(const Accumulation &a) { a.groups == 1 ? accumulate_groups<1>(a) : accumulate_groups<kGroups>(a); }

void quantise(const float *in, std::uint32_t blocks, std::byte *out) {
  const __m512i largest_m = _mm512_set1_epi32(127);
  for (std::uint32_t b = 0; b < blocks; ++b, in += kBlockElements, out += kBlockBytes) {
    const __m512i bits = _mm512_castps_si512(_mm512_loadu_ps(in));
    const __m512i magnitudes = _mm512_and_si512(bits, _mm512_set1_epi32(0x7FFFFFFF));
    const auto e = static_cast<std::int32_t>(_mm512_reduce_max_epu32(magnitudes) >> 23);
    const __m512i exponent = _mm512_set1_epi32(e);
    const __m512i larger = _mm512_max_epu32(magnitudes, _mm512_shuffle_epi32(magnitudes, _MM_PERM_CDAB));
    const __m512i shift = _mm512_min_epu32(_mm512_sub_epi32(exponent, _mm512_srli_epi32(larger, 23)), _mm512_set1_epi32(1));
    // `m` is the magnitude times 2^(133 - e + shift), rounded. 133 is the bias of `e`, 127, plus the 6 fraction bits of `m`. The code adds
    // 133 - e + shift to the exponent field of the magnitude. It sets `m` to 0 if the magnitude is subnormal, because MX9 treats FP32
    // subnormals as zero, or if the new exponent field is at most 119, because `m` is then below 2^-7 and rounds to 0.
    const __m512i power = _mm512_add_epi32(_mm512_set1_epi32(133 - e), shift);
    const __m512i own = _mm512_srli_epi32(magnitudes, 23);
    const __mmask16 large =
        _mm512_mask_cmpgt_epi32_mask(_mm512_test_epi32_mask(own, own), _mm512_add_epi32(own, power), _mm512_set1_epi32(119));
    const __m512i moved = _mm512_maskz_add_epi32(large, magnitudes, _mm512_slli_epi32(power, 23));
    const __m512i m = _mm512_min_epi32(_mm512_cvtps_epi32(_mm512_castsi512_ps(moved)), largest_m);
    const __m512i sign = _mm512_and_si512(_mm512_srli_epi32(bits, 24), _mm512_set1_epi32(0x80));
    const __m512i elements = _mm512_mask_or_epi32(m, _mm512_test_epi32_mask(m, m), m, sign);
    __m128i bytes = _mm512_cvtepi32_epi8(elements);
    auto shifts = static_cast<std::uint8_t>(_mm512_test_epi64_mask(shift, shift));
    if (e == isa::mx::kNanExponent) {
      bytes = _mm_setzero_si128();
      shifts = 0;
    }
    out[0] = static_cast<std::byte>(e);
    out[1] = static_cast<std::byte>(shifts);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(out + kHeaderBytes), bytes);
  }
}

}  // namespace

const Kernels kAvx512Kernels{"avx512_vnni",  kPixels, kGroups,     unpack,     unpack_weights, accumulate,
                             accumulate_any, finish,  elementwise, dequantise, quantise,       pool_row};

}  // namespace cox::model::mx
