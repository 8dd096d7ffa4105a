// SPDX-License-Identifier: MIT
// Whole numbers as exact results have them before they are stored: a sign and 128 bits (docs/unity-arithmetic.md, Numbers).
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/operation.h"

namespace cox::model::unity {

__extension__ using Magnitude = unsigned __int128;

using isa::unity::Rounding;

/// -magnitude or magnitude. Zero is not negative.
struct Whole {
  bool negative = false;
  Magnitude magnitude = 0;

  bool operator==(const Whole &) const = default;
};

[[nodiscard]] constexpr Whole whole(bool negative, Magnitude magnitude) { return {negative && magnitude != 0, magnitude}; }
[[nodiscard]] constexpr Whole whole_of(std::int64_t value) {
  return {value < 0, value < 0 ? Magnitude{0} - static_cast<Magnitude>(value) : static_cast<Magnitude>(value)};
}
[[nodiscard]] constexpr Whole negated(Whole x) { return whole(!x.negative, x.magnitude); }

/// Magnitudes of sums must stay below 2^128.
[[nodiscard]] constexpr Whole operator+(Whole a, Whole b) {
  if (a.negative == b.negative) return whole(a.negative, a.magnitude + b.magnitude);
  return a.magnitude >= b.magnitude ? whole(a.negative, a.magnitude - b.magnitude) : whole(b.negative, b.magnitude - a.magnitude);
}
[[nodiscard]] constexpr Whole operator-(Whole a, Whole b) { return a + negated(b); }
/// Magnitudes of factors must be at most 2^64 - 1.
[[nodiscard]] constexpr Whole operator*(Whole a, Whole b) { return whole(a.negative != b.negative, a.magnitude * b.magnitude); }

[[nodiscard]] constexpr bool operator<(Whole a, Whole b) {
  if (a.negative != b.negative) return a.negative;
  return a.negative ? b.magnitude < a.magnitude : a.magnitude < b.magnitude;
}

/// Whether a magnitude with a rest of `rest` / `divisor` moves one away from zero.
[[nodiscard]] constexpr bool rounds_away(bool negative, bool odd, Magnitude rest, Magnitude divisor, Rounding rounding) {
  if (rounding == Rounding::drop || rest == 0) return false;
  const Magnitude missing = divisor - rest;  // twice the rest may not fit into 128 bits
  if (rest != missing) return rest > missing;
  return rounding == Rounding::half_from_zero || (rounding == Rounding::half_up ? !negative : odd);
}

/// a / b, rounded. `b` is not 0.
[[nodiscard]] constexpr Whole quotient(Whole a, Whole b, Rounding rounding) {
  const bool negative = a.negative != b.negative;
  Magnitude result = a.magnitude / b.magnitude;  // NOLINT(clang-analyzer-core.DivideZero): shapes are at least 1
  const Magnitude rest = a.magnitude % b.magnitude;
  if (rounds_away(negative, (result & 1) != 0, rest, b.magnitude, rounding)) ++result;
  return whole(negative, result);
}

/// a / 2^count, rounded; to drop means towards minus infinity. `count` may be any number.
[[nodiscard]] constexpr Whole shifted_right(Whole a, std::uint64_t count, Rounding rounding) {
  // More than 126 places make no difference: the magnitude is less than 2^64.
  const unsigned places = count > 126 ? 126 : static_cast<unsigned>(count);
  const Magnitude divisor = Magnitude{1} << places;
  Magnitude result = a.magnitude >> places;
  const Magnitude rest = a.magnitude & (divisor - 1);
  const bool away =
      rounding == Rounding::drop ? a.negative && rest != 0 : rounds_away(a.negative, (result & 1) != 0, rest, divisor, rounding);
  return whole(a.negative, result + (away ? 1 : 0));
}

}  // namespace cox::model::unity
