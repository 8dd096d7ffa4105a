// SPDX-License-Identifier: MIT
// Converts packed INT4 to one INT4 in each byte, and back. The even element of a byte has the lower four bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cox::model::arithmetic {

inline void unpack_nibbles(const std::byte *__restrict from, std::int64_t count, bool is_signed, std::byte *__restrict to) {
  const auto *pairs = reinterpret_cast<const std::uint8_t *>(from);
  auto *elements = reinterpret_cast<std::uint8_t *>(to);
  const unsigned sign = is_signed ? 8 : 0;
  for (std::int64_t i = 0; i < count / 2; ++i) {
    elements[2 * i] = static_cast<std::uint8_t>(((pairs[i] & 0xFu) ^ sign) - sign);
    elements[2 * i + 1] = static_cast<std::uint8_t>((static_cast<unsigned>(pairs[i] >> 4) ^ sign) - sign);
  }
  if (count % 2 != 0) elements[count - 1] = static_cast<std::uint8_t>(((pairs[count / 2] & 0xFu) ^ sign) - sign);
}

/// Packs `count` INT4. If `count` is odd, the other half of the last byte becomes 0.
inline void pack_nibbles(const std::byte *__restrict from, std::int64_t count, std::byte *__restrict to) {
  const auto *elements = reinterpret_cast<const std::uint8_t *>(from);
  auto *pairs = reinterpret_cast<std::uint8_t *>(to);
  for (std::int64_t i = 0; i < count / 2; ++i)
    pairs[i] = static_cast<std::uint8_t>((elements[2 * i] & 0xFu) | (static_cast<unsigned>(elements[2 * i + 1]) << 4));
  if (count % 2 != 0) pairs[count / 2] = elements[count - 1] & 0xFu;
}

}  // namespace cox::model::arithmetic
