// SPDX-License-Identifier: MIT
// Converts runs of elements of any format to FP32 and back. Like kernels_common.h, this is included by one source file for each instruction
// set and has internal linkage there, and it uses nothing of the standard library. Here each INT4 fills a byte.
#pragma once

#include <cstdint>

#if defined(__F16C__)
#include <immintrin.h>
#else
#include "coxswain/isa/numbers/float16.h"
#endif

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"

namespace cox::model::arithmetic {
namespace {

namespace conversion {

using isa::tile::DataFmt;
using isa::tile::Float2Fixed;
using isa::tile::Format;

constexpr std::int64_t kLanes = 8;

#if defined(__F16C__)
inline void widen8(const std::uint16_t *in, float *out) {
  _mm256_storeu_ps(out, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(in))));
}

inline void narrow8(const float *in, std::uint16_t *out) {
  const __m256 value = _mm256_loadu_ps(in);
  const __m256 nan = _mm256_cmp_ps(value, value, _CMP_UNORD_Q);
  const __m256 canonical = _mm256_blendv_ps(value, _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000)), nan);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(out), _mm256_cvtps_ph(canonical, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#else
inline void widen8(const std::uint16_t *in, float *out) {
  for (std::int64_t i = 0; i < kLanes; ++i) out[i] = isa::numbers::half_to_float(in[i]);
}

inline void narrow8(const float *in, std::uint16_t *out) {
  for (std::int64_t i = 0; i < kLanes; ++i) out[i] = isa::numbers::float_to_half(in[i]);
}
#endif

inline void from_half(const std::uint16_t *in, std::int64_t count, float *out) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) widen8(in + i, out + i);
  if (i == count) return;
  std::uint16_t tail[kLanes] = {};
  float wide[kLanes];
  for (std::int64_t j = i; j < count; ++j) tail[j - i] = in[j];
  widen8(tail, wide);
  for (std::int64_t j = i; j < count; ++j) out[j] = wide[j - i];
}

inline void to_half(const float *in, std::int64_t count, std::uint16_t *out) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) narrow8(in + i, out + i);
  if (i == count) return;
  float tail[kLanes] = {};
  std::uint16_t half[kLanes];
  for (std::int64_t j = i; j < count; ++j) tail[j - i] = in[j];
  narrow8(tail, half);
  for (std::int64_t j = i; j < count; ++j) out[j] = half[j - i];
}

inline void from_bfloat16(const std::uint16_t *__restrict in, std::int64_t count, float *__restrict out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = __builtin_bit_cast(float, std::uint32_t{in[i]} << 16);
}

inline void to_bfloat16(const float *__restrict in, std::int64_t count, std::uint16_t *__restrict out) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = __builtin_bit_cast(std::uint32_t, in[i]);
    const std::uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;  // to nearest, ties to even; a carry may reach Inf
    out[i] = static_cast<std::uint16_t>(in[i] == in[i] ? rounded : 0x7FC0u);
  }
}

template <typename Integer>
void from_integers(const void *in, std::int64_t count, float *__restrict out) {
  const auto *__restrict integers = static_cast<const Integer *>(in);
  for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(integers[i]);
}

/// Rounds half to even for values of every size. Keeps the sign of zero.
inline float nearest_even(float value) {
  const float unit = __builtin_copysignf(0x1p23F, value);  // an FP32 of this size has no fraction bits, so the addition rounds
  const float rounded = __builtin_copysignf((value + unit) - unit, value);
  return __builtin_fabsf(value) < 0x1p23F ? rounded : value;
}

template <Float2Fixed kRounding>
float rounded(float value) {
  if constexpr (kRounding == Float2Fixed::CEIL) return __builtin_ceilf(value);
  if constexpr (kRounding == Float2Fixed::FLOOR) return __builtin_floorf(value);
  if constexpr (kRounding == Float2Fixed::ROUND) return nearest_even(value);
  return value;  // for TRUNCATE, the conversion to an integer does the rounding
}

/// Converts to integers of at most 16 bits. Saturates before rounding, so that the values are small enough for every way of rounding. The
/// result is the same, because the limits are integers.
template <typename Integer, Float2Fixed kRounding>
void to_small(const float *__restrict in, std::int64_t count, float scale, float zero_point, float low, float high,
              Integer *__restrict out) {
  for (std::int64_t i = 0; i < count; ++i) {
    float value = in[i] * scale;
    value = value + zero_point;
    value = value == value ? value : 0.0F;
    value = value > low ? value : low;
    value = value < high ? value : high;
    if constexpr (kRounding == Float2Fixed::ROUND) {
      constexpr float kUnitsOfOne = 0x1.8p23F;  // adding it rounds numbers of at most 2^22 in magnitude to integers, half to even
      value = (value + kUnitsOfOne) - kUnitsOfOne;
    } else {
      value = rounded<kRounding>(value);
    }
    out[i] = static_cast<Integer>(static_cast<std::int32_t>(value));
  }
}

/// Converts to integers of 32 bits, whose upper limits FP32 cannot represent.
template <typename Integer, Float2Fixed kRounding>
void to_large(const float *__restrict in, std::int64_t count, float scale, float zero_point, Integer *__restrict out) {
  constexpr bool kSigned = static_cast<Integer>(-1) < 0;
  constexpr float kLow = kSigned ? -0x1p31F : 0.0F;
  constexpr float kPast = kSigned ? 0x1p31F : 0x1p32F;
  constexpr std::int64_t kHigh = kSigned ? 0x7FFFFFFF : 0xFFFFFFFF;
  for (std::int64_t i = 0; i < count; ++i) {
    float value = in[i] * scale;
    value = value + zero_point;
    value = value == value ? value : 0.0F;
    value = value > kLow ? value : kLow;
    value = value < kPast ? value : kPast;
    const auto integer = static_cast<std::int64_t>(rounded<kRounding>(value));
    out[i] = static_cast<Integer>(integer < kHigh ? integer : kHigh);
  }
}

template <Float2Fixed kRounding>
void to_integers(const float *in, std::int64_t count, const Storage &storage, void *out) {
  const float scale = storage.scale;
  const float zero = storage.zero_point;
  const bool is_signed = storage.format.is_signed;
  switch (storage.format.format) {
    case DataFmt::INT4:
      return is_signed ? to_small<std::int8_t, kRounding>(in, count, scale, zero, -8, 7, static_cast<std::int8_t *>(out))
                       : to_small<std::uint8_t, kRounding>(in, count, scale, zero, 0, 15, static_cast<std::uint8_t *>(out));
    case DataFmt::INT8:
      return is_signed ? to_small<std::int8_t, kRounding>(in, count, scale, zero, -128, 127, static_cast<std::int8_t *>(out))
                       : to_small<std::uint8_t, kRounding>(in, count, scale, zero, 0, 255, static_cast<std::uint8_t *>(out));
    case DataFmt::INT16:
      return is_signed ? to_small<std::int16_t, kRounding>(in, count, scale, zero, -32768, 32767, static_cast<std::int16_t *>(out))
                       : to_small<std::uint16_t, kRounding>(in, count, scale, zero, 0, 65535, static_cast<std::uint16_t *>(out));
    default:
      return is_signed ? to_large<std::int32_t, kRounding>(in, count, scale, zero, static_cast<std::int32_t *>(out))
                       : to_large<std::uint32_t, kRounding>(in, count, scale, zero, static_cast<std::uint32_t *>(out));
  }
}

inline void affine(float scale, float zero_point, std::int64_t count, float *values) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float scaled = values[i] * scale;
    values[i] = scaled + zero_point;
  }
}

/// Scales and converts to a floating-point format. Does this for 256 values at a time, so that the scaled values stay in the first-level
/// cache.
inline void to_floating(const float *in, std::int64_t count, const Storage &storage, void *out) {
  constexpr std::int64_t kBlock = 256;
  float values[kBlock];
  for (std::int64_t done = 0; done < count; done += kBlock) {
    const std::int64_t now = count - done < kBlock ? count - done : kBlock;
    for (std::int64_t i = 0; i < now; ++i) values[i] = in[done + i];
    affine(storage.scale, storage.zero_point, now, values);
    switch (storage.format.format) {
      case DataFmt::FP16: to_half(values, now, static_cast<std::uint16_t *>(out) + done); break;
      case DataFmt::BF16: to_bfloat16(values, now, static_cast<std::uint16_t *>(out) + done); break;
      default: {
        auto *to = static_cast<float *>(out) + done;
        for (std::int64_t i = 0; i < now; ++i) to[i] = values[i] == values[i] ? values[i] : __builtin_nanf("");
      }
    }
  }
}

}  // namespace conversion

/// Converts elements to FP32. Integers of 32 bits round to nearest even; all others are exact.
[[maybe_unused]] void load_elements(const void *in, const isa::tile::Format &format, std::int64_t count, float *out) {
  using isa::tile::DataFmt;
  switch (format.format) {
    case DataFmt::INT4:
    case DataFmt::INT8:
      return format.is_signed ? conversion::from_integers<std::int8_t>(in, count, out)
                              : conversion::from_integers<std::uint8_t>(in, count, out);
    case DataFmt::INT16:
      return format.is_signed ? conversion::from_integers<std::int16_t>(in, count, out)
                              : conversion::from_integers<std::uint16_t>(in, count, out);
    case DataFmt::INT32:
      return format.is_signed ? conversion::from_integers<std::int32_t>(in, count, out)
                              : conversion::from_integers<std::uint32_t>(in, count, out);
    case DataFmt::FP16: return conversion::from_half(static_cast<const std::uint16_t *>(in), count, out);
    case DataFmt::BF16: return conversion::from_bfloat16(static_cast<const std::uint16_t *>(in), count, out);
    case DataFmt::FP32: return conversion::from_integers<float>(in, count, out);
  }
}

/// Computes in * scale + zero_point and converts to the format. For integer formats, values are rounded and saturated, and a NaN becomes 0.
[[maybe_unused]] void store_elements(const float *in, std::int64_t count, const Storage &storage, void *out) {
  using isa::tile::DataFmt;
  using isa::tile::Float2Fixed;
  const DataFmt format = storage.format.format;
  if (format == DataFmt::FP16 || format == DataFmt::BF16 || format == DataFmt::FP32)
    return conversion::to_floating(in, count, storage, out);
  switch (storage.rounding) {
    case Float2Fixed::CEIL: return conversion::to_integers<Float2Fixed::CEIL>(in, count, storage, out);
    case Float2Fixed::FLOOR: return conversion::to_integers<Float2Fixed::FLOOR>(in, count, storage, out);
    case Float2Fixed::ROUND: return conversion::to_integers<Float2Fixed::ROUND>(in, count, storage, out);
    case Float2Fixed::TRUNCATE: return conversion::to_integers<Float2Fixed::TRUNCATE>(in, count, storage, out);
  }
}

}  // namespace
}  // namespace cox::model::arithmetic
