// SPDX-License-Identifier: MIT
// Parts that families of Unity operations share.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/units.h"

namespace cox::isa::unity {

/// Elements one after another.
struct Run {
  std::uint64_t address = 0;
  Unit unit = Unit::u8;
  std::uint64_t elements = 0;

  [[nodiscard]] constexpr std::uint64_t bytes() const { return run_bytes(unit, elements); }
};

/// Rounding of results without floats, and of floats to integers.
enum class Rounding : std::uint8_t {
  drop,            ///< shifts: floor; all others: toward zero
  half_up,         ///< toward +infinity
  half_from_zero,  ///< away from zero
  half_even
};

/// Bounds of a result. Integer results have `minimum` and `maximum`, which are compared as integers before the result is stored; float
/// results have float_minimum and float_maximum (FP16 values). NaN passes.
struct Clip {
  bool on = false;
  std::int32_t minimum = 0, maximum = 0;
  float float_minimum = 0, float_maximum = 0;
};

}  // namespace cox::isa::unity
