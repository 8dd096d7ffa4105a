// SPDX-License-Identifier: MIT
// The loops that compilers vectorise well by themselves. Included by one source file for each instruction set and kept local to it:
// a function with external linkage, built with AVX-512, could end up as the one that all others call. For the same reason nothing
// of the standard library is used here. Built without contraction: each multiply and each add rounds on its own.
#pragma once

#if defined(__F16C__)
#include <immintrin.h>
#else
#include "sim/model/arithmetic/float16.h"
#endif

#include "sim/model/arithmetic/kernels.h"

namespace cox::model::arithmetic {
namespace {

using isa::tile::DataFmt;
using isa::tile::Float2Fixed;

constexpr std::int64_t kLanes = 8;

#if defined(__F16C__)
void narrow8(const float *in, std::uint16_t *out) {
  const __m256 value = _mm256_loadu_ps(in);
  const __m256 nan = _mm256_cmp_ps(value, value, _CMP_UNORD_Q);
  const __m256 canonical = _mm256_blendv_ps(value, _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000)), nan);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(out), _mm256_cvtps_ph(canonical, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#else
void narrow8(const float *in, std::uint16_t *out) {
  for (std::int64_t i = 0; i < kLanes; ++i) out[i] = float_to_half(in[i]);
}
#endif

void narrow(const float *in, std::int64_t count, std::uint16_t *out) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) narrow8(in + i, out + i);
  if (i == count) return;
  float tail[kLanes] = {};
  std::uint16_t half[kLanes];
  for (std::int64_t j = i; j < count; ++j) tail[j - i] = in[j];
  narrow8(tail, half);
  for (std::int64_t j = i; j < count; ++j) out[j] = half[j - i];
}

/// Saturation comes first: its limits are integers, so rounding gives the same after it, and then fits every way of rounding.
template <Float2Fixed kRounding>
void to_int8(const float *__restrict in, std::int64_t count, float scale, float zero_point, std::int8_t *__restrict out) {
  for (std::int64_t i = 0; i < count; ++i) {
    float value = in[i] * scale;
    value = value + zero_point;
    value = value == value ? value : 0.0f;
    value = value > -128.0f ? value : -128.0f;
    value = value < 127.0f ? value : 127.0f;
    if constexpr (kRounding == Float2Fixed::ROUND) {
      constexpr float kUnitsOfOne = 0x1.8p23f;  // a sum of this size has no bits below 1: the addition itself rounds half to even
      value = (value + kUnitsOfOne) - kUnitsOfOne;
    } else if constexpr (kRounding == Float2Fixed::CEIL) {
      value = __builtin_ceilf(value);
    } else if constexpr (kRounding == Float2Fixed::FLOOR) {
      value = __builtin_floorf(value);
    }
    out[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(value));  // truncates
  }
}

void to_int8(const float *in, std::int64_t count, const Quantisation &quantisation, std::int8_t *out) {
  const float scale = quantisation.scale;
  const float zero_point = quantisation.zero_point;
  switch (quantisation.rounding) {
    case Float2Fixed::CEIL: return to_int8<Float2Fixed::CEIL>(in, count, scale, zero_point, out);
    case Float2Fixed::FLOOR: return to_int8<Float2Fixed::FLOOR>(in, count, scale, zero_point, out);
    case Float2Fixed::ROUND: return to_int8<Float2Fixed::ROUND>(in, count, scale, zero_point, out);
    case Float2Fixed::TRUNCATE: return to_int8<Float2Fixed::TRUNCATE>(in, count, scale, zero_point, out);
  }
}

void requantise(const std::int32_t *__restrict sums, std::uint32_t count, const float *__restrict scale, const float *__restrict bias,
                bool relu, const Quantisation &quantisation, void *out) {
  float values[64];
  for (std::uint32_t i = 0; i < count; ++i) {
    const float scaled = static_cast<float>(sums[i]) * scale[i];
    values[i] = scaled + bias[i];
  }
  if (relu) {
    for (std::uint32_t i = 0; i < count; ++i) values[i] = values[i] < 0.0f ? 0.0f : values[i];
  }
  if (quantisation.format == DataFmt::INT8) {
    to_int8(values, count, quantisation, static_cast<std::int8_t *>(out));
  } else {
    narrow(values, count, static_cast<std::uint16_t *>(out));
  }
}

/// The 4 input channels at `bytes`, which need not be aligned.
[[maybe_unused]] std::int32_t load_group(const std::uint8_t *bytes) {
  std::int32_t group;
  __builtin_memcpy(&group, bytes, sizeof group);
  return group;
}

}  // namespace
}  // namespace cox::model::arithmetic
