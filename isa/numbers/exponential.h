// SPDX-License-Identifier: MIT
// The exponential that all engines share. It is defined operation by operation, so that every bit is defined. The tile engine uses the
// whole range of FP32 (docs/arithmetic.md, Exponential); the MX engine clamps the argument first (isa/numbers/clamped_exponential.h).
#pragma once

#include <bit>
#include <cstdint>

namespace cox::isa::numbers {

/// The number significand * 2^exponent.
struct ScaledFloat {
  float significand = 0;
  float exponent = 0;  ///< a whole number
};

// Always inlined, because the device model compiles these functions for several instruction sets of the host. If a function were not
// inlined, the linker would keep only the version for one of these sets.

/// exp(x) for x from -104 to 89. Each operation is rounded to nearest even on its own; nothing is fused.
/// n = x * log2(e), rounded to the nearest integer, half to even.
/// r = (x - n * 0.693359375) - n * -2.12194440e-4.
/// significand = p * (r * r) + r + 1, where p is a polynomial in r with the six coefficients below (Horner's scheme); exponent = n.
/// Relative error below 2^-23.
[[gnu::always_inline]] inline ScaledFloat exponential_parts(float x) {
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  const float scaled = x * 1.44269504F;
  const float shifted = scaled + kRound;
  const float n = shifted - kRound;
  const float high = n * 0.693359375F;
  const float low = n * -2.12194440e-4F;
  const float reduced = x - high;
  const float r = reduced - low;
  float p = 1.9875691500e-4F;
  p = p * r;
  p = p + 1.3981999507e-3F;
  p = p * r;
  p = p + 8.3334519073e-3F;
  p = p * r;
  p = p + 4.1665795894e-2F;
  p = p * r;
  p = p + 1.6666665459e-1F;
  p = p * r;
  p = p + 5.0000001201e-1F;
  const float square = r * r;
  p = p * square;
  p = p + r;
  p = p + 1.0F;
  return {p, n};
}

/// 2^n, n from -126 to 127.
[[gnu::always_inline]] inline float power_of_two(std::int32_t n) { return std::bit_cast<float>(static_cast<std::uint32_t>(n + 127) << 23); }

/// exp(x) in FP32 for every x. -Inf gives 0, small results may be subnormal, results beyond the largest number become Inf, and a NaN gives
/// a NaN. The error is less than one unit in the last place.
[[gnu::always_inline]] inline float exponential(float x) {
  const float above = x > -104.0F ? x : -104.0F;  // exp(x) rounds to 0 for x <= -104; the return statement restores a NaN
  const float clamped = above < 89.0F ? above : 89.0F;
  const ScaledFloat parts = exponential_parts(clamped);
  // Multiply by 2^n in two steps, because 2^n itself may be too small or too large for a normal number. The first product is exact, and
  // only the second one is rounded.
  const auto n = static_cast<std::int32_t>(parts.exponent);
  const std::int32_t half = n >> 1;
  const float scaled = parts.significand * power_of_two(half);
  const float power = scaled * power_of_two(n - half);
  return x == x ? power : x;
}

}  // namespace cox::isa::numbers
