// SPDX-License-Identifier: MIT
// One element of any format: conversion to a number and to other formats (docs/arithmetic.md, Formats, Conversions).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/isa/numbers/float16.h"
#include "coxswain/isa/tile/format.h"
#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/memory.h"

namespace cox::model::arithmetic {

/// The bits of every NaN result, in BF16 and in FP32. For FP16, see isa::numbers::kHalfNan.
inline constexpr std::uint16_t kBfloat16Nan = 0x7FC0;
inline constexpr std::uint32_t kFloatNan = 0x7FC00000;

/// The range of an integer format.
struct Limits {
  std::int64_t low = 0, high = 0;
};
[[nodiscard]] constexpr Limits limits_of(const isa::tile::Format &format) {
  const unsigned bits = bits_of(format.format);
  if (!format.is_signed) return {0, (std::int64_t{1} << bits) - 1};
  return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
}

/// Returns the value of an element of an integer format.
[[nodiscard]] constexpr std::int64_t integer_of(std::uint32_t element, const isa::tile::Format &format) {
  const unsigned unused = 64 - bits_of(format.format);
  const std::uint64_t upper = std::uint64_t{element} << unused;
  return format.is_signed ? static_cast<std::int64_t>(upper) >> unused : static_cast<std::int64_t>(upper >> unused);
}

/// Returns the low bits of `value`, as many as an element of the format has.
[[nodiscard]] constexpr std::uint32_t element_of(std::int64_t value, const isa::tile::Format &format) {
  return static_cast<std::uint32_t>(value & ((std::int64_t{1} << bits_of(format.format)) - 1));
}

[[nodiscard]] constexpr std::int64_t saturate(std::int64_t value, const Limits &limits) {
  return value < limits.low ? limits.low : value > limits.high ? limits.high : value;
}

/// Rounds and saturates `value`; a NaN gives 0. Requires the default floating-point environment.
[[nodiscard]] inline std::int64_t to_integer(float value, isa::tile::Float2Fixed rounding, const Limits &limits) {
  if (std::isnan(value)) return 0;
  float integral = 0;
  switch (rounding) {
    case isa::tile::Float2Fixed::CEIL: integral = std::ceil(value); break;
    case isa::tile::Float2Fixed::FLOOR: integral = std::floor(value); break;
    case isa::tile::Float2Fixed::ROUND: integral = std::nearbyint(value); break;  // half to even
    case isa::tile::Float2Fixed::TRUNCATE: integral = std::trunc(value); break;
  }
  if (static_cast<double>(integral) >= static_cast<double>(limits.high)) return limits.high;
  if (static_cast<double>(integral) <= static_cast<double>(limits.low)) return limits.low;
  return static_cast<std::int64_t>(integral);
}

/// Returns the value of an element of any format. Integers of 32 bits round to nearest even; everything else is exact, and a NaN keeps its
/// payload.
[[nodiscard]] constexpr float real_of(std::uint32_t element, const isa::tile::Format &format) {
  switch (format.format) {
    case isa::tile::DataFmt::FP16: return isa::numbers::half_to_float(static_cast<std::uint16_t>(element));
    case isa::tile::DataFmt::BF16: return isa::numbers::bfloat16_to_float(static_cast<std::uint16_t>(element));
    case isa::tile::DataFmt::FP32: return std::bit_cast<float>(element);
    default: return static_cast<float>(integer_of(element, format));
  }
}

/// Converts to a floating-point format: rounds to nearest even, and overflows to Inf. Every NaN gets the same bits.
[[nodiscard]] constexpr std::uint32_t floating_element(float value, isa::tile::DataFmt format) {
  if (format == isa::tile::DataFmt::FP16) return isa::numbers::float_to_half(value);
  const bool nan = value != value;
  if (format == isa::tile::DataFmt::BF16) return nan ? kBfloat16Nan : isa::numbers::bfloat16_from_float(value);
  return nan ? kFloatNan : std::bit_cast<std::uint32_t>(value);
}

/// Converts to any format. `rounding` applies to integer formats.
[[nodiscard]] inline std::uint32_t to_element(float value, const isa::tile::Format &format, isa::tile::Float2Fixed rounding) {
  if (is_integer(format.format)) return element_of(to_integer(value, rounding, limits_of(format)), format);
  return floating_element(value, format.format);
}

/// Converts to FP32 by rounding to odd: truncates, and sets the last bit if truncation lost a 1. Rounding the result to FP16 or BF16 then
/// gives the same as rounding `value` directly.
[[nodiscard]] constexpr float round_to_odd(std::int64_t value) {
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  const int lost = static_cast<int>(std::bit_width(magnitude)) - 24;
  if (lost <= 0) return static_cast<float>(value);
  const std::uint64_t kept = magnitude >> lost;
  const std::uint64_t odd = (kept << lost) != magnitude ? kept | 1 : kept;
  const auto cut = static_cast<float>(static_cast<std::int64_t>(odd << lost));
  return value < 0 ? -cut : cut;
}

/// Converts the value of an element to another format with one rounding. If the formats are the same, copies the bits.
[[nodiscard]] inline std::uint32_t convert(std::uint32_t element, const isa::tile::Format &from, const isa::tile::Format &to) {
  if (from == to) return element;
  if (!is_integer(from.format)) return to_element(real_of(element, from), to, isa::tile::Float2Fixed::ROUND);
  const std::int64_t value = integer_of(element, from);
  if (is_integer(to.format)) return element_of(saturate(value, limits_of(to)), to);
  return floating_element(to.format == isa::tile::DataFmt::FP32 ? static_cast<float>(value) : round_to_odd(value), to.format);
}

/// Reads the element of `bits` bits (4, 8, 16 or 32) that begins at bit `bit` of `memory`.
[[nodiscard]] inline std::uint32_t read_element(const Memory &memory, std::int64_t bit, unsigned bits) {
  std::uint32_t element = 0;  // little-endian, like the host
  if (bits == 4) {
    memory.read(bit >> 3, &element, 1);
    return (element >> (bit & 4)) & 0xF;
  }
  memory.read(bit >> 3, &element, bits / 8);
  return element;
}

/// Reads `count` elements that lie side by side.
inline void read_elements(const Memory &memory, std::int64_t bit, unsigned bits, std::size_t count, std::vector<std::uint32_t> &elements) {
  elements.assign(count, 0);
  const std::int64_t first = bit >> 3;
  const std::int64_t end = (bit + static_cast<std::int64_t>(count) * bits + 7) >> 3;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(end - first));
  memory.read(first, bytes.data(), end - first);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(bit & 7) + i * bits;
    if (bits == 4) {
      elements[i] = static_cast<std::uint32_t>(bytes[at / 8] >> (at % 8)) & 0xF;
    } else {
      std::memcpy(&elements[i], &bytes[at / 8], bits / 8);
    }
  }
}

/// The first bit of channel `channel` of a pixel that begins at byte `pixel`.
[[nodiscard]] constexpr std::int64_t element_bit(const isa::tile::Map &map, std::int64_t pixel, std::int64_t channel) {
  return pixel * 8 + channel * static_cast<std::int64_t>(map.element_bits);
}

}  // namespace cox::model::arithmetic
