// SPDX-License-Identifier: MIT
#include "coxswain/isa/numbers/bfloat16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/mx9/readings.h"

namespace cox::mx9 {
namespace {

using isa::numbers::bfloat16_from_float;
using isa::numbers::bfloat16_to_float;

TEST(Bfloat16, EveryValueComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = bfloat16_to_float(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(bits_of(value), bits << 16);
    const std::uint32_t quiet = std::isnan(value) ? 0x40 : 0;
    ASSERT_EQ(bfloat16_from_float(value), bits | quiet);
  }
}

/// The conversion must give the nearer of the two BF16 neighbours, and the even one in a tie. The distances are computed with real numbers.
/// The neighbour above the largest number is 2^128.
TEST(Bfloat16, RoundsHalfToEven) {
  for (std::uint32_t upper = 0; upper < 0x7F80; ++upper) {
    const long double low = from_bits(upper << 16);
    const long double high = upper == 0x7F7F ? std::ldexp(1.0L, 128) : static_cast<long double>(from_bits((upper + 1) << 16));
    for (const std::uint32_t lower : {0x0001U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
      const float value = from_bits(upper << 16 | lower);
      const long double up = high - static_cast<long double>(value);
      const long double down = static_cast<long double>(value) - low;
      const std::uint32_t expected = up < down || (up == down && upper % 2 == 1) ? upper + 1 : upper;
      ASSERT_EQ(bfloat16_from_float(value), expected) << std::hex << upper << " " << lower;
      ASSERT_EQ(bfloat16_from_float(-value), expected | 0x8000);
    }
  }
}

TEST(Bfloat16, NanWhosePayloadIsLowStaysNan) {
  EXPECT_EQ(bfloat16_from_float(from_bits(0x7F800001)), 0x7FC0);
  EXPECT_EQ(bfloat16_from_float(from_bits(0xFFFFFFFF)), 0xFFFF);
}

}  // namespace
}  // namespace cox::mx9
