// SPDX-License-Identifier: MIT
// BF16: the upper half of an FP32.
#pragma once

#include <bit>
#include <cstdint>

namespace cox::isa::numbers {

constexpr float bfloat16_to_float(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// Converts FP32 to BF16: rounds half to even, overflows to infinity, and keeps a NaN as a quiet NaN.
constexpr std::uint16_t bfloat16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>(bits >> 16 | 0x0040U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

}  // namespace cox::isa::numbers
