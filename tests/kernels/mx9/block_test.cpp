// SPDX-License-Identifier: MIT
#include "coxswain/isa/numbers/mx9_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/kernels/mx9/readings.h"

namespace cox::mx9 {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kSign = 0x80000000;

float with_exponent(std::uint32_t exponent, std::uint32_t fraction, bool negative = false) {
  return from_bits((negative ? kSign : 0) | exponent << 23 | fraction);
}

/// Expects quantise() and dequantise() to agree bit for bit with the second implementation in readings.h. The error must be at most
/// error_bound(). Quantising the result again must give the same block.
void expect_as_readings(const Values &values) {
  const isa::mx::Block block = isa::mx::quantise(values);
  const Bytes bytes = bytes_of(block);
  ASSERT_EQ(bytes, quantised(values));
  Values back{};
  isa::mx::dequantise(block, back);
  const Values expected = dequantised(bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (block.exponent == isa::mx::kNanExponent) {
      ASSERT_EQ(bits_of(back[i]), 0x7FC00000U);
      continue;
    }
    ASSERT_EQ(bits_of(back[i]), bits_of(expected[i]));
    const long double error = std::fabs(static_cast<long double>(values[i]) - static_cast<long double>(back[i]));
    ASSERT_LE(error, error_bound(values[i], block.exponent, block.pair_shift >> (i / 2) & 1)) << values[i] << " became " << back[i];
  }
  ASSERT_EQ(isa::mx::quantise(back), block);
}

class Mx9Block : public ::testing::Test {
 protected:
  std::mt19937 random{1};

  std::uint32_t number() { return static_cast<std::uint32_t>(random()); }
  std::uint32_t fraction() { return number() & 0x7FFFFF; }
  bool negative() { return (number() & 1) != 0; }
};

// Worked out by hand. E is the block's exponent, D the shift of a pair, and M the magnitude of an element (docs/mx9.md, Quantising).
// With E = 127 a unit of M is 1/64 if D = 0, and 1/128 if D = 1. 1.0 has M = 64, and -1.5 has M = 96.
// 0.75 is in a pair of numbers below 1, so D = 1 and M = 96. In that pair 0.0078125 = 2^-7 is one unit: M = 1.
// Beside 1.0 it is half a unit, a tie that becomes 0.
TEST_F(Mx9Block, ByHand) {
  const Values values = {1.0F, -1.5F, 0.75F, 0.0078125F, 1.0F, 0.0078125F, -0.0F, 0.0F, 1.0F, -0.0234375F};
  const Bytes expected = {127, 0xEA, 64, 0x80 | 96, 96, 1, 64, 0, 0, 0, 64, 0x80 | 2};
  // With D = 0, -0.0234375 = -1.5/64 rounds to M = 2. Pairs 1, 3, 5, 6 and 7 have D = 1, and bits 1, 3, 5, 6 and 7 make 0xEA.
  EXPECT_EQ(bytes_of(isa::mx::quantise(values)), expected);
}

TEST_F(Mx9Block, EveryBfloat16AsTheLargest) {
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
    const std::uint32_t largest = upper << 16;
    const std::uint32_t magnitude = largest & ~kSign;
    for (int trial = 0; trial < 4; ++trial) {
      Values values{};
      for (float &value : values) {
        // In half of the trials a magnitude is any number up to that of `largest`. In the other half its exponent is at most 4 below that
        // of `largest`.
        const std::uint32_t below = trial % 2 == 0 ? magnitude : std::min(magnitude, 4U << 23);
        const std::uint32_t less = below == 0 ? 0 : number() % (below + 1);
        value = from_bits((negative() ? kSign : 0) | (magnitude - less));
      }
      values[number() % 16] = from_bits(largest);
      expect_as_readings(values);
      if (HasFatalFailure()) FAIL() << "largest " << std::hex << largest;
    }
  }
}

/// MX9 holds at most 127 units. The largest BF16 value with the same exponent is 127.5 units, so saturation changes it by half a unit.
TEST_F(Mx9Block, Bfloat16IsNeverMoreThanHalfAUnitAway) {
  for (std::uint32_t upper = 0x0480; upper < 0x7F80; ++upper) {
    const float value = from_bits(upper << 16);
    const Values values = {value};
    const isa::mx::Block block = isa::mx::quantise(values);
    Values back{};
    isa::mx::dequantise(block, back);
    ASSERT_LE(std::fabs(static_cast<long double>(value) - static_cast<long double>(back[0])), std::ldexp(1.0L, block.exponent - 134));
  }
}

TEST_F(Mx9Block, EveryPairOfExponents) {
  for (std::uint32_t largest = 0; largest < 255; ++largest) {
    for (std::uint32_t other = 0; other < 255; ++other) {
      Values values{};
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = with_exponent(other, fraction(), negative());
      values[2] = with_exponent(other, 0);
      values[3] = with_exponent(other, 0x7FFFFF, true);
      values[4] = with_exponent(other, 0x7F0000);
      values[7] = with_exponent(largest, fraction(), negative());
      values[9] = with_exponent(largest, 0, negative());
      values[10] = 0;
      values[11] = -0.0F;
      expect_as_readings(values);
      if (HasFatalFailure()) FAIL() << "exponents " << largest << " and " << other;
    }
  }
}

/// For each magnitude M of an element below 127, tries the value half-way between M and M + 1, and its FP32 neighbours. It tries them in
/// pairs with shift D = 0 and in pairs with D = 1.
TEST_F(Mx9Block, Ties) {
  for (const int exponent : {10, 127, 254}) {
    for (int shift = 0; shift < 2; ++shift) {
      for (int m = 0; m < 127; ++m) {
        const float unit = std::ldexp(1.0F, exponent - 127 - 6 - shift);
        const float tie = (static_cast<float>(m) + 0.5F) * unit;
        Values values{};
        values[0] = with_exponent(static_cast<std::uint32_t>(exponent), 0);
        values[2] = tie;
        values[3] = -tie;
        values[4] = std::nextafter(tie, 0.0F);
        values[5] = std::nextafter(tie, kInfinity);
        values[6] = std::nextafter(-tie, 0.0F);
        values[7] = std::nextafter(-tie, -kInfinity);
        // If the partner has the block's exponent, as values[0] has, the pair's shift D is 0.
        const float partner = shift == 0 ? values[0] : 0;
        values[8] = tie, values[9] = partner;
        values[10] = values[4], values[11] = partner;
        values[12] = values[5], values[13] = partner;
        expect_as_readings(values);
        if (HasFatalFailure()) FAIL() << exponent << " " << shift << " " << m;
        if (m >= 64 && shift == 1) continue;
        const isa::mx::Block block = isa::mx::quantise(values);
        if ((block.pair_shift >> 4 & 1) != shift) continue;
        EXPECT_EQ(block.elements[8], m % 2 == 0 ? m : m + 1);
        EXPECT_EQ(block.elements[10], m);
        EXPECT_EQ(block.elements[12], m + 1);
      }
    }
  }
}

TEST_F(Mx9Block, SaturatesAndAttainsTheBound) {
  // The first value is just below 2. The third is just above -1. It is in a pair with D = 1, so its unit is half as large. Both have
  // magnitudes of 128 - 2^-17 units, more than the largest M.
  const Values values = {with_exponent(127, 0x7FFFFF), -1.0F, with_exponent(126, 0x7FFFFF, true), 0.5F,
                         with_exponent(127, 0x7F0000), 1.0F,  with_exponent(127, 0x7EFFFF),       1.0F};
  const isa::mx::Block block = isa::mx::quantise(values);
  EXPECT_EQ(block.elements[0], 127);         // the largest M
  EXPECT_EQ(block.elements[2], 0x80 | 127);  // the same, negative
  EXPECT_EQ(block.elements[4], 127);         // 127.5 is a tie, but its even neighbour, 128, exceeds the largest M
  EXPECT_EQ(block.elements[6], 127);         // just below 127.5, so no tie
  EXPECT_EQ(block.pair_shift, 0xF2);
  Values back{};
  isa::mx::dequantise(block, back);
  const long double unit = 1.0L / 64;
  const long double most = (1 - std::ldexp(1.0L, -17)) * unit;
  EXPECT_EQ(static_cast<long double>(values[0]) - static_cast<long double>(back[0]), most);
  EXPECT_EQ(static_cast<long double>(back[2]) - static_cast<long double>(values[2]), most / 2);
  EXPECT_EQ(static_cast<long double>(values[4]) - static_cast<long double>(back[4]), unit / 2);
  expect_as_readings(values);
}

TEST_F(Mx9Block, Subnormals) {
  const float largest = with_exponent(0, 0x7FFFFF);
  Values values{};
  values.fill(largest);
  EXPECT_EQ(isa::mx::quantise(values), isa::mx::Block{});
  values[5] = -with_exponent(1, 0);  // 2^-126, the smallest normal number, is 64 units of 2^-132
  const isa::mx::Block block = isa::mx::quantise(values);
  EXPECT_EQ(block.exponent, 1);
  EXPECT_EQ(block.pair_shift, 0xFB);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(block.elements[i], i == 5 ? 0x80 | 64 : 0) << i;
}

TEST_F(Mx9Block, Zeros) {
  Values values{};
  EXPECT_EQ(isa::mx::quantise(values), isa::mx::Block{});
  values.fill(-0.0F);
  EXPECT_EQ(isa::mx::quantise(values), isa::mx::Block{});
  values[15] = -3.0F;  // E = 128, M = 96
  const Bytes expected = {128, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80 | 96};
  EXPECT_EQ(bytes_of(isa::mx::quantise(values)), expected);
}

TEST_F(Mx9Block, InfinityAndNanMakeTheBlockNan) {
  Bytes nan{};
  nan[0] = 255;
  for (const std::uint32_t bits : {0x7F800000U, 0xFF800000U, 0x7F800001U, 0x7FC00000U, 0xFFFFFFFFU}) {
    for (std::size_t position = 0; position < 16; ++position) {
      Values values{};
      for (float &value : values) value = with_exponent(120 + number() % 10, fraction(), negative());
      values[position] = from_bits(bits);
      EXPECT_EQ(bytes_of(isa::mx::quantise(values)), nan);
      expect_as_readings(values);
    }
  }
}

/// Every exponent, D bit and element, including those that no quantiser writes.
TEST_F(Mx9Block, DequantisesEverything) {
  for (unsigned exponent = 0; exponent < 256; ++exponent) {
    for (unsigned first = 0; first < 256; first += 8) {
      Bytes bytes{};
      bytes[0] = static_cast<std::uint8_t>(exponent);
      bytes[1] = first % 16 == 0 ? 0x55 : 0xAA;
      for (unsigned i = 0; i < 16; ++i) bytes[2 + i] = static_cast<std::uint8_t>(first + i % 8);
      Values back{};
      isa::mx::dequantise(block_of(bytes), back);
      const Values expected = dequantised(bytes);
      for (unsigned i = 0; i < 16; ++i) {
        ASSERT_EQ(bits_of(back[i]), exponent == 255 ? 0x7FC00000U : bits_of(expected[i])) << exponent << " " << first + i % 8;
      }
    }
  }
}

TEST_F(Mx9Block, CanonicalBlocksComeBack) {
  for (int trial = 0; trial < 200'000; ++trial) {
    // Makes a canonical block, one that quantise() may return. D is the shift of a pair, and M is the magnitude of an element. At least one
    // pair has D = 0. Each pair with D = 0 has an element with M of 64 or more. Zeros have no sign.
    Bytes bytes{};
    bytes[0] = static_cast<std::uint8_t>(2 + number() % 253);
    const std::size_t largest = number() % 8;
    for (std::size_t pair = 0; pair < 8; ++pair) {
      const bool shifted = pair != largest && negative();
      for (const std::size_t i : {2 * pair, 2 * pair + 1}) {
        const unsigned m = number() % 128;
        bytes[2 + i] = static_cast<std::uint8_t>(m == 0 ? 0 : m + (negative() ? 128 : 0));
      }
      if (shifted)
        bytes[1] = static_cast<std::uint8_t>(bytes[1] | 1 << pair);
      else
        bytes[2 + 2 * pair + (negative() ? 1 : 0)] = static_cast<std::uint8_t>(64 + number() % 64);
    }
    if (bytes[0] < 9) continue;  // elements may be FP32 subnormals, which quantise() takes as zero
    Values values{};
    isa::mx::dequantise(block_of(bytes), values);
    ASSERT_EQ(bytes_of(isa::mx::quantise(values)), bytes);
  }
}

TEST(Mx9Blocks, CountsBlocks) {
  EXPECT_EQ(isa::mx::blocks_of(0), 0U);
  EXPECT_EQ(isa::mx::blocks_of(1), 1U);
  EXPECT_EQ(isa::mx::blocks_of(16), 1U);
  EXPECT_EQ(isa::mx::blocks_of(17), 2U);
  EXPECT_EQ(isa::mx::blocks_of(0xFFFFFFFF), 0x10000000U);
}

}  // namespace
}  // namespace cox::mx9
