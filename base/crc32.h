// SPDX-License-Identifier: MIT
// CRC-32 (IEEE 802.3, as zlib's).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

namespace cox {
namespace detail {

inline constexpr std::uint32_t kCrc32Polynomial = 0xEDB88320U;  // bit j is the coefficient of x^(31 - j), as in all remainders

/// Multiplies a remainder by x^`exponent`.
constexpr std::uint32_t crc32_shift(std::uint32_t remainder, unsigned exponent) {
  for (; exponent != 0; --exponent) remainder = (remainder >> 1) ^ (-(remainder & 1U) & kCrc32Polynomial);
  return remainder;
}

#if defined(__ARM_FEATURE_MVE)

/// Adds bytes to a remainder bit by bit.
[[gnu::noinline]] inline std::uint32_t crc32_add(std::uint32_t remainder, const std::byte *next, std::size_t count) {
  for (; count != 0; --count) remainder = crc32_shift(remainder ^ static_cast<std::uint32_t>(*next++), 8);
  return remainder;
}

/// Adds bytes to a remainder with the vector unit, which multiplies polynomials of 16 bits. Each 32-bit lane folds its word into the word
/// 128 bits later: the product of the word and x^128 has 48 bits after its reduction. `low` has the first 32 of them. The upper half of
/// `high` has the other 16, which belong to the word behind the lane's word. Those of the last lane belong to the block behind the next.
[[gnu::noinline]] inline std::uint32_t crc32_add_blocks(std::uint32_t remainder, const std::byte *next, std::size_t count) {
  constexpr std::size_t kBlock = 16;
  if (count < 2 * kBlock) return crc32_add(remainder, next, count);
  // The factors for the lower and the upper half of a word. Bit 0 of a product of remainders is the coefficient of x^62 instead of x^31, so
  // each exponent has 31 more.
  constexpr std::uint32_t kOne = 0x80000000U;
  constexpr std::uint32_t kLower = crc32_shift(kOne, 128 + 31), kUpper = crc32_shift(kOne, 128 - 16 + 31);
  const uint16x8_t to_low = vreinterpretq_u16_u32(vdupq_n_u32((kLower & 0xFFFFU) | kUpper << 16));
  const uint16x8_t to_high = vreinterpretq_u16_u32(vdupq_n_u32(kLower >> 16 | (kUpper & 0xFFFF0000U)));

  const auto load = [](const std::byte *from) { return vreinterpretq_u32_u8(vldrbq_u8(reinterpret_cast<const std::uint8_t *>(from))); };
  uint32x4_t low = veorq_u32(load(next), vsetq_lane_u32(remainder, vdupq_n_u32(0), 0));
  std::uint32_t behind = 0;  // the 16 bits behind the last lane
  for (next += kBlock, count -= kBlock; count >= kBlock; next += kBlock, count -= kBlock) {
    const uint16x8_t words = vreinterpretq_u16_u32(low);
    const uint32x4_t high = veorq_u32(vmullbq_poly_p16(words, to_high), vmulltq_poly_p16(words, to_high));
    low = veorq_u32(vmullbq_poly_p16(words, to_low), vmulltq_poly_p16(words, to_low));
    low = veorq_u32(veorq_u32(low, vshlq_n_u32(high, 16)), load(next));
    uint32x4_t over = vshrq_n_u32(high, 16);
    asm("vshlc %q0, %1, #32" : "+w"(over), "+r"(behind));  // moves each lane to the next one; GCC takes five instructions for vshlcq_u32()
    low = veorq_u32(low, over);
  }

  std::array<std::uint32_t, 4> block;
  vst1q_u32(block.data(), low);
  return crc32_add(crc32_add(0, reinterpret_cast<const std::byte *>(block.data()), kBlock) ^ behind, next, count);
}

#else

consteval std::array<std::uint32_t, 256> make_crc32_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) table[byte] = crc32_shift(byte, 8);
  return table;
}

/// The remainders of all byte values.
inline constexpr std::array<std::uint32_t, 256> kCrc32Table = make_crc32_table();

inline std::uint32_t crc32_add_blocks(std::uint32_t remainder, const std::byte *next, std::size_t count) {
  for (; count != 0; --count) remainder = (remainder >> 8) ^ kCrc32Table[(remainder ^ static_cast<std::uint32_t>(*next++)) & 0xFFU];
  return remainder;
}

#endif

}  // namespace detail

/// Returns the checksum of `data`. To compute a checksum in pieces, pass the checksum of the earlier bytes as `previous`.
[[nodiscard]] inline std::uint32_t crc32(std::span<const std::byte> data, std::uint32_t previous = 0) {
  return ~detail::crc32_add_blocks(~previous, data.data(), data.size());
}

}  // namespace cox
