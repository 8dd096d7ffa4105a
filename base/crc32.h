// SPDX-License-Identifier: MIT
// CRC-32 (IEEE 802.3, as zlib's), eight bytes a step: the control core checks whole networks before it runs them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cox {

namespace detail {

using Crc32Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[0] advances the remainder by one byte; tables[k] by one byte and k zero bytes after it.
consteval Crc32Tables make_crc32_tables() {
  constexpr std::uint32_t kPolynomial = 0xEDB88320U;
  Crc32Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1U) != 0 ? kPolynomial : 0U);
    tables[0][byte] = remainder;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

inline constexpr Crc32Tables kCrc32Tables = make_crc32_tables();

}  // namespace detail

/// The checksum of `data`; `previous` is that of the bytes before it, where a checksum is made in pieces.
[[nodiscard]] inline std::uint32_t crc32(std::span<const std::byte> data, std::uint32_t previous = 0) {
  static_assert(std::endian::native == std::endian::little, "words are taken as they lie in memory");
  const auto &tables = detail::kCrc32Tables;
  std::uint32_t remainder = ~previous;
  while (data.size() >= 8) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, data.data(), 4);
    std::memcpy(&high, data.data() + 4, 4);
    low ^= remainder;
    remainder = tables[7][low & 0xFFU] ^ tables[6][(low >> 8) & 0xFFU] ^ tables[5][(low >> 16) & 0xFFU] ^ tables[4][low >> 24] ^
                tables[3][high & 0xFFU] ^ tables[2][(high >> 8) & 0xFFU] ^ tables[1][(high >> 16) & 0xFFU] ^ tables[0][high >> 24];
    data = data.subspan(8);
  }
  for (const std::byte byte : data) remainder = (remainder >> 8) ^ tables[0][(remainder ^ static_cast<std::uint32_t>(byte)) & 0xFFU];
  return ~remainder;
}

}  // namespace cox
