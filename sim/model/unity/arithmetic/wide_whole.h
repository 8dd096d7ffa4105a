// SPDX-License-Identifier: MIT
// Non-negative whole numbers of 256 bits, for variances of 64-bit elements.
#pragma once

#include "sim/model/unity/arithmetic/whole.h"

namespace cox::model::unity {

struct WideMagnitude {
  Magnitude high = 0, low = 0;
};

[[nodiscard]] constexpr WideMagnitude operator+(WideMagnitude a, WideMagnitude b) {
  const Magnitude low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1 : 0), low};
}
/// `a` is not less than `b`.
[[nodiscard]] constexpr WideMagnitude operator-(WideMagnitude a, WideMagnitude b) {
  return {a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low};
}

[[nodiscard]] constexpr WideMagnitude product(Magnitude a, Magnitude b) {
  constexpr Magnitude kLow = ~std::uint64_t{0};
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the analyzer does not follow sums of 128 bits
  const Magnitude a0 = a & kLow, a1 = a >> 64, b0 = b & kLow, b1 = b >> 64;
  const Magnitude middle0 = a0 * b1, middle1 = a1 * b0;
  WideMagnitude result{a1 * b1 + (middle0 >> 64) + (middle1 >> 64), a0 * b0};
  result = result + WideMagnitude{0, middle0 << 64};
  return result + WideMagnitude{0, middle1 << 64};
}

/// a / b, rounded; the result has at most 128 bits. `b` is above 0 and below 2^127.
[[nodiscard]] constexpr Magnitude quotient(WideMagnitude a, Magnitude b, Rounding rounding) {
  Magnitude rest = 0, result = 0;
  for (int bit = 255; bit >= 0; --bit) {
    const Magnitude half = bit >= 128 ? a.high : a.low;
    rest = rest << 1 | (half >> (bit % 128) & 1);
    result <<= 1;
    if (rest >= b) {
      rest -= b;
      result |= 1;
    }
  }
  return result + (rounds_away(false, (result & 1) != 0, rest, b, rounding) ? 1 : 0);
}

}  // namespace cox::model::unity
