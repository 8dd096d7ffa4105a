// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/element.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace cox::test {
namespace element_test {

using isa::numbers::float_to_half;
using isa::numbers::half_to_float;
using isa::tile::DataFmt;
using isa::tile::Float2Fixed;
using isa::tile::Format;
using model::arithmetic::convert;

/// Returns the value of an FP16 number by definition: (-1)^s * 2^(e-15) * (1 + f/1024), or (-1)^s * f * 2^-24 if it is subnormal (e = 0).
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
  // The middle between two neighbours rounds to the even one. Other values round to the nearer one.
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

constexpr Format kInt4{DataFmt::INT4, true}, kInt8{DataFmt::INT8, true}, kInt16{DataFmt::INT16, true}, kInt32{DataFmt::INT32, true};
constexpr Format kUnsigned4{DataFmt::INT4, false}, kUnsigned8{DataFmt::INT8, false}, kUnsigned16{DataFmt::INT16, false},
    kUnsigned32{DataFmt::INT32, false};
constexpr Format kHalf{DataFmt::FP16, true}, kBfloat{DataFmt::BF16, true}, kFloat{DataFmt::FP32, true};

TEST(Element, ConvertsByValue) {
  struct Case {
    std::uint32_t element;
    Format from, to;
    std::uint32_t expected;
  };
  const Case cases[] = {
      // the same format: the bits are copied, whatever they mean
      {0x7E01, kHalf, kHalf, 0x7E01},
      {0xFFC12345, kFloat, kFloat, 0xFFC12345},
      // integers saturate; -8 of four bits is 0x8
      {0x8, kInt4, kInt8, 0xF8},
      {0x7, kInt4, kInt32, 7},
      {0x80, kInt8, kInt4, 0x8},
      {0x08, kInt8, kInt4, 0x7},
      {0xF7, kInt8, kInt4, 0x8},
      {0xF9, kInt8, kInt4, 0x9},
      {0x8000, kInt16, kInt8, 0x80},
      {0x0080, kInt16, kInt8, 0x7F},
      {0xFFFFFFFF, kInt32, kInt16, 0xFFFF},
      {0x80000000, kInt32, kInt16, 0x8000},
      {0xFF, kUnsigned8, kInt8, 0x7F},
      {0xFF, kInt8, kUnsigned8, 0x00},
      {0xFFFFFFFF, kUnsigned32, kInt32, 0x7FFFFFFF},
      {0xF, kUnsigned4, kInt8, 0x0F},
      // floating point to integers: ties to even, saturated, NaN becomes 0
      {0x3F000000, kFloat, kInt8, 0},
      {0x3FC00000, kFloat, kInt8, 2},
      {0x40200000, kFloat, kInt8, 2},
      {0xBFC00000, kFloat, kInt8, 0xFE},
      {0x42FF0000, kFloat, kInt8, 0x7F},
      {0x7FC00000, kFloat, kInt32, 0},
      {0x7F800000, kFloat, kInt32, 0x7FFFFFFF},
      {0xFF800000, kFloat, kInt32, 0x80000000},
      {0x4F000000, kFloat, kInt32, 0x7FFFFFFF},  // 2^31
      {0x4EFFFFFF, kFloat, kInt32, 0x7FFFFF80},
      {0xCF000000, kFloat, kInt32, 0x80000000},
      {0x4F800000, kFloat, kUnsigned32, 0xFFFFFFFF},
      {0xC0000000, kFloat, kUnsigned16, 0},
      {0x4800, kHalf, kInt4, 7},  // 8
      {0xC800, kHalf, kInt4, 0x8},
      {0xC0E0, kBfloat, kInt8, 0xF9},  // -7
      // integers to floating point, rounded once; 2^24 + 1 and 2^24 + 3 are ties
      {0x01000001, kInt32, kFloat, 0x4B800000},
      {0x01000003, kInt32, kFloat, 0x4B800002},
      {0x80000000, kInt32, kFloat, 0xCF000000},
      {0xFFFFFFFF, kUnsigned32, kFloat, 0x4F800000},
      {0x7FFF, kInt16, kHalf, 0x7800},
      {0x0801, kInt16, kHalf, 0x6800},  // 2049: a tie
      {0x0803, kInt16, kHalf, 0x6802},
      {65519, kInt32, kHalf, 0x7BFF},
      {65520, kInt32, kHalf, 0x7C00},
      {static_cast<std::uint32_t>(-65520), kInt32, kHalf, 0xFC00},
      // BF16 keeps 8 bits, so 2^30 + 2^22 is a tie, but 2^30 + 2^22 + 1 is not. A conversion through FP32 would lose the 1, and would round
      // the tie to even, 2^30.
      {0x40400001, kInt32, kBfloat, 0x4E81},
      {0x40400000, kInt32, kBfloat, 0x4E80},
      {static_cast<std::uint32_t>(-0x40400001), kInt32, kBfloat, 0xCE81},
      // between floating-point formats
      {0x3F808000, kFloat, kBfloat, 0x3F80},  // a tie
      {0x3F818000, kFloat, kBfloat, 0x3F82},
      {0x7F7FFFFF, kFloat, kBfloat, 0x7F80},
      {0x7F800001, kFloat, kBfloat, 0x7FC0},
      {0xFFFF, kHalf, kFloat, 0x7FC00000},
      {0xFFFF, kBfloat, kHalf, 0x7E00},
      {0x0001, kHalf, kFloat, 0x33800000},
      {0x0001, kHalf, kBfloat, 0x3380},
      {0x8000, kHalf, kBfloat, 0x8000},
      {0x0001, kBfloat, kFloat, 0x00010000},  // subnormals are kept
      {0x0001, kBfloat, kHalf, 0x0000},
      {0x7F7F, kBfloat, kHalf, 0x7C00},
  };
  for (const Case &c : cases) {
    EXPECT_EQ(convert(c.element, c.from, c.to), c.expected)
        << std::hex << c.element << std::dec << " of " << static_cast<int>(c.from.format) << " to " << static_cast<int>(c.to.format);
  }
}

TEST(Element, EachWayOfRoundingAtTies) {
  struct Case {
    float value;
    int up, down, even, zero;
  };
  const Case cases[] = {{0.5f, 1, 0, 0, 0},      {1.5f, 2, 1, 2, 1},      {2.5f, 3, 2, 2, 2},  {-0.5f, 0, -1, 0, 0},
                        {-1.5f, -1, -2, -2, -1}, {-2.5f, -2, -3, -2, -2}, {-0.0f, 0, 0, 0, 0}, {3.0f, 3, 3, 3, 3}};
  const auto limits = model::arithmetic::limits_of(kInt16);
  for (const Case &c : cases) {
    EXPECT_EQ(model::arithmetic::to_integer(c.value, Float2Fixed::CEIL, limits), c.up) << c.value;
    EXPECT_EQ(model::arithmetic::to_integer(c.value, Float2Fixed::FLOOR, limits), c.down) << c.value;
    EXPECT_EQ(model::arithmetic::to_integer(c.value, Float2Fixed::ROUND, limits), c.even) << c.value;
    EXPECT_EQ(model::arithmetic::to_integer(c.value, Float2Fixed::TRUNCATE, limits), c.zero) << c.value;
  }
}

TEST(Element, SaturatesToTheLimitsOfEachFormat) {
  struct Case {
    Format format;
    std::int64_t low, high;
  };
  const Case cases[] = {{kInt4, -8, 7},      {kInt8, -128, 127},   {kInt16, -32768, 32767}, {kInt32, -2147483648LL, 2147483647},
                        {kUnsigned4, 0, 15}, {kUnsigned8, 0, 255}, {kUnsigned16, 0, 65535}, {kUnsigned32, 0, 4294967295LL}};
  for (const Case &c : cases) {
    const auto limits = model::arithmetic::limits_of(c.format);
    EXPECT_EQ(limits.low, c.low);
    EXPECT_EQ(limits.high, c.high);
    EXPECT_EQ(model::arithmetic::to_integer(1e30f, Float2Fixed::FLOOR, limits), c.high);
    EXPECT_EQ(model::arithmetic::to_integer(-1e30f, Float2Fixed::CEIL, limits), c.low);
    for (const std::int64_t value : {c.low, c.high}) {
      EXPECT_EQ(model::arithmetic::integer_of(model::arithmetic::element_of(value, c.format), c.format), value);
    }
  }
}

}  // namespace element_test
}  // namespace cox::test
