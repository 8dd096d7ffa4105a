// SPDX-License-Identifier: MIT
// Vectors of a PIM core's memories: element 0 in the lowest bits of the first byte, all widths two's complement (docs/isa/pim.md, Data).
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/pim/place.h"

namespace cox::model::pim {

using isa::pim::vector_bytes;

[[nodiscard]] inline bool read_bit(const std::byte *bytes, std::uint64_t number) {
  return (std::to_integer<unsigned>(bytes[number / 8]) >> (number % 8) & 1) != 0;
}

/// Element `index` with its sign extended. `width` is 1, 2, 4, 8, 16 or 32.
[[nodiscard]] inline std::int32_t read_element(const std::byte *vector, std::uint64_t index, unsigned width) {
  const std::uint64_t bit = index * width;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < (width + 7) / 8; ++i) value |= std::to_integer<std::uint32_t>(vector[bit / 8 + i]) << (8 * i);
  value >>= bit % 8;  // 0 for whole bytes
  return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

/// Writes the low `width` bits of `value`. The element's bits must be 0 before.
inline void write_element(std::byte *vector, std::uint64_t index, unsigned width, std::uint32_t value) {
  const std::uint64_t bit = index * width;
  if (width < 8) {
    vector[bit / 8] |= static_cast<std::byte>((value & ((1U << width) - 1)) << (bit % 8));
    return;
  }
  for (unsigned i = 0; i < width / 8; ++i) vector[bit / 8 + i] = static_cast<std::byte>(value >> (8 * i));
}

/// Smallest and largest number of `width` bits.
[[nodiscard]] constexpr std::int32_t smallest(unsigned width) { return static_cast<std::int32_t>(-(std::int64_t{1} << (width - 1))); }
[[nodiscard]] constexpr std::int32_t largest(unsigned width) { return static_cast<std::int32_t>((std::int64_t{1} << (width - 1)) - 1); }

}  // namespace cox::model::pim
