// SPDX-License-Identifier: MIT
// What the arguments of the kernels share. Tensors are INT8 with the layout NHWC, without gaps, at device addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/units.h"
#include "coxswain/kernels/unity/program_builder.h"

namespace cox::kernels::unity {

using isa::unity::Opcode;
using isa::unity::Unit;

inline constexpr std::uint32_t kMostSide = 4095;  ///< of a map's sides and channels, in elements
// Limits of windows. Kernels and pads above the first two take an operation for large ones.
inline constexpr std::uint32_t kMostKernel = 15, kMostPad = 15, kMostGeneralPad = 255, kMostStride = 15;

/// Bounds of a result. Both 0: unsupported, because an operand table means no bounds by it.
struct Bounds {
  std::int32_t least = INT8_MIN, most = INT8_MAX;

  [[nodiscard]] constexpr bool is_full() const { return least == INT8_MIN && most == INT8_MAX; }
};

/// The real number multiplier / 2^31 * 2^shift, as TensorFlow Lite has it. The multiplier is positive, the shift from -31 to 30.
struct Multiplier {
  std::int32_t multiplier = 0, shift = 0;
};

/// Limits of a number of 32 bits among the arguments of a kernel.
struct NumberLimits {
  const char *name;
  std::size_t offset;  ///< of the number in the arguments, in bytes
  std::uint32_t most;
  std::uint32_t least = 1;
};

/// `arguments` is the structure to which the offsets belong. Error: invalid_argument for the first number that is outside of its limits;
/// `limit` is the largest one.
[[nodiscard]] Status check_numbers(const void *arguments, std::span<const NumberLimits> numbers);

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
