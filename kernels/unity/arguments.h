// SPDX-License-Identifier: MIT
// What the arguments of the kernels share. Tensors are INT8 with the layout NHWC, without gaps, at device addresses.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "isa/unity/units.h"
#include "kernels/unity/program_builder.h"

namespace cox::kernels::unity {

using isa::unity::Opcode;
using isa::unity::Unit;

inline constexpr std::uint32_t kMostSide = 4095;  ///< of a map's sides and channels, in elements

/// Bounds of a result. Both 0: unsupported, because an operand table means no bounds by it.
struct Bounds {
  std::int32_t least = INT8_MIN, most = INT8_MAX;

  [[nodiscard]] constexpr bool is_full() const { return least == INT8_MIN && most == INT8_MAX; }
};

/// The real number multiplier / 2^31 * 2^shift, as TensorFlow Lite has it. The multiplier is positive, the shift from -31 to 30.
struct Multiplier {
  std::int32_t multiplier = 0, shift = 0;
};

struct NamedNumber {
  const char *name;
  std::uint32_t value;
};

/// Error: invalid_argument for the first number that is 0 or more than `most`.
[[nodiscard]] inline Status check_numbers(std::span<const NamedNumber> numbers, std::uint32_t most) {
  for (const NamedNumber &number : numbers) {
    if (number.value == 0 || number.value > most) return {ErrorCode::invalid_argument, number.name, -1, number.value, most};
  }
  return {};
}

/// Error: invalid_argument ("multiplier", "shift").
[[nodiscard]] inline Status check_multiplier(const Multiplier &multiplier) {
  if (multiplier.multiplier <= 0) return {ErrorCode::invalid_argument, "multiplier", -1, multiplier.multiplier, 1};
  if (multiplier.shift < -31 || multiplier.shift > 30) return {ErrorCode::invalid_argument, "shift", -1, multiplier.shift, 30};
  return {};
}

/// Errors: invalid_argument ("bounds") if they are no bounds of INT8; unsupported ("bounds") if both are 0.
[[nodiscard]] inline Status check_bounds(const Bounds &bounds) {
  if (bounds.least > bounds.most || bounds.least < INT8_MIN || bounds.most > INT8_MAX)
    return {ErrorCode::invalid_argument, "bounds", -1, bounds.least, bounds.most};
  if (bounds.least == 0 && bounds.most == 0) return {ErrorCode::unsupported, "bounds"};
  return {};
}

/// Error: invalid_argument (`what`) for a zero point or a value that is no INT8.
[[nodiscard]] inline Status check_int8(const char *what, std::int32_t value) {
  if (value >= INT8_MIN && value <= INT8_MAX) return {};
  return {ErrorCode::invalid_argument, what, -1, value, value < 0 ? INT8_MIN : INT8_MAX};
}

/// Code of a unit in operand tables.
constexpr std::uint64_t code_of(Unit unit) { return static_cast<std::uint64_t>(unit); }
/// The low bits of a signed number, as operand tables hold it.
constexpr std::uint64_t byte_of(std::int32_t value) { return static_cast<std::uint8_t>(value); }
constexpr std::uint64_t half_of(std::int32_t value) { return static_cast<std::uint16_t>(value); }
constexpr std::uint64_t word_of(std::int32_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace cox::kernels::unity
