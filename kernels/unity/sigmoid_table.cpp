// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/sigmoid_table.h"

#include <algorithm>
#include <cstdlib>

namespace cox::kernels::unity {

namespace {

// Numbers Qn.m have n integer bits and m = 31 - n fractional bits.
constexpr std::int32_t kOneQ0 = INT32_MAX;
constexpr std::int32_t kOneQ2 = 1 << 29;

constexpr std::int32_t saturated(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}
constexpr std::int32_t shifted_up(std::int32_t value, unsigned bits) { return saturated(std::int64_t{value} << bits); }

/// a * b / 2^31, rounded half away from zero upwards, as TensorFlow Lite's SaturatingRoundingDoublingHighMul.
constexpr std::int32_t product(std::int32_t a, std::int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  const std::int64_t whole = std::int64_t{a} * b;
  const std::int64_t nudge = whole >= 0 ? 1LL << 30 : 1 - (1LL << 30);
  return static_cast<std::int32_t>((whole + nudge) / (1LL << 31));
}
/// value / 2^bits, halves away from zero.
constexpr std::int32_t quotient(std::int32_t value, unsigned bits) {
  if (bits == 0) return value;
  const std::int64_t half = 1LL << (bits - 1), magnitude = value < 0 ? -std::int64_t{value} : value;
  const std::int64_t result = (magnitude + half) >> bits;
  return static_cast<std::int32_t>(value < 0 ? -result : result);
}
constexpr std::int32_t requantised(std::int32_t value, const Multiplier &m) {
  const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << std::max<std::int32_t>(m.shift, 0));
  return quotient(product(shifted, m.multiplier), static_cast<unsigned>(std::max<std::int32_t>(-m.shift, 0)));
}

/// exp(a) in Q0 for a <= 0 with `integer_bits` integer bits, at most 5.
std::int32_t exponential(std::int32_t a, unsigned integer_bits) {
  if (a == 0) return kOneQ0;
  const unsigned fraction = 31 - integer_bits;
  const std::int32_t quarter = 1 << (fraction - 2);
  const std::int32_t part = (a & (quarter - 1)) - quarter;  // in [-1/4, 0)
  // A polynomial of degree 4 around -1/8.
  constexpr std::int32_t kCentre = 1895147668, kThird = 715827883;  // exp(-1/8), 1/3
  const std::int32_t x = shifted_up(part, integer_bits) + (1 << 28);
  const std::int32_t x2 = product(x, x), x3 = product(x2, x), x4 = product(x2, x2);
  const std::int32_t tail = quotient(product(quotient(x4, 2) + x3, kThird) + x2, 1);
  std::int32_t result = saturated(std::int64_t{kCentre} + product(kCentre, x + tail));
  // exp(-2^i) for i from -2 to 4.
  constexpr std::int32_t kPowers[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  const std::int32_t remainder = part - a;
  for (unsigned i = 0; i < integer_bits + 2; ++i) {
    if ((remainder >> (fraction - 2 + i) & 1) != 0) result = product(result, kPowers[i]);
  }
  return result;
}

/// 2 / (1 + a) in Q2 for a in [0, 1) with 31 fractional bits: three steps of Newton's method.
std::int32_t twice_reciprocal(std::int32_t a) {
  const std::int64_t sum = std::int64_t{a} + kOneQ0;
  const auto half = static_cast<std::int32_t>((sum + 1) / 2);
  constexpr std::int32_t k48Of17 = 1515870810, kMinus32Of17 = -1010580540;
  std::int32_t x = k48Of17 + product(half, kMinus32Of17);
  for (int step = 0; step < 3; ++step) x += shifted_up(product(x, kOneQ2 - product(half, x)), 2);
  return x;
}

/// In Q0.
std::int32_t logistic(std::int32_t a) {
  if (a == 0) return 1 << 30;
  const std::int32_t result = shifted_up(twice_reciprocal(exponential(-std::abs(a), 4)), 1);
  return a > 0 ? result : kOneQ0 - result;
}
std::int32_t hyperbolic_tangent(std::int32_t a) {
  if (a == 0) return 0;
  const std::int32_t result = shifted_up(twice_reciprocal(exponential(-std::abs(a), 5)) - kOneQ2, 2);
  return a > 0 ? result : -result;
}

std::int8_t entry_of(const SigmoidNumbers &n, std::int32_t x) {
  const std::int32_t difference = x - n.input_zero;
  if (std::abs(difference) >= n.radius) return difference < 0 ? INT8_MIN : INT8_MAX;
  const std::int32_t a = requantised(difference, n.multiplier);
  const std::int32_t result = n.tanh ? quotient(hyperbolic_tangent(a), 31 - 7) : quotient(logistic(a), 31 - 8) - 128;
  return static_cast<std::int8_t>(std::clamp<std::int32_t>(result, INT8_MIN, INT8_MAX));
}

}  // namespace

void write_sigmoid_table(const SigmoidNumbers &numbers, std::span<std::int8_t, kLookUpBytes> table) {
  for (std::int32_t x = INT8_MIN; x <= INT8_MAX; ++x) table[static_cast<std::uint8_t>(x)] = entry_of(numbers, x);
}

}  // namespace cox::kernels::unity
