// SPDX-License-Identifier: MIT
#include "coxswain/isa/numbers/mx9_block.h"

#include <algorithm>
#include <bit>

namespace cox::isa::mx {
namespace {

constexpr std::uint32_t kMagnitudeMask = 0x7FFFFFFF;
constexpr std::uint32_t kFractionBits = 23;
constexpr std::uint32_t kInfinity = 0x7F800000;
constexpr std::uint32_t kQuietNan = 0x7FC00000;
constexpr std::uint32_t kLargestMantissa = 127;
constexpr std::uint32_t kMantissaBits = 6;  // M counts units of 1/64

constexpr std::uint32_t exponent_of(std::uint32_t magnitude) { return magnitude >> kFractionBits; }

/// Returns the mantissa M of an FP32 number with these magnitude bits. One step of M is 2^(unit - 127 - 6). The number's exponent bits must
/// be at most `unit`.
constexpr std::uint32_t mantissa(std::uint32_t magnitude, std::uint32_t unit) {
  const std::uint32_t exponent = exponent_of(magnitude);
  if (exponent == 0) return 0;
  const std::uint32_t significand = (magnitude & ((1U << kFractionBits) - 1)) | 1U << kFractionBits;
  const std::uint32_t shift = kFractionBits - kMantissaBits + unit - exponent;
  if (shift > kFractionBits + 1) return 0;  // less than half a unit
  const std::uint32_t half = 1U << (shift - 1);
  const std::uint32_t odd = (significand >> shift) & 1;
  return std::min((significand + half - 1 + odd) >> shift, kLargestMantissa);
}

/// Returns the FP32 bits of M * 2^(exponent - 149). M is 1 to 127, and `exponent` is at least 16. 2^-149 is the smallest FP32 subnormal.
constexpr std::uint32_t to_float_bits(std::uint32_t m, std::uint32_t exponent) {
  const std::uint32_t top = 31 - static_cast<std::uint32_t>(std::countl_zero(m));
  if (top + exponent < kFractionBits) return m << exponent;  // subnormal
  const std::uint32_t fraction = (m << (kFractionBits - top)) & ((1U << kFractionBits) - 1);
  return (top + exponent - kFractionBits + 1) << kFractionBits | fraction;
}

}  // namespace

Block quantise(std::span<const float, kBlockElements> values) {
  std::array<std::uint32_t, kBlockElements> bits{};
  std::uint32_t largest = 0;
  for (std::uint32_t i = 0; i < kBlockElements; ++i) {
    bits[i] = std::bit_cast<std::uint32_t>(values[i]);
    largest = std::max(largest, bits[i] & kMagnitudeMask);
  }
  Block block;
  if (largest >= kInfinity) {
    block.exponent = kNanExponent;
    return block;
  }
  const std::uint32_t exponent = exponent_of(largest);
  if (exponent == 0) return block;
  block.exponent = static_cast<std::uint8_t>(exponent);
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    const std::uint32_t larger = std::max(bits[2 * pair] & kMagnitudeMask, bits[2 * pair + 1] & kMagnitudeMask);
    const std::uint32_t shift = exponent == exponent_of(larger) ? 0U : 1U;
    block.pair_shift = static_cast<std::uint8_t>(block.pair_shift | shift << pair);
    for (std::size_t i = 2 * pair; i < 2 * pair + 2; ++i) {
      const std::uint32_t m = mantissa(bits[i] & kMagnitudeMask, exponent - shift);
      const std::uint32_t sign = m == 0 ? 0 : bits[i] >> 31;
      block.elements[i] = static_cast<std::uint8_t>(sign << 7 | m);
    }
  }
  return block;
}

void dequantise(const Block &block, std::span<float, kBlockElements> values) {
  for (std::uint32_t i = 0; i < kBlockElements; ++i) {
    const std::uint32_t m = block.elements[i] & kLargestMantissa;
    const std::uint32_t shift = (static_cast<std::uint32_t>(block.pair_shift) >> (i / 2)) & 1;
    std::uint32_t bits = 0;
    if (block.exponent == kNanExponent) {
      bits = kQuietNan;
    } else if (block.exponent != 0 && m != 0) {
      // The element's magnitude is M / 64 * 2^(E - 127) / 2^D. M is `m`, E is the block's exponent, and D is `shift`. In the form that
      // to_float_bits() takes, this is M * 2^((E - D + 16) - 149).
      const std::uint32_t sign = static_cast<std::uint32_t>(block.elements[i]) >> 7;
      bits = sign << 31 | to_float_bits(m, block.exponent - shift + 16);
    }
    values[i] = std::bit_cast<float>(bits);
  }
}

}  // namespace cox::isa::mx
