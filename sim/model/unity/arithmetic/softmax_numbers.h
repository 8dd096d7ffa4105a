// SPDX-License-Identifier: MIT
// The numbers of TensorFlow Lite's softmax on s8 (docs/unity-arithmetic.md, SOFTMAX). "Qn" is a 32-bit number with n integer bits besides
// the sign. A product of a Qm and a Qn is a Q(m + n).
#pragma once

#include <bit>

#include "sim/model/unity/arithmetic/fixed_point.h"

namespace cox::model::unity {

/// Integer bits of the scaled differences, and of the sum of exponentials.
inline constexpr unsigned kDifferenceBits = 5, kSumBits = 12;

[[nodiscard]] constexpr std::int32_t saturated_left(std::int32_t x, unsigned shift) {
  const std::int64_t wide = std::int64_t{x} * (std::int64_t{1} << shift);
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(wide, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

/// e^a as Q0 for a Q0 from -1/4 to 0: the polynomial of fourth degree around -1/8.
[[nodiscard]] constexpr std::int32_t exponential_of_quarter(std::int32_t a) {
  constexpr std::int32_t kExpOfMinusEighth = 1895147668, kThird = 715827883;
  const std::int32_t x = a + (1 << 28);
  const std::int32_t x2 = high_product(x, x), x3 = high_product(x2, x), x4 = high_product(x2, x2);
  const std::int32_t rest = rounded_shift(high_product(rounded_shift(x4, 2) + x3, kThird) + x2, 1);  // x4 / 24 + x3 / 6 + x2 / 2
  return kExpOfMinusEighth + high_product(kExpOfMinusEighth, x + rest);
}

/// e^a as Q0 for a Q5 up to 0.
[[nodiscard]] constexpr std::int32_t exponential(std::int32_t a) {
  if (a == 0) return std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kQuarter = 1 << 24;
  constexpr std::int32_t kPowers[] = {1672461947, 1302514674, 790015084, 290630308,
                                      39332535,   720401,     242};  // e^(-1/4), e^(-1/2), ... e^-16
  const std::int32_t quarter = (a & (kQuarter - 1)) - kQuarter;
  std::int32_t result = exponential_of_quarter(saturated_left(quarter, kDifferenceBits));
  const std::int32_t rest = quarter - a;
  for (int i = 0; i < 7; ++i) {
    if ((rest >> (24 + i) & 1) != 0) result = high_product(result, kPowers[i]);
  }
  return result;
}

/// 1 / (1 + a) as Q0 for a Q0 from 0 to 1: Newton's iteration, three steps.
[[nodiscard]] constexpr std::int32_t reciprocal_of_one_plus(std::int32_t a) {
  constexpr std::int32_t k48By17 = 1515870810, kMinus32By17 = -1010580540, kOne = 1 << 29;  // Q2
  const auto half = static_cast<std::int32_t>((std::int64_t{a} + std::numeric_limits<std::int32_t>::max() + 1) / 2);
  std::int32_t x = k48By17 + high_product(half, kMinus32By17);
  for (int i = 0; i < 3; ++i) x += saturated_left(high_product(x, kOne - high_product(half, x)), 2);
  return saturated_left(x, 1);
}

/// The reciprocal of a sum: Q0 `scale`, of which 2^-shift is meant.
struct Reciprocal {
  std::int32_t scale = 0;
  int shift = 0;
};
/// `sum` is a Q12 above 0.
[[nodiscard]] constexpr Reciprocal reciprocal(std::int32_t sum) {
  const auto bits = static_cast<std::uint32_t>(sum);
  const int zeros = std::countl_zero(bits);
  const auto fraction = static_cast<std::int32_t>((bits << zeros) - 0x80000000U);
  return {reciprocal_of_one_plus(fraction), static_cast<int>(kSumBits) - zeros};
}

/// The probability of an exponential, as an s8 with scale 1/256 and zero point -128.
[[nodiscard]] constexpr std::int8_t probability(std::int32_t exponential_q0, Reciprocal of_sum) {
  const std::int64_t product = high_product(of_sum.scale, exponential_q0);  // not negative
  const int shift = of_sum.shift + 31 - 8;                                  // 11 to 34
  const std::int64_t rounded = (product + (std::int64_t{1} << (shift - 1))) >> shift;
  return static_cast<std::int8_t>(std::min<std::int64_t>(rounded - 128, 127));
}

}  // namespace cox::model::unity
