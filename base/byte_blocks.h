// SPDX-License-Identifier: MIT
// Copies and fills bytes in words. The boards make memcpy(), memmove() and memset() of these functions, because those of Newlib-nano work
// byte by byte. The core may read and write words at any address of its memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cox {
namespace detail {

/// A word at any address, which may overlap objects of any type.
using Word [[gnu::may_alias, gnu::aligned(1)]] = std::uint32_t;

constexpr std::size_t kWord = sizeof(Word);
constexpr std::size_t kBlock = 4 * kWord;

inline const Word *words(const std::byte *bytes) { return reinterpret_cast<const Word *>(bytes); }
inline Word *words(std::byte *bytes) { return reinterpret_cast<Word *>(bytes); }

}  // namespace detail

/// Copies `count` bytes, from the lowest address to the highest. The ranges may overlap if `to` is below `from`.
[[gnu::always_inline]] inline void copy_upwards(std::byte *to, const std::byte *from, std::size_t count) {
  using namespace detail;
  for (; count >= kBlock; count -= kBlock, to += kBlock, from += kBlock) {
    const Word a = words(from)[0], b = words(from)[1], c = words(from)[2], d = words(from)[3];
    words(to)[0] = a;
    words(to)[1] = b;
    words(to)[2] = c;
    words(to)[3] = d;
  }
  for (; count >= kWord; count -= kWord, to += kWord, from += kWord) *words(to) = *words(from);
  for (; count != 0; --count) *to++ = *from++;
}

/// Copies `count` bytes, from the highest address to the lowest. The ranges may overlap if `to` is above `from`.
[[gnu::always_inline]] inline void copy_downwards(std::byte *to, const std::byte *from, std::size_t count) {
  using namespace detail;
  to += count;
  from += count;
  for (; count >= kWord; count -= kWord) {
    to -= kWord;
    from -= kWord;
    *words(to) = *words(from);
  }
  for (; count != 0; --count) *--to = *--from;
}

[[gnu::always_inline]] inline void fill(std::byte *to, std::byte value, std::size_t count) {
  using namespace detail;
  const Word word = static_cast<std::uint32_t>(value) * 0x01010101U;
  for (; count >= 2 * kBlock; count -= 2 * kBlock, to += 2 * kBlock) {
    for (unsigned i = 0; i < 8; ++i) words(to)[i] = word;
  }
  for (; count >= kWord; count -= kWord, to += kWord) *words(to) = word;
  for (; count != 0; --count) *to++ = value;
}

}  // namespace cox
