// SPDX-License-Identifier: MIT
// Conversion of IEEE 754 binary16 with integer arithmetic (docs/arithmetic.md, Common to all).
#pragma once

#include <bit>
#include <cstdint>

namespace cox::isa::numbers {

/// Every NaN becomes this one in FP16. The bits of the original NaN are not kept, because hosts differ in which of two NaN operands an
/// addition returns.
inline constexpr std::uint16_t kHalfNan = 0x7E00;

/// Converts to FP32 without rounding.
[[nodiscard]] constexpr float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1Fu;
  const std::uint32_t fraction = half & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // a subnormal, or zero
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

/// Rounds to nearest, ties to even. Beyond the largest finite value the result is Inf; subnormals are kept; NaN gives kHalfNan.
[[nodiscard]] constexpr std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return kHalfNan;
  if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // 65,536 and more
  if (magnitude < 0x33000000u) return static_cast<std::uint16_t>(sign);             // less than half of the smallest subnormal
  const std::uint32_t exponent = magnitude >> 23;
  // A normal number keeps 10 of its 23 fraction bits. A subnormal is a count of units of 2^-24, so its significand is shifted further
  // right.
  const bool normal = exponent >= 113;
  const std::uint32_t significand = normal ? magnitude - (112u << 23) : (magnitude & 0x7FFFFFu) | 0x800000u;
  const std::uint32_t shift = normal ? 13 : 126 - exponent;
  const std::uint32_t kept = significand >> shift;
  const std::uint32_t rest = significand & ((1u << shift) - 1);
  const std::uint32_t half = 1u << (shift - 1);
  const std::uint32_t up = rest > half || (rest == half && (kept & 1u) != 0) ? 1 : 0;
  return static_cast<std::uint16_t>(sign | (kept + up));  // a carry correctly moves into the exponent, and from the largest exponent to Inf
}

}  // namespace cox::isa::numbers
