// SPDX-License-Identifier: MIT
#include "tests/tflite/reference/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cox::tests::tflite_reference {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max(), kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kOne = std::numeric_limits<std::int32_t>::max();  ///< 1 with 31 fractional bits, as nearly as they can

std::int32_t saturated(std::int64_t value) { return static_cast<std::int32_t>(std::clamp(value, kLeast, kMost)); }

/// Returns value * 2^bits, saturated.
std::int32_t scaled_up(std::int32_t value, int bits) { return saturated(std::int64_t{value} * (std::int64_t{1} << bits)); }

/// Returns a real number with `fraction` fractional bits, to nearest.
std::int32_t fixed(double value, int fraction) { return static_cast<std::int32_t>(std::llround(std::ldexp(value, fraction))); }

/// Returns 1 / ((1 + a) / 2) with 29 fractional bits: three steps of Newton's method.
std::int32_t newton(std::int32_t a) {
  const std::int64_t sum = std::int64_t{a} + kOne;
  const auto half = static_cast<std::int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  constexpr int kFraction = 29;
  const std::int32_t one = 1 << kFraction;
  std::int32_t x = fixed(48.0 / 17, kFraction) + high_product(half, fixed(-32.0 / 17, kFraction));
  for (int step = 0; step < 3; ++step) {
    const std::int32_t error = one - high_product(half, x);
    x += scaled_up(high_product(x, error), 2);
  }
  return x;
}

}  // namespace

std::int32_t high_product(std::int32_t a, std::int32_t b) {
  if (a == kLeast && b == kLeast) return kOne;
  const std::int64_t product = std::int64_t{a} * b;
  const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
  return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

std::int32_t rounded_quotient(std::int32_t value, int bits) {
  if (bits == 0) return value;
  const std::int64_t magnitude = (std::llabs(value) + (std::int64_t{1} << (bits - 1))) >> bits;
  return static_cast<std::int32_t>(value < 0 ? -magnitude : magnitude);
}

std::int32_t requantise(std::int32_t value, std::int32_t multiplier, int shift) {
  // The shift to the left drops the bits that leave, as the reference kernels do.
  const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << std::max(shift, 0));
  return rounded_quotient(high_product(shifted, multiplier), std::max(-shift, 0));
}

std::int32_t exponential(std::int32_t a, int integer_bits) {
  if (a == 0) return kOne;
  const int fraction = 31 - integer_bits;
  const std::int32_t quarter = 1 << (fraction - 2);
  // a = part - remainder, part in [-1/4, 0) and remainder a multiple of 1/4.
  const std::int32_t part = (a & (quarter - 1)) - quarter;
  const std::int32_t remainder = part - a;
  // A polynomial around -1/8, with 31 fractional bits.
  const std::int32_t x = scaled_up(part, integer_bits) + (1 << 28);
  const std::int32_t x2 = high_product(x, x), x3 = high_product(x2, x), x4 = high_product(x2, x2);
  const std::int32_t third = fixed(1.0 / 3, 31), centre = fixed(std::exp(-0.125), 31);
  const std::int32_t tail = rounded_quotient(high_product(rounded_quotient(x4, 2) + x3, third) + x2, 1);
  std::int32_t result = saturated(std::int64_t{centre} + high_product(centre, x + tail));
  for (int exponent = -2; exponent < integer_bits; ++exponent) {
    if ((remainder >> (fraction + exponent) & 1) != 0) result = high_product(result, fixed(std::exp(-std::ldexp(1.0, exponent)), 31));
  }
  return result;
}

std::int32_t reciprocal_of_one_plus(std::int32_t a) { return scaled_up(newton(a), 1); }

std::int32_t quotient_of_one_minus_and_one_plus(std::int32_t a) { return scaled_up(newton(a) - (1 << 29), 2); }

std::int32_t logistic(std::int32_t a) {
  if (a == 0) return 1 << 30;
  const std::int32_t of_magnitude = reciprocal_of_one_plus(exponential(a < 0 ? a : -a, 4));
  return a > 0 ? of_magnitude : kOne - of_magnitude;
}

std::int32_t hyperbolic_tangent(std::int32_t a) {
  if (a == 0) return 0;
  const std::int32_t of_magnitude = quotient_of_one_minus_and_one_plus(exponential(a < 0 ? a : -a, 5));  // twice the number
  return a < 0 ? -of_magnitude : of_magnitude;
}

}  // namespace cox::tests::tflite_reference
