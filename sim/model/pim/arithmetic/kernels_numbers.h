// SPDX-License-Identifier: MIT
// Vectors of all widths to and from whole elements, and the digits of bit sparsity, for one instruction set. Each instruction set has one
// source file that includes this; the functions have internal linkage there and use nothing of the standard library. Otherwise the linker
// could give all callers the same copy of a function, perhaps the one that was built with AVX-512.
#pragma once

#include "sim/model/pim/arithmetic/kernels.h"

namespace cox::model::pim {
namespace {

/// A number at any address, among bytes of any type.
template <typename Number>
struct [[gnu::packed, gnu::may_alias]] Loose {
  Number of;
};
template <typename Number>
const Loose<Number> *loose(const std::byte *bytes) {
  return reinterpret_cast<const Loose<Number> *>(bytes);
}

template <typename From, typename To>
void widen_whole(const std::byte *bytes, std::size_t count, To *to) {
  const Loose<From> *from = loose<From>(bytes);
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i].of);  // NOLINT(bugprone-signed-char-misuse): extends the sign
}

template <unsigned kWidth, typename To>
void widen_bits(const std::byte *bytes, std::size_t count, To *to) {
  constexpr std::size_t kInByte = 8 / kWidth;
  const auto *from = reinterpret_cast<const std::uint8_t *>(bytes);
  const auto number = [](unsigned byte, std::size_t place) {
    return static_cast<To>(static_cast<std::int8_t>(byte << (8 - kWidth - place * kWidth)) >> (8 - kWidth));
  };
  const std::size_t whole = count / kInByte;
  for (std::size_t i = 0; i < whole; ++i) {
#pragma GCC unroll 8
    for (std::size_t place = 0; place < kInByte; ++place) to[i * kInByte + place] = number(from[i], place);
  }
  for (std::size_t i = whole * kInByte; i < count; ++i) to[i] = number(from[whole], i % kInByte);
}

template <typename To>
void widen_to(const std::byte *from, unsigned width, std::size_t count, To *to) {
  switch (width) {
    case 1: return widen_bits<1>(from, count, to);
    case 2: return widen_bits<2>(from, count, to);
    case 4: return widen_bits<4>(from, count, to);
    case 8: return widen_whole<std::int8_t>(from, count, to);
    case 16: return widen_whole<std::int16_t>(from, count, to);
    default: return widen_whole<std::int32_t>(from, count, to);
  }
}

void widen(const std::byte *from, unsigned width, std::size_t count, Element element, void *to) {
  switch (element) {
    case Element::bits8: return widen_to(from, width, count, static_cast<std::int8_t *>(to));
    case Element::bits16: return widen_to(from, width, count, static_cast<std::int16_t *>(to));
    case Element::bits32: return widen_to(from, width, count, static_cast<std::int32_t *>(to));
  }
}

template <unsigned kWidth>
void narrow_bits(const std::uint32_t *from, std::size_t count, std::byte *bytes) {
  constexpr std::size_t kInByte = 8 / kWidth;
  auto *to = reinterpret_cast<std::uint8_t *>(bytes);
  const std::size_t whole = count / kInByte;
  for (std::size_t i = 0; i < whole; ++i) {
    unsigned byte = 0;
#pragma GCC unroll 8
    for (std::size_t place = 0; place < kInByte; ++place) {
      byte |= (from[i * kInByte + place] & ((1U << kWidth) - 1)) << (place * kWidth);
    }
    to[i] = static_cast<std::uint8_t>(byte);
  }
  if (count % kInByte == 0) return;
  unsigned last = 0;
  for (std::size_t i = whole * kInByte; i < count; ++i) last |= (from[i] & ((1U << kWidth) - 1)) << (i % kInByte * kWidth);
  to[whole] = static_cast<std::uint8_t>(last);
}

template <typename To>
void narrow_whole(const std::uint32_t *from, std::size_t count, std::byte *bytes) {
  auto *to = reinterpret_cast<Loose<To> *>(bytes);
  for (std::size_t i = 0; i < count; ++i) to[i].of = static_cast<To>(from[i]);
}

void narrow(const std::uint32_t *from, std::size_t count, unsigned width, std::byte *to) {
  switch (width) {
    case 1: return narrow_bits<1>(from, count, to);
    case 2: return narrow_bits<2>(from, count, to);
    case 4: return narrow_bits<4>(from, count, to);
    case 8: return narrow_whole<std::int8_t>(from, count, to);
    case 16: return narrow_whole<std::int16_t>(from, count, to);
    default: return narrow_whole<std::int32_t>(from, count, to);
  }
}

/// The digits of the values of three bits: bit 0 is the sign, bit 1 the high and bit 2 the low bit of p.
constexpr std::int8_t kDigits[8] = {1, -1, 16, -16, 4, -4, 64, -64};

inline void decode_last_meta(const std::byte *meta, std::size_t first, std::size_t count, std::int8_t *digits) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(meta);
  for (std::size_t i = first; i < count; ++i) {
    unsigned field = 0;
    for (std::size_t bit = 3 * i; bit < 3 * i + 3; ++bit) field |= (bytes[bit / 8] >> (bit % 8) & 1U) << (bit - 3 * i);
    digits[i] = kDigits[field];
  }
}

inline void apply_last_cells(const std::int8_t *digits, const std::byte *cells, std::size_t first, std::size_t count, std::int16_t *to) {
  const auto *bits = reinterpret_cast<const std::uint8_t *>(cells);
  for (std::size_t i = first; i < count; ++i) {
    to[i] = static_cast<std::int16_t>(digits[i] * (1 + (bits[i / 8] >> (i % 8) & 1)));
  }
}

}  // namespace
}  // namespace cox::model::pim
