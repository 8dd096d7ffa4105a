// SPDX-License-Identifier: MIT
// TensorFlow Lite's MultiplyByQuantizedMultiplier(), as its sources define it, for comparison with the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cox::tests::pim {

inline std::int32_t saturated(std::int64_t value) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

/// value * multiplier * 2^(-31 - shift). gemmlowp's doubling product with a nudge, then its shift with a threshold.
inline std::int32_t multiplied(std::int32_t value, std::int32_t multiplier, std::int32_t shift) {
  if (shift < 0) value = saturated(std::int64_t{value} * (std::int64_t{1} << -shift));
  const std::int64_t product = std::int64_t{value} * multiplier;
  const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
  const std::int32_t high = saturated((product + nudge) / (std::int64_t{1} << 31));
  if (shift <= 0) return high;
  const std::int64_t mask = (std::int64_t{1} << shift) - 1, rest = high & mask;
  const std::int64_t threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return static_cast<std::int32_t>((high >> shift) + (rest > threshold ? 1 : 0));
}

}  // namespace cox::tests::pim
