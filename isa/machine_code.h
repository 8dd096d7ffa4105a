// SPDX-License-Identifier: MIT
// Bits of a fixed-size instruction: bit n is bit n % 32 of word n / 32.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "coxswain/isa/field.h"

namespace cox::isa {

template <std::size_t Words>
using Words32 = std::array<std::uint32_t, Words>;

// Both functions are always inlined: for a place that is known at compile time, a few instructions remain.

/// Bits [bit + width - 1 : bit], 1 to 32 of them, as an unsigned number.
template <std::size_t Words>
[[gnu::always_inline]] constexpr std::uint32_t extract_bits(const Words32<Words> &code, unsigned bit, unsigned width) {
  const unsigned word = bit / 32;
  const unsigned shift = bit % 32;
  std::uint32_t bits = code[word] >> shift;
  if (shift + width > 32) bits |= code[word + 1] << (32 - shift);
  return bits & (~std::uint32_t{0} >> (32 - width));
}

/// Replaces bits [bit + width - 1 : bit] by the low bits of `value`.
template <std::size_t Words>
[[gnu::always_inline]] constexpr void insert_bits(Words32<Words> &code, unsigned bit, unsigned width, std::uint32_t value) {
  const unsigned word = bit / 32;
  const unsigned shift = bit % 32;
  const std::uint32_t mask = ~std::uint32_t{0} >> (32 - width);
  code[word] = (code[word] & ~(mask << shift)) | (value & mask) << shift;
  if (shift + width > 32) code[word + 1] = (code[word + 1] & ~(mask >> (32 - shift))) | (value & mask) >> (32 - shift);
}

/// Returns the value of an integer, boolean or enumeration field, or the bits of a floating-point field.
template <std::size_t Words>
constexpr std::int64_t read_integer(const Words32<Words> &code, const Field &field, unsigned element = 0) {
  const std::uint32_t raw = extract_bits(code, field.bit_of(element), field.width);
  if (field.kind != Kind::integer || field.minimum >= 0) return raw;
  const std::uint64_t sign = std::uint64_t{1} << (field.width - 1);
  return static_cast<std::int64_t>((raw ^ sign) - sign);
}

/// Returns the value of a floating-point field.
template <std::size_t Words>
constexpr float read_float(const Words32<Words> &code, const Field &field, unsigned element = 0) {
  return std::bit_cast<float>(extract_bits(code, field.bit_of(element), field.width));
}

}  // namespace cox::isa
