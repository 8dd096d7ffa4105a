// SPDX-License-Identifier: MIT
// Elements of all units but 64-bit ones, in blocks of numbers of one type, for loops that the compiler can vectorise.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>

#include "sim/model/unity/arithmetic/elements.h"

namespace cox::model::unity::fast {

/// Integers of at most 32 bits.
inline bool is_small(Unit unit) { return !is_float(unit) && bits_of(unit) <= 32; }

constexpr std::size_t kBlock = 512;
template <typename Number>
using Block = std::array<Number, kBlock>;

/// Calls `use` with a value of the type that holds the unit, if it has whole bytes.
template <typename Use>
bool with_type(Unit unit, Use use) {
  switch (unit) {
    case Unit::u8: use(std::uint8_t{}); return true;
    case Unit::u16: use(std::uint16_t{}); return true;
    case Unit::u32: use(std::uint32_t{}); return true;
    case Unit::s8: use(std::int8_t{}); return true;
    case Unit::s16: use(std::int16_t{}); return true;
    case Unit::s32: use(std::int32_t{}); return true;
    case Unit::fp32: use(float{}); return true;
    default: return false;
  }
}

/// FP32 is the widest float, so wide integers round to it.
template <typename Number, typename Element>
Number number_of(Element element) {
  if constexpr (std::is_same_v<Number, double>) {
    return static_cast<double>(static_cast<float>(element));
  } else {
    return static_cast<Number>(element);
  }
}

template <typename Number>
void load(const std::byte *run, Unit unit, std::uint64_t first, std::size_t count, Number *to) {
  const bool known = with_type(unit, [&](auto element) {
    using Element = decltype(element);
    for (std::size_t i = 0; i < count; ++i) {
      Element value;
      std::memcpy(&value, run + (first + i) * sizeof(Element), sizeof(Element));
      to[i] = number_of<Number>(value);
    }
  });
  if (known) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = load_bits(run, unit, first + i);
    to[i] = unit == Unit::fp16 ? static_cast<Number>(real_of_bits(bits, unit)) : number_of<Number>(isa::unity::integer_of(unit, bits));
  }
}

template <typename Element>
void store_elements(std::byte *run, std::uint64_t first, std::size_t count, const std::int64_t *from) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<Element>(from[i]);
    std::memcpy(run + (first + i) * sizeof(Element), &value, sizeof(Element));
  }
}

/// Stores the low bits.
inline void store(std::byte *run, Unit unit, std::uint64_t first, std::size_t count, const std::int64_t *from) {
  switch (bits_of(unit)) {
    case 8: store_elements<std::uint8_t>(run, first, count, from); break;
    case 16: store_elements<std::uint16_t>(run, first, count, from); break;
    case 32: store_elements<std::uint32_t>(run, first, count, from); break;
    default:
      for (std::size_t i = 0; i < count; ++i) store_bits(run, unit, first + i, static_cast<std::uint64_t>(from[i]));
  }
}

struct Range {
  std::int64_t low, high;
};
inline Range range_of(Unit unit) { return {isa::unity::minimum_of(unit), static_cast<std::int64_t>(isa::unity::maximum_of(unit))}; }

}  // namespace cox::model::unity::fast
