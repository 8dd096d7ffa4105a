// SPDX-License-Identifier: MIT
// Fixed-point scaling of 32-bit sums, as TensorFlow Lite's reference kernels round it (docs/unity-arithmetic.md, Requantisation).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cox::model::unity {

/// SRDHM: a * b / 2^31, halves up. The one product that does not fit, of the two smallest numbers, gives the largest.
[[nodiscard]] constexpr std::int32_t high_product(std::int32_t a, std::int32_t b) {
  const std::int64_t high = (std::int64_t{a} * b + (std::int64_t{1} << 30)) >> 31;
  return static_cast<std::int32_t>(std::min<std::int64_t>(high, std::numeric_limits<std::int32_t>::max()));
}

/// RDBPOT: x / 2^shift, halves away from 0. `shift` is 0 to 31.
[[nodiscard]] constexpr std::int32_t rounded_shift(std::int32_t x, unsigned shift) {
  const std::int64_t magnitude = x < 0 ? -std::int64_t{x} : std::int64_t{x};
  const std::int64_t rounded = (magnitude + (std::int64_t{1} << shift) / 2) >> shift;
  return static_cast<std::int32_t>(x < 0 ? -rounded : rounded);
}

/// x * 2^shift modulo 2^32. `shift` is 0 to 31.
[[nodiscard]] constexpr std::int32_t wrapped_shift(std::int32_t x, unsigned shift) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << shift);
}

/// x * multiplier / 2^31 * 2^shift in three steps: left shift, high product, rounded right shift. `shift` is -31 to 31.
[[nodiscard]] constexpr std::int32_t requantised(std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
  if (shift >= 0) return high_product(wrapped_shift(x, static_cast<unsigned>(shift)), multiplier);
  return rounded_shift(high_product(x, multiplier), static_cast<unsigned>(-shift));
}

}  // namespace cox::model::unity
