// SPDX-License-Identifier: MIT
#include "sim/model/arithmetic/float16.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace cox::test {
namespace {

using model::arithmetic::float_to_half;
using model::arithmetic::half_to_float;

/// From the definition: (-1)^s * 2^(e-15) * (1 + f/1024), with subnormals f * 2^-24.
double by_definition(std::uint32_t half) {
  const double sign = (half & 0x8000u) != 0 ? -1 : 1;
  const int exponent = static_cast<int>((half >> 10) & 31);
  const double fraction = static_cast<double>(half & 1023);
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

TEST(Float16, EveryValueWidensByItsDefinition) {
  for (std::uint32_t half = 0; half < 65536; ++half) {
    const double expected = by_definition(half);
    const float value = half_to_float(static_cast<std::uint16_t>(half));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << half;
    } else {
      EXPECT_EQ(value, static_cast<float>(expected)) << half;
      EXPECT_EQ(std::signbit(value), (half & 0x8000u) != 0) << half;
      EXPECT_EQ(float_to_half(value), half);
    }
  }
}

TEST(Float16, NarrowsToTheNearestEven) {
  // Between each two neighbours: the middle goes to the even one, what is beside the middle to the nearer one.
  for (std::uint32_t half = 0; half < 0x7C00; ++half) {
    const double low = by_definition(half);
    const double high = half + 1 == 0x7C00 ? 65536.0 : by_definition(half + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    const std::uint32_t even = half % 2 == 0 ? half : half + 1;
    EXPECT_EQ(float_to_half(middle), even);
    EXPECT_EQ(float_to_half(std::nextafter(middle, 0.0f)), half);
    EXPECT_EQ(float_to_half(std::nextafter(middle, 1e9f)), half + 1);
    EXPECT_EQ(float_to_half(-middle), even | 0x8000u);
  }
}

TEST(Float16, Extremes) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(float_to_half(infinity), 0x7C00);
  EXPECT_EQ(float_to_half(-infinity), 0xFC00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::max()), 0x7C00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::denorm_min()), 0x8000);
  EXPECT_EQ(float_to_half(std::bit_cast<float>(0xFFC12345u)), 0x7E00);
  EXPECT_EQ(float_to_half(std::bit_cast<float>(0x7F800001u)), 0x7E00);
}

}  // namespace
}  // namespace cox::test
