// SPDX-License-Identifier: MIT
// Numbers worked out by hand: rounding, fixed point, conversions at the ends of ranges.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/requantisation.h"
#include "sim/model/unity/arithmetic/resize_numbers.h"
#include "sim/model/unity/arithmetic/softmax_numbers.h"
#include "sim/model/unity/arithmetic/wide_whole.h"

namespace cox::test::unity_numbers_test {
namespace {

using namespace model::unity;
using isa::unity::Rounding;
using isa::unity::Unit;

constexpr Rounding kModes[] = {Rounding::drop, Rounding::half_up, Rounding::half_from_zero, Rounding::half_even};

/// Results in the order of kModes.
template <typename Rounded>
std::vector<std::int64_t> by_mode(Rounded rounded) {
  std::vector<std::int64_t> results;
  for (const Rounding mode : kModes) {
    const Whole whole = rounded(mode);
    results.push_back(whole.negative ? -static_cast<std::int64_t>(whole.magnitude) : static_cast<std::int64_t>(whole.magnitude));
  }
  return results;
}
using Results = std::vector<std::int64_t>;

TEST(UnityNumbers, QuotientsRoundByTheMode) {
  const auto by = [](std::int64_t a, std::int64_t b) {
    return by_mode([=](Rounding mode) { return quotient(whole_of(a), whole_of(b), mode); });
  };
  EXPECT_EQ(by(5, 2), (Results{2, 3, 3, 2}));
  EXPECT_EQ(by(-5, 2), (Results{-2, -2, -3, -2}));
  EXPECT_EQ(by(7, -2), (Results{-3, -3, -4, -4}));
  EXPECT_EQ(by(-8, 3), (Results{-2, -3, -3, -3}));
  EXPECT_EQ(by(-1, 2), (Results{0, 0, -1, 0}));
  EXPECT_EQ(by(INT64_MIN, 1), (Results{INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN}));
}

TEST(UnityNumbers, ShiftsDropTowardsMinusInfinity) {
  const auto by = [](std::int64_t a, std::uint64_t n) {
    return by_mode([=](Rounding mode) { return shifted_right(whole_of(a), n, mode); });
  };
  EXPECT_EQ(by(-5, 1), (Results{-3, -2, -3, -2}));
  EXPECT_EQ(by(5, 1), (Results{2, 3, 3, 2}));
  EXPECT_EQ(by(-1, 200), (Results{-1, 0, 0, 0}));
  EXPECT_EQ(by(INT64_MIN, 64), (Results{-1, 0, -1, 0}));  // exactly -1/2
  EXPECT_EQ(by(3, 0), (Results{3, 3, 3, 3}));
}

TEST(UnityNumbers, RealNumbersRoundAndClamp) {
  const auto by = [](double x) { return by_mode([=](Rounding mode) { return whole_of_real(x, mode); }); };
  EXPECT_EQ(by(2.5), (Results{2, 3, 3, 2}));
  EXPECT_EQ(by(-2.5), (Results{-2, -2, -3, -2}));
  EXPECT_EQ(by(0x1p-300), (Results{0, 0, 0, 0}));
  EXPECT_EQ(by(0.49999999999999994), (Results{0, 0, 0, 0}));  // the number before 1/2; adding 1/2 would give 1
  EXPECT_EQ(by(std::nan("")), (Results{0, 0, 0, 0}));
  EXPECT_EQ(stored(HUGE_VAL, Unit::u64, Rounding::drop), ~std::uint64_t{0});
  EXPECT_EQ(stored(-HUGE_VAL, Unit::s64, Rounding::drop), std::uint64_t{1} << 63);
  EXPECT_EQ(stored(-0.5, Unit::u8, Rounding::half_from_zero), 0U);
  EXPECT_EQ(stored(0x1p63, Unit::s64, Rounding::drop), ~std::uint64_t{0} >> 1);
}

TEST(UnityNumbers, WholeNumbersWrapOrClamp) {
  const Whole large = whole(false, Magnitude{1} << 100) + whole(false, 300);
  EXPECT_EQ(bits_of_whole(large, Unit::u8, false), 44U);  // 300 - 256
  EXPECT_EQ(bits_of_whole(large, Unit::s8, true), 127U);
  EXPECT_EQ(bits_of_whole(whole_of(-129), Unit::s8, true), 0x80U);
  EXPECT_EQ(bits_of_whole(whole_of(-129), Unit::s8, false), 0x7FU);
  EXPECT_EQ(bits_of_whole(whole_of(-1), Unit::u64, true), 0U);
  EXPECT_EQ(bits_of_whole(whole_of(-1), Unit::u4, false), 15U);
  EXPECT_EQ(bits_of_whole(whole_of(INT64_MIN), Unit::s64, true), std::uint64_t{1} << 63);
}

TEST(UnityNumbers, DoublesBecomeFp16InOneRounding) {
  // 1 + 2^-11 is halfway between two numbers of FP16. A little more rounds up, although FP32 cannot hold the little.
  EXPECT_EQ(bits_of_real(1 + 0x1p-11, Unit::fp16), 0x3C00U);
  EXPECT_EQ(bits_of_real(1 + 0x1p-11 + 0x1p-40, Unit::fp16), 0x3C01U);
  EXPECT_EQ(bits_of_real(1 + 0x3p-11 - 0x1p-40, Unit::fp16), 0x3C01U);
  EXPECT_EQ(bits_of_real(-65519.999, Unit::fp16), 0xFBFFU);
  EXPECT_EQ(bits_of_real(65520, Unit::fp16), 0x7C00U);
  EXPECT_EQ(bits_of_real(1e300, Unit::fp16), 0x7C00U);
  EXPECT_EQ(bits_of_real(0x1p-25 + 0x1p-60, Unit::fp16), 1U);
  EXPECT_EQ(bits_of_real(-0.0, Unit::fp16), 0x8000U);
  EXPECT_EQ(bits_of_real(-std::nan(""), Unit::fp16), 0x7E00U);
  EXPECT_EQ(bits_of_real(-std::nan(""), Unit::fp32), 0x7FC00000U);
  EXPECT_EQ(bits_of_real(-std::nan(""), Unit::fp64), 0x7FF8000000000000U);
}

TEST(UnityNumbers, WholeNumbersBecomeFloatsInOneRounding) {
  const Whole between = whole(false, (Magnitude{1} << 62) + (Magnitude{1} << 38) + 1);  // above the middle of two numbers of FP32
  EXPECT_EQ(real_of_whole(between, Unit::fp32), 0x1p62 + 0x1p39);
  EXPECT_EQ(real_of_whole(negated(between), Unit::fp32), -(0x1p62 + 0x1p39));
  EXPECT_EQ(real_of_whole(whole(false, Magnitude{1} << 127), Unit::fp64), 0x1p127);
  EXPECT_TRUE(std::isinf(real_of_whole(whole(true, 65520), Unit::fp16)));
}

TEST(UnityNumbers, RequantisesInThreeSteps) {
  EXPECT_EQ(high_product(INT32_MIN, INT32_MIN), INT32_MAX);
  EXPECT_EQ(high_product(1 << 30, 1), 1);     // exactly 1/2
  EXPECT_EQ(high_product(-(1 << 30), 1), 0);  // -1/2 goes up
  EXPECT_EQ(rounded_shift(-3, 1), -2);        // away from zero
  EXPECT_EQ(rounded_shift(INT32_MIN, 31), -1);
  EXPECT_EQ(requantised(3, 1 << 30, 1), 3);                      // 6 / 2
  EXPECT_EQ(requantised(0x40000000, INT32_MAX, 1), -INT32_MAX);  // the left shift wraps; -2^31 * (1 - 2^-31)
  EXPECT_EQ(requantised(-7, INT32_MAX, -1), -4);                 // -7 first, -3.5 away from zero
  EXPECT_EQ(requantised(5, 1 << 30, -1), 2);                     // 2.5 up to 3, 1.5 to 2: rounded twice
}

TEST(UnityNumbers, SumsOfSquaresHave256Bits) {
  const WideMagnitude square = product(~Magnitude{0}, ~Magnitude{0});  // 2^256 - 2^129 + 1
  EXPECT_EQ(square.low, 1U);
  EXPECT_EQ(square.high, ~Magnitude{0} - 1);
  const WideMagnitude difference = square - WideMagnitude{square.high, 0};
  EXPECT_EQ(difference.high, 0U);
  EXPECT_EQ(difference.low, 1U);
  EXPECT_EQ(quotient(WideMagnitude{1, 0}, Magnitude{1} << 64, Rounding::drop), Magnitude{1} << 64);
  EXPECT_EQ(quotient(WideMagnitude{0, 7}, 2, Rounding::half_even), 4U);
}

TEST(UnityNumbers, ExponentialsAndReciprocalsAreClose) {
  for (int i = 0; i <= 3100; ++i) {
    const double x = -i / 100.0;
    // The polynomial leaves out (1/8)^5 / 120.
    const double ours = exponential(static_cast<std::int32_t>(x * (1 << 26))) / 0x1p31;
    EXPECT_NEAR(ours, std::exp(x), 3e-7) << x;
  }
  for (int i = 0; i <= 1000; ++i) {
    const double x = i / 1000.0;
    const double ours = reciprocal_of_one_plus(static_cast<std::int32_t>(std::min(x * 0x1p31, 0x1p31 - 1))) / 0x1p31;
    EXPECT_NEAR(ours, 1 / (1 + x), 1e-8) << x;
  }
}

TEST(UnityNumbers, ManyEqualProbabilitiesAreSmall) {
  // 4,095 equal numbers: 1 / 4095 of 256 rounds to 0.
  std::int32_t sum = 0;
  for (int i = 0; i < 4095; ++i) sum += rounded_shift(exponential(0), kSumBits);
  EXPECT_EQ(probability(exponential(0), reciprocal(sum)), -128);
  EXPECT_EQ(probability(exponential(0), reciprocal(rounded_shift(exponential(0), kSumBits))), 127);  // a lone number: 256 is clamped
}

TEST(UnityNumbers, ResizesStayInsideOfTheSource) {
  // The scale 5119 / 4094 in 1/1024 is 1 too large, so the last positions would read line 3.
  const Direction direction{.in = 3, .out = 4094};
  EXPECT_EQ(fixed_neighbours(direction, 4093).lower, 2U);
  EXPECT_EQ(fixed_neighbours(direction, 4093).upper, 2U);
  EXPECT_EQ(nearest({.in = 3, .out = 5, .align_corners = true}, 1), 1U);  // 0.5 rounds up
  EXPECT_EQ(nearest({.in = 2, .out = 1, .align_corners = true}, 0), 0U);
  EXPECT_EQ(nearest({.in = 4, .out = 2, .half_pixel = true}, 0), 1U);
}

}  // namespace
}  // namespace cox::test::unity_numbers_test
