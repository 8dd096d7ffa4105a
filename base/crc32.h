// SPDX-License-Identifier: MIT
// CRC-32 (IEEE 802.3, as zlib's).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cox {

/// The CRC remainders of all byte values. A faster loop would need eight such tables, which take 8 KiB of program memory.
using Crc32Table = std::array<std::uint32_t, 256>;

/// Sets table[b] to the CRC remainder of byte b.
constexpr void fill_crc32_table(Crc32Table &table) {
  constexpr std::uint32_t kPolynomial = 0xEDB88320U;
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1U) != 0 ? kPolynomial : 0U);
    table[byte] = remainder;
  }
}

namespace detail {

consteval Crc32Table make_crc32_table() {
  Crc32Table table{};
  fill_crc32_table(table);
  return table;
}

inline constexpr Crc32Table kCrc32Table = make_crc32_table();

}  // namespace detail

/// Returns the checksum of `data`. To compute a checksum in pieces, pass the checksum of the earlier bytes as `previous`. By default,
/// `table` is in program memory. A caller that has more RAM than program memory can fill a table in RAM with fill_crc32_table() and pass
/// it.
[[nodiscard]] inline std::uint32_t crc32(std::span<const std::byte> data, std::uint32_t previous = 0,
                                         const Crc32Table &table = detail::kCrc32Table) {
  std::uint32_t remainder = ~previous;
  const auto step = [&]() __attribute__((always_inline)) { remainder = (remainder >> 8) ^ table[remainder & 0xFFU]; };
  const std::byte *next = data.data();
  std::size_t left = data.size();
  // The loop reads four bytes at a time and assumes that the first one is the lowest in the word.
  static_assert(std::endian::native == std::endian::little);
  for (; left >= sizeof(std::uint32_t); left -= sizeof(std::uint32_t), next += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, next, sizeof(word));
    remainder ^= word;
    step();
    step();
    step();
    step();
  }
  for (; left != 0; --left, ++next) {
    remainder ^= static_cast<std::uint32_t>(*next);
    step();
  }
  return ~remainder;
}

}  // namespace cox
