// SPDX-License-Identifier: MIT
// Scaling with fixed-point multipliers, as SIMD operations do it (docs/isa/pim.md, SIMD). 64-bit arithmetic, one number after another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cox::model::pim {

inline constexpr std::int32_t kLargestShift = 31;  ///< of multiplied(); the smallest is -31

[[nodiscard]] constexpr std::int32_t saturated(std::int64_t value) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

/// a * b, or the number of 64 bits that is nearest to it.
[[nodiscard]] inline std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

/// SRDHM: a * b / 2^31, halves up.
[[nodiscard]] constexpr std::int32_t high_product(std::int32_t a, std::int32_t b) {
  return saturated((std::int64_t{a} * b + (std::int64_t{1} << 30)) >> 31);
}

/// RDBPOT: x / 2^shift, halves away from 0. `shift` is 0 to 31.
[[nodiscard]] constexpr std::int32_t rounded_shift(std::int32_t x, std::int32_t shift) {
  const std::int64_t magnitude = x < 0 ? -std::int64_t{x} : std::int64_t{x};
  const std::int64_t rounded = (magnitude + (std::int64_t{1} << shift) / 2) >> shift;
  return static_cast<std::int32_t>(x < 0 ? -rounded : rounded);
}

/// MUL. `shift` is -31 to 31; a negative one multiplies x by a power of two first.
[[nodiscard]] constexpr std::int32_t multiplied(std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
  if (shift >= 0) return rounded_shift(high_product(x, multiplier), shift);
  return high_product(saturated(std::int64_t{x} * (std::int64_t{1} << -shift)), multiplier);
}

/// Largest width of an input of quantify-resadd.
inline constexpr unsigned kMostResaddBits = 16;
/// The power of two by which quantify-resadd multiplies its inputs first.
[[nodiscard]] constexpr int resadd_headroom(unsigned width1, unsigned width2) {
  return std::max(width1, width2) == kMostResaddBits ? 15 : 20;
}

}  // namespace cox::model::pim
