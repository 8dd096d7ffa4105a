// SPDX-License-Identifier: MIT
// Parts that families of Unity operations share.
#pragma once

#include <cstdint>

#include "isa/unity/units.h"

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

}  // namespace cox::isa::unity
