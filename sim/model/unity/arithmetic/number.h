// SPDX-License-Identifier: MIT
// An element's value, exact: a whole number or a real one, and how elements become values and values elements (docs/unity-arithmetic.md,
// Numbers).
#pragma once

#include <algorithm>
#include <initializer_list>

#include "sim/model/unity/arithmetic/elements.h"

namespace cox::model::unity {

/// How results that are not whole, or too large, are stored in integers.
struct Storing {
  bool saturate = false;  ///< clamp instead of modulo 2^n; real results are always clamped
  Rounding rounding = Rounding::drop;
};

/// The widest float unit among some, or none of them is a float.
class WidestFloat {
 public:
  constexpr WidestFloat(std::initializer_list<Unit> units) {
    for (const Unit unit : units) include(unit);
  }
  constexpr void include(Unit unit) {
    if (!is_float(unit)) return;
    unit_ = std::max(unit_, unit);
    exists_ = true;
  }
  [[nodiscard]] constexpr explicit operator bool() const { return exists_; }
  [[nodiscard]] constexpr Unit operator*() const { return unit_; }

 private:
  bool exists_ = false;
  Unit unit_ = Unit::fp16;
};

/// Bits of any unit as a real number of a float unit, rounded if it has fewer bits.
[[nodiscard]] inline double real_in(std::uint64_t bits, Unit unit, Unit real) {
  return is_float(unit) ? rounded_to(real_of_bits(bits, unit), real) : real_of_whole(whole_of_bits(bits, unit), real);
}

/// A real number as bits of any unit.
[[nodiscard]] inline std::uint64_t stored(double value, Unit unit, Rounding rounding) {
  return is_float(unit) ? bits_of_real(value, unit) : bits_of_whole(whole_of_real(value, rounding), unit, true);
}
/// A whole number of at most 64 bits as bits of any unit.
[[nodiscard]] inline std::uint64_t stored(Whole value, Unit unit, bool saturate) {
  return is_float(unit) ? bits_of_real(real_of_whole(value, unit), unit) : bits_of_whole(value, unit, saturate);
}

/// Bounds of a result. NaN passes.
[[nodiscard]] constexpr Whole clipped(Whole value, const isa::unity::Clip &clip) {
  if (!clip.on) return value;
  const Whole low = whole_of(clip.minimum), high = whole_of(clip.maximum);
  return value < low ? low : high < value ? high : value;
}
[[nodiscard]] inline double clipped(double value, const isa::unity::Clip &clip) {
  if (!clip.on) return value;
  if (value < static_cast<double>(clip.float_minimum)) return static_cast<double>(clip.float_minimum);
  return value > static_cast<double>(clip.float_maximum) ? static_cast<double>(clip.float_maximum) : value;
}

/// Converts an element: integers exactly, then modulo or clamped; floats by the mode, clamped.
[[nodiscard]] inline std::uint64_t converted(std::uint64_t bits, Unit from, Unit to, Storing storing) {
  return is_float(from) ? stored(real_of_bits(bits, from), to, storing.rounding) : stored(whole_of_bits(bits, from), to, storing.saturate);
}

}  // namespace cox::model::unity
