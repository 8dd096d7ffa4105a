// SPDX-License-Identifier: MIT
// AVX2 without FMA. Only the additions of FP32 numbers round. The multiply-add of 16-bit numbers is exact, and so are the multiplications
// by the scales of both blocks, which are powers of two.
#include "sim/model/mx/arithmetic/kernels_common.h"

namespace cox::model::mx {
namespace {

constexpr std::uint32_t kPixels = 4;
constexpr std::uint32_t kGroups = 1;
constexpr std::uint32_t kHalves = 2;  // the 16 output channels of a group are computed in two halves of 8
constexpr std::uint32_t kHalf = kBlockElements / kHalves;

std::int32_t load_pair(const std::int16_t *elements) {
  std::int32_t pair;
  __builtin_memcpy(&pair, elements, sizeof pair);
  return pair;
}

template <std::uint32_t kCount>
void accumulate_block(const std::int16_t *const *x, const float *scales, const std::int16_t *weights, const float *weight_scales,
                      float *sums) {
  __m256i dots[kCount][kHalves];
#pragma GCC unroll 8
  for (std::uint32_t p = 0; p < kCount; ++p) dots[p][0] = dots[p][1] = _mm256_setzero_si256();
#pragma GCC unroll 8
  for (std::uint32_t pair = 0; pair < isa::mx::kPairs; ++pair) {
    const auto *line = reinterpret_cast<const __m256i *>(weights + std::size_t{pair} * 2 * kBlockElements);
    const __m256i low = _mm256_loadu_si256(line), high = _mm256_loadu_si256(line + 1);
#pragma GCC unroll 8
    for (std::uint32_t p = 0; p < kCount; ++p) {
      const __m256i source = _mm256_set1_epi32(load_pair(x[p] + std::size_t{pair} * 2));
      dots[p][0] = _mm256_add_epi32(dots[p][0], _mm256_madd_epi16(source, low));
      dots[p][1] = _mm256_add_epi32(dots[p][1], _mm256_madd_epi16(source, high));
    }
  }
#pragma GCC unroll 8
  for (std::uint32_t p = 0; p < kCount; ++p) {
#pragma GCC unroll 2
    for (std::uint32_t h = 0; h < kHalves; ++h) {
      float *sum = sums + std::size_t{p} * kBlockElements + std::size_t{h} * kHalf;
      const __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(dots[p][h]), _mm256_loadu_ps(weight_scales + std::size_t{h} * kHalf));
      const __m256 product = _mm256_mul_ps(scaled, _mm256_set1_ps(scales[p]));
      _mm256_storeu_ps(sum, _mm256_add_ps(_mm256_loadu_ps(sum), product));
    }
  }
}

template <std::uint32_t kCount>
void accumulate_pixels(const Accumulation &a) {
  for (std::uint32_t t = 0; t < a.tap_count; ++t) {
    for (std::uint32_t c = 0; c < a.blocks; ++c) {
      const std::int16_t *x[kCount];
      float scales[kCount];
      for (std::uint32_t p = 0; p < kCount; ++p) {
        const std::int64_t input = a.corners[p] + a.taps[t].input + c;
        x[p] = a.inputs + input * kUnpackedElements;
        scales[p] = a.input_scales[input];
      }
      const std::int64_t weight = a.taps[t].weights + c;
      accumulate_block<kCount>(x, scales, a.weights + weight * kUnpackedWeights, a.weight_scales + weight * kBlockElements, a.sums);
    }
  }
}

void accumulate(const Accumulation &a) {
  switch (a.pixels) {
    case 1: return accumulate_pixels<1>(a);
    case 2: return accumulate_pixels<2>(a);
    case 3: return accumulate_pixels<3>(a);
    default: return accumulate_pixels<kPixels>(a);
  }
}

__m256i largest_of(__m256i values) {
  values = _mm256_max_epu32(values, _mm256_permute2x128_si256(values, values, 1));
  values = _mm256_max_epu32(values, _mm256_shuffle_epi32(values, 0x4E));
  return _mm256_max_epu32(values, _mm256_shuffle_epi32(values, 0xB1));
}

/// Quantises 8 numbers of a block with exponent field `exponent` (docs/mx9.md). Returns the byte of each element, in 32 bits: its magnitude
/// M and, in bit 7, its sign. Sets `shift` to -D, where D is the shift bit of the element's pair.
__m256i elements_of(__m256i bits, __m256i magnitudes, __m256i exponent, __m256i &shift) {
  const __m256i larger = _mm256_max_epu32(magnitudes, _mm256_shuffle_epi32(magnitudes, 0xB1));
  const __m256i same = _mm256_cmpeq_epi32(_mm256_srli_epi32(larger, 23), exponent);
  shift = _mm256_xor_si256(same, _mm256_set1_epi32(-1));
  // M is the magnitude times 2^(133 - `exponent` - `shift`), rounded. To multiply, the code adds to the magnitude's exponent field. `large`
  // is 0 if M must be 0: the product is far below 1/2, or the magnitude is an FP32 subnormal, which MX9 treats as zero.
  const __m256i power = _mm256_sub_epi32(_mm256_sub_epi32(_mm256_set1_epi32(133), exponent), shift);
  const __m256i own = _mm256_srli_epi32(magnitudes, 23);
  const __m256i large = _mm256_andnot_si256(_mm256_cmpeq_epi32(own, _mm256_setzero_si256()),
                                            _mm256_cmpgt_epi32(_mm256_add_epi32(own, power), _mm256_set1_epi32(119)));
  const __m256i moved = _mm256_and_si256(_mm256_add_epi32(magnitudes, _mm256_slli_epi32(power, 23)), large);
  const __m256i m = _mm256_min_epi32(_mm256_cvtps_epi32(_mm256_castsi256_ps(moved)), _mm256_set1_epi32(127));
  const __m256i sign = _mm256_and_si256(_mm256_srli_epi32(bits, 24), _mm256_set1_epi32(0x80));
  return _mm256_or_si256(m, _mm256_and_si256(sign, _mm256_cmpgt_epi32(m, _mm256_setzero_si256())));
}

void quantise(const float *in, std::uint32_t blocks, std::byte *out) {
  const __m256i magnitude_mask = _mm256_set1_epi32(0x7FFFFFFF);
  for (std::uint32_t b = 0; b < blocks; ++b, in += kBlockElements, out += kBlockBytes) {
    const __m256i low = _mm256_castps_si256(_mm256_loadu_ps(in)), high = _mm256_castps_si256(_mm256_loadu_ps(in + kHalf));
    const __m256i low_magnitudes = _mm256_and_si256(low, magnitude_mask), high_magnitudes = _mm256_and_si256(high, magnitude_mask);
    const __m256i exponent = _mm256_srli_epi32(largest_of(_mm256_max_epu32(low_magnitudes, high_magnitudes)), 23);
    const auto e = static_cast<std::uint8_t>(_mm256_extract_epi32(exponent, 0));
    __m256i low_shift, high_shift;
    const __m256i low_elements = elements_of(low, low_magnitudes, exponent, low_shift);
    const __m256i high_elements = elements_of(high, high_magnitudes, exponent, high_shift);
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(low_elements, high_elements), 0xD8);
    __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    auto shifts = static_cast<std::uint8_t>(_mm256_movemask_pd(_mm256_castsi256_pd(low_shift)) |
                                            _mm256_movemask_pd(_mm256_castsi256_pd(high_shift)) << 4);
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

const Kernels kAvx2Kernels{"avx2",         kPixels, kGroups,     unpack,     unpack_weights, accumulate,
                           accumulate_any, finish,  elementwise, dequantise, quantise,       pool_row};

}  // namespace cox::model::mx
