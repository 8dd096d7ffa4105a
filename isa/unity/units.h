// SPDX-License-Identifier: MIT
// The 13 units of elements. A run of elements starts at a byte. 4-bit elements lie two to a byte, the low nibble first; a spare nibble
// behind the last one is 0.
#pragma once

#include <cstdint>

namespace cox::isa::unity {

/// The value is the code in operand tables; codes 13 to 15 do not exist.
enum class Unit : std::uint8_t { u4, u8, u16, u32, u64, s4, s8, s16, s32, s64, fp16, fp32, fp64 };
inline constexpr unsigned kUnits = 13;

constexpr bool is_unit(std::uint64_t code) { return code < kUnits; }
constexpr bool is_float(Unit unit) { return unit >= Unit::fp16; }
constexpr bool is_integer(Unit unit) { return unit < Unit::fp16; }
/// True for signed integers. Floats have signs, too, but this function returns false.
constexpr bool is_signed(Unit unit) { return unit >= Unit::s4 && unit <= Unit::s64; }

constexpr unsigned bits_of(Unit unit) {
  if (is_float(unit)) return 16U << (static_cast<unsigned>(unit) - static_cast<unsigned>(Unit::fp16));
  return 4U << (static_cast<unsigned>(unit) % 5);
}
/// Nibbles of an element: 1 to 16.
constexpr unsigned nibbles_of(Unit unit) { return bits_of(unit) / 4; }
/// Addresses of elements are multiples of this: 1, 2, 4 or 8; 1 for 4-bit elements.
constexpr unsigned alignment_of(Unit unit) { return bits_of(unit) < 8 ? 1 : bits_of(unit) / 8; }
/// Bytes of a run. `elements` is less than 2^60.
constexpr std::uint64_t run_bytes(Unit unit, std::uint64_t elements) { return (elements * nibbles_of(unit) + 1) / 2; }

/// Range of an integer unit.
constexpr std::int64_t minimum_of(Unit unit) { return is_signed(unit) ? -1 - (INT64_MAX >> (64 - bits_of(unit))) : 0; }
constexpr std::uint64_t maximum_of(Unit unit) { return UINT64_MAX >> (64 - bits_of(unit) + (is_signed(unit) ? 1 : 0)); }

/// The value of an integer from its bits. For u64, the caller reads the result as an unsigned number.
constexpr std::int64_t integer_of(Unit unit, std::uint64_t bits) {
  const unsigned spare = 64 - bits_of(unit);
  const std::uint64_t high = bits << spare;
  return is_signed(unit) ? static_cast<std::int64_t>(high) >> spare : static_cast<std::int64_t>(high >> spare);
}

constexpr const char *name_of(Unit unit) {
  constexpr const char *kNames[kUnits] = {"u4", "u8", "u16", "u32", "u64", "s4", "s8", "s16", "s32", "s64", "fp16", "fp32", "fp64"};
  return kNames[static_cast<unsigned>(unit)];
}

}  // namespace cox::isa::unity
