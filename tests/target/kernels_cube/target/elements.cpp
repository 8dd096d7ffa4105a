// SPDX-License-Identifier: MIT
#include "elements.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "selftest.h"

namespace selftest {
namespace {

using cox::isa::cube::element_bits;
using cox::isa::cube::element_bytes;

float from_half(std::uint32_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<float>(bits & 1023);
  const float magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Returns the FP16 bits of a finite number below 65,504.
std::uint32_t to_half(float value) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const float magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  int exponent = std::ilogb(magnitude);
  if (exponent < -14) exponent = -14;
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A fraction that is rounded up to 2,048 carries into the exponent.
  return sign | (units + (static_cast<std::uint32_t>(exponent + 14) << 10));
}

std::uint32_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

/// Converts to INT8. The value saturates, because the sum with the zero point may need more than 8 bits.
std::uint32_t to_int8(float value, std::int32_t zero_point) {
  const float sum = std::nearbyint(value) + static_cast<float>(zero_point);
  const float limited = sum < -128 ? -128 : sum > 127 ? 127 : sum;
  return static_cast<std::uint8_t>(static_cast<std::int8_t>(limited));
}

float activate(float value, Activation activation, float parameter) {
  if (activation == Activation::None || value != value) return value;
  if (activation == Activation::LeakyReLU) return value < 0 ? value * parameter : value;
  if (value < 0) return 0;
  return activation == Activation::Clip && value > parameter ? parameter : value;
}

}  // namespace

std::uint32_t read_bits(const std::byte *memory, std::size_t index, std::uint32_t bytes) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, memory + index * bytes, bytes);
  return bits;
}

float read_float(const std::byte *memory, std::size_t index, Type type) {
  const std::uint32_t bits = read_bits(memory, index, element_bits(type) / 8);
  if (type == Type::float32) return std::bit_cast<float>(bits);
  return type == Type::half ? from_half(bits) : std::bit_cast<float>(bits << 16);
}

std::int32_t read_integer(const std::byte *memory, std::size_t index, Type type) {
  if (type == Type::int8) return static_cast<std::int8_t>(memory[index]);
  const auto nibble = static_cast<std::int32_t>(static_cast<unsigned>(memory[index / 2]) >> index % 2 * 4 & 15);
  return nibble < 8 ? nibble : nibble - 16;
}

float read_output(const std::byte *memory, std::size_t index, OutputType type) {
  const std::uint32_t bits = read_bits(memory, index, element_bytes(type));
  if (type == OutputType::half) return from_half(bits);
  if (type == OutputType::int8) return static_cast<float>(static_cast<std::int8_t>(bits));
  return std::bit_cast<float>(type == OutputType::bfloat16 ? bits << 16 : bits);
}

void fill(std::span<float> memory) {
  for (float &value : memory) value = random_value();
}

void fill(std::span<std::byte> memory, Type type) {
  if (cox::isa::cube::is_integer(type)) {
    for (std::byte &byte : memory) byte = static_cast<std::byte>(random_bits());
    return;
  }
  const std::uint32_t bytes = element_bits(type) / 8;
  for (std::size_t at = 0; at + bytes <= memory.size(); at += bytes) {
    const float value = random_value();
    const std::uint32_t bits = type == Type::float32 ? std::bit_cast<std::uint32_t>(value)
                               : type == Type::half  ? to_half(value)
                                                     : to_bfloat16(value);
    std::memcpy(&memory[at], &bits, bytes);
  }
}

void Sum::add(const std::byte *left, std::size_t left_index, const std::byte *right, std::size_t right_index) {
  if (is_integer()) {
    integer_ += static_cast<std::uint32_t>(read_integer(left, left_index, type_) * read_integer(right, right_index, type_));
  } else {
    real_ = std::fma(read_float(left, left_index, type_), read_float(right, right_index, type_), real_);
  }
}

std::uint32_t finish(const Sum &sum, const Ending &ending) {
  float value = sum.real();
  if (sum.is_integer()) {
    const auto total = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum.integer()) +
                                                 static_cast<std::uint32_t>(ending.has_bias ? ending.integer_bias : 0));
    if (ending.to == OutputType::int32) return static_cast<std::uint32_t>(ending.activation == Activation::ReLU && total < 0 ? 0 : total);
    value = static_cast<float>(total);
  }
  if (ending.scaled) value *= ending.scale;
  if (ending.has_residual) value = std::fma(ending.beta, ending.residual, value);
  if (ending.has_bias && !sum.is_integer()) value += ending.bias;
  value = activate(value, ending.activation, ending.parameter);
  switch (ending.to) {
    case OutputType::half: return to_half(value);
    case OutputType::bfloat16: return to_bfloat16(value);
    case OutputType::int8: return to_int8(value, ending.zero_point);
    default: return std::bit_cast<std::uint32_t>(value);
  }
}

}  // namespace selftest
