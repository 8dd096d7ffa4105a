// SPDX-License-Identifier: MIT
// From exact sums of whole numbers to results (docs/unity-arithmetic.md, Requantisation).
#pragma once

#include "sim/model/unity/arithmetic/fixed_point.h"
#include "sim/model/unity/arithmetic/number.h"

namespace cox::model::unity {

/// Q31 multiplier of the low 32 bits, then the zero point.
[[nodiscard]] constexpr Whole requantised_sum(std::int64_t sum, std::int32_t multiplier, std::int32_t shift, Whole zero) {
  return whole_of(requantised(static_cast<std::int32_t>(static_cast<std::uint64_t>(sum)), multiplier, shift)) + zero;
}

/// A multiplier that is a float: each step in FP32, then to nearest, halves to even.
[[nodiscard]] inline double scaled_sum(Whole sum, double multiplier, Whole zero) {
  const auto product = static_cast<float>(real_of_whole(sum, Unit::fp32)) * static_cast<float>(multiplier);
  return static_cast<double>(product + static_cast<float>(real_of_whole(zero, Unit::fp32)));
}

/// A result of an operation on whole numbers: bounds, then clamped to the unit.
[[nodiscard]] inline std::uint64_t finished(Whole value, const isa::unity::Clip &clip, Unit unit) {
  return is_float(unit) ? stored(clipped(real_of_whole(value, unit), clip), unit, Rounding::half_even)
                        : bits_of_whole(clipped(value, clip), unit, true);
}
/// A result of an operation on real numbers.
[[nodiscard]] inline std::uint64_t finished(double value, const isa::unity::Clip &clip, Unit unit) {
  return is_float(unit) ? bits_of_real(clipped(value, clip), unit)
                        : bits_of_whole(clipped(whole_of_real(value, Rounding::half_even), clip), unit, true);
}

}  // namespace cox::model::unity
