// SPDX-License-Identifier: MIT
// The roundings of quantisation, in 128 bits.
#pragma once

#include <cstdint>

#include "tests/sim/pim/reference/state.h"

namespace cox::model::pim::oracle {

__extension__ typedef __int128 Wide;

/// The nearest number of `width` bits in two's complement.
inline std::int64_t saturated(Wide value, unsigned width) {
  const Wide end = Wide{1} << (width - 1);
  if (value < -end) return static_cast<std::int64_t>(-end);
  return static_cast<std::int64_t>(value > end - 1 ? end - 1 : value);
}

/// ⌊numerator / 2^shift⌋.
inline Wide floor_shift(Wide numerator, unsigned shift) {
  const Wide denominator = Wide{1} << shift;
  Wide quotient = numerator / denominator;
  if (numerator % denominator < 0) --quotient;
  return quotient;
}

/// SRDHM(a, b) = ⌊(a·b + 2^30) / 2^31⌋, at most 2^31 − 1.
inline std::int64_t rounding_doubling_high_multiply(std::int64_t a, std::int64_t b) {
  return saturated(floor_shift(Wide{a} * b + (Wide{1} << 30), 31), 32);
}

/// RDBPOT(x, s) = x / 2^s, halves away from 0.
inline std::int64_t rounding_divide_by_power_of_two(std::int64_t x, unsigned s) {
  const Wide magnitude = x < 0 ? -Wide{x} : Wide{x};
  const Wide quotient = (2 * magnitude + (Wide{1} << s)) / (Wide{2} << s);
  return static_cast<std::int64_t>(x < 0 ? -quotient : quotient);
}

/// MUL(x, m, s); s from −31 to 31, else a fault.
inline std::int64_t multiply_by_quantized_multiplier(std::int64_t x, std::int64_t m, std::int64_t s) {
  require(s >= -31 && s <= 31);
  if (s < 0) return rounding_doubling_high_multiply(saturated(Wide{x} << static_cast<unsigned>(-s), 32), m);
  return rounding_divide_by_power_of_two(rounding_doubling_high_multiply(x, m), static_cast<unsigned>(s));
}

}  // namespace cox::model::pim::oracle
