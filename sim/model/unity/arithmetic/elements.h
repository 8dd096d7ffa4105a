// SPDX-License-Identifier: MIT
// Elements of the 13 units in memory: little-endian, two to a byte for units of 4 bits, the low half first (docs/unity-arithmetic.md,
// Numbers).
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "coxswain/isa/numbers/float16.h"
#include "coxswain/isa/unity/units.h"
#include "sim/model/unity/arithmetic/whole.h"

namespace cox::model::unity {

using isa::unity::Unit;

using isa::unity::bits_of;
using isa::unity::is_float;
using isa::unity::is_signed;
using isa::unity::nibbles_of;
using isa::unity::run_bytes;

/// All bits of an element.
[[nodiscard]] constexpr std::uint64_t mask_of(Unit unit) { return ~std::uint64_t{0} >> (64 - bits_of(unit)); }

inline constexpr std::uint64_t kNan16 = 0x7E00, kNan32 = 0x7FC00000, kNan64 = 0x7FF8000000000000;

/// Bits of the element `nibble` nibbles behind `base`. Only 4-bit elements can be at odd nibbles.
[[nodiscard]] inline std::uint64_t load_at(const std::byte *base, Unit unit, std::uint64_t nibble) {
  const unsigned bits = bits_of(unit);
  if (bits == 4) return std::to_integer<std::uint64_t>(base[nibble / 2]) >> (nibble % 2 * 4) & 0xF;
  std::uint64_t value = 0;
  std::memcpy(&value, base + nibble / 2, bits / 8);
  return value;
}
/// Stores the low bits of `value`. The other half of a byte stays.
inline void store_at(std::byte *base, Unit unit, std::uint64_t nibble, std::uint64_t value) {
  const unsigned bits = bits_of(unit);
  if (bits != 4) {
    std::memcpy(base + nibble / 2, &value, bits / 8);
    return;
  }
  const unsigned shift = nibble % 2 * 4;
  base[nibble / 2] = (base[nibble / 2] & static_cast<std::byte>(0xF0 >> shift)) | static_cast<std::byte>((value & 0xF) << shift);
}

/// Bits of element `index` of a run.
[[nodiscard]] inline std::uint64_t load_bits(const std::byte *run, Unit unit, std::uint64_t index) {
  return load_at(run, unit, index * nibbles_of(unit));
}
inline void store_bits(std::byte *run, Unit unit, std::uint64_t index, std::uint64_t value) {
  store_at(run, unit, index * nibbles_of(unit), value);
}
/// Sets the spare nibble behind a run of 4-bit elements, if there is one, to 0.
inline void clear_spare(std::byte *run, Unit unit, std::uint64_t elements) {
  if (bits_of(unit) == 4 && elements % 2 != 0) run[elements / 2] &= std::byte{0xF};
}

/// The bits of an integer unit as a number.
[[nodiscard]] constexpr Whole whole_of_bits(std::uint64_t bits, Unit unit) {
  return is_signed(unit) ? whole_of(isa::unity::integer_of(unit, bits)) : whole(false, bits);
}

/// The bits of an integer unit that are nearest to `value`, or those of `value` modulo 2^n.
[[nodiscard]] constexpr std::uint64_t bits_of_whole(Whole value, Unit unit, bool saturate) {
  const std::uint64_t mask = mask_of(unit);
  if (saturate) {
    const std::uint64_t largest = isa::unity::maximum_of(unit);
    const std::uint64_t smallest = is_signed(unit) ? largest + 1 : 0;  // its magnitude
    if (!value.negative && value.magnitude > largest) return largest;
    if (value.negative && value.magnitude > smallest) return (0 - smallest) & mask;
  }
  const auto low = static_cast<std::uint64_t>(value.magnitude);
  return (value.negative ? 0 - low : low) & mask;
}

/// FP32 such that rounding it to FP16 is the same as rounding the value to FP16.
[[nodiscard]] inline float odd_rounded(double value) {
  const auto near = static_cast<float>(value);
  if (static_cast<double>(near) == value || std::isnan(value)) return near;
  const auto bits = std::bit_cast<std::uint32_t>(near);
  if ((bits & 1) != 0) return near;
  const bool beyond = std::fabs(static_cast<double>(near)) > std::fabs(value);
  return std::bit_cast<float>(beyond ? bits - 1 : bits + 1);  // the value lies between these two
}
/// Rounds once: to nearest, halves to even. All NaNs become one.
[[nodiscard]] inline std::uint64_t bits_of_real(double value, Unit unit) {
  if (std::isnan(value)) return unit == Unit::fp16 ? kNan16 : unit == Unit::fp32 ? kNan32 : kNan64;
  switch (unit) {
    case Unit::fp16: return isa::numbers::float_to_half(odd_rounded(value));
    case Unit::fp32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default: return std::bit_cast<std::uint64_t>(value);
  }
}
/// Any number of a float unit, without rounding.
[[nodiscard]] inline double real_of_bits(std::uint64_t bits, Unit unit) {
  switch (unit) {
    case Unit::fp16: return static_cast<double>(isa::numbers::half_to_float(static_cast<std::uint16_t>(bits)));
    case Unit::fp32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default: return std::bit_cast<double>(bits);
  }
}
/// False for NaN, true for zeros of both signs.
[[nodiscard]] inline bool is_zero(std::uint64_t bits, Unit unit) { return is_float(unit) ? real_of_bits(bits, unit) == 0 : bits == 0; }
[[nodiscard]] inline double rounded_to(double value, Unit unit) {
  return unit == Unit::fp64 ? value : real_of_bits(bits_of_real(value, unit), unit);
}

/// The number of a float unit that is nearest to a whole number.
[[nodiscard]] inline double real_of_whole(Whole value, Unit unit) {
  double magnitude = 0;
  switch (unit) {
    case Unit::fp16:
      magnitude = rounded_to(static_cast<double>(static_cast<float>(value.magnitude)), unit);
      break;  // FP32 has all below 65,536
    case Unit::fp32: magnitude = static_cast<double>(static_cast<float>(value.magnitude)); break;
    default: magnitude = static_cast<double>(value.magnitude); break;
  }
  return value.negative ? -magnitude : magnitude;
}

/// The whole number next to a real one by the rounding mode. Beyond 64 bits and for infinities it is beyond all units; NaN gives 0.
[[nodiscard]] inline Whole whole_of_real(double value, Rounding rounding) {
  if (std::isnan(value)) return {};
  const bool negative = value < 0;
  const double magnitude = std::fabs(value);
  if (magnitude >= 0x1p100) return whole(negative, Magnitude{1} << 100);
  const double floor = std::floor(magnitude);
  const double rest = magnitude - floor;
  auto result = static_cast<Magnitude>(floor);
  const Magnitude scaled = static_cast<Magnitude>(rest * 0x1p62);  // only comparisons with one half matter
  const Magnitude sticky = static_cast<double>(scaled) * 0x1p-62 == rest ? 0 : 1;
  if (rounds_away(negative, (result & 1) != 0, scaled * 2 + sticky, Magnitude{1} << 63, rounding)) ++result;
  return whole(negative, result);
}

}  // namespace cox::model::unity
