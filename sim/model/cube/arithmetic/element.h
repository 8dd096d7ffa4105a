// SPDX-License-Identifier: MIT
// One element of a matrix, at any bit position and of any type.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coxswain/isa/cube/layout.h"
#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/isa/numbers/float16.h"

namespace cox::model::cube {

/// The bits of every NaN result, in FP32 and in BF16. A NaN result in FP16 has the bits isa::numbers::kHalfNan.
inline constexpr std::uint32_t kNan = 0x7FC00000;
inline constexpr std::uint16_t kBfloat16Nan = 0x7FC0;

template <typename T>
T read(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <typename T>
void write(std::byte *at, T value) {
  std::memcpy(at, &value, sizeof value);
}

/// Reads the element of `bits` bits (4, 8, 16 or 32) that begins at bit `bit`.
inline std::uint32_t element(const std::byte *memory, std::uint64_t bit, std::uint32_t bits) {
  const std::byte *at = memory + bit / 8;
  switch (bits) {
    case 4: return std::to_integer<std::uint32_t>(*at >> (bit % 8)) & 0xF;
    case 8: return std::to_integer<std::uint32_t>(*at);
    case 16: return read<std::uint16_t>(at);
    default: return read<std::uint32_t>(at);
  }
}
inline void set_element(std::byte *memory, std::uint64_t bit, std::uint32_t bits, std::uint32_t value) {
  std::byte *at = memory + bit / 8;
  switch (bits) {
    case 4: {
      const unsigned shift = bit % 8;
      *at = (*at & ~(std::byte{0xF} << shift)) | (static_cast<std::byte>(value) << shift);
      return;
    }
    case 8: return write(at, static_cast<std::uint8_t>(value));
    case 16: return write(at, static_cast<std::uint16_t>(value));
    default: return write(at, value);
  }
}

/// Returns the exact value of an element of a floating-point type.
inline float real_of(std::uint32_t bits, isa::cube::Type type) {
  switch (type) {
    case isa::cube::Type::bfloat16: return isa::numbers::bfloat16_to_float(static_cast<std::uint16_t>(bits));
    case isa::cube::Type::half: return isa::numbers::half_to_float(static_cast<std::uint16_t>(bits));
    default: return std::bit_cast<float>(bits);
  }
}
/// The value of an element of an integer type, in two's complement.
inline std::int32_t integer_of(std::uint32_t bits, isa::cube::Type type) {
  const std::uint32_t sign = 1U << (isa::cube::element_bits(type) - 1);
  return static_cast<std::int32_t>((bits ^ sign) - sign);
}

inline std::uint32_t float_bits(float value) { return value != value ? kNan : std::bit_cast<std::uint32_t>(value); }

}  // namespace cox::model::cube
