// SPDX-License-Identifier: MIT
#include "coxswain/isa/numbers/exponential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "coxswain/isa/numbers/clamped_exponential.h"

namespace cox::isa::numbers {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Visits the arguments from -87 to 88 twice: in equal steps of the value, and in equal steps of the bits. The steps of the bits visit many
/// small arguments.
template <typename Visit>
void sweep(Visit visit) {
  for (int step = -87 * 16'384; step <= 88 * 16'384; ++step) visit(static_cast<float>(step) / 16'384 + 1.0F / 65'536);
  for (std::uint32_t bits = 0; bits < 0x42B00000; bits += 1009) {
    visit(std::bit_cast<float>(bits));
    if (bits <= 0x42AE0000) visit(-std::bit_cast<float>(bits));
  }
}

TEST(Mx9Exponential, RelativeError) {
  long double worst = 0;
  float where = 0;
  sweep([&](float x) {
    if (x > 88.0F) return;
    const long double exact = std::exp(static_cast<long double>(x));
    const long double error = std::fabs(static_cast<long double>(clamped_exponential(x)) / exact - 1);
    if (error > worst) worst = error, where = x;
  });
  RecordProperty("worst_relative_error_in_2_to_minus_24", std::to_string(static_cast<double>(worst * 0x1p24L)));
  EXPECT_LT(worst, 0x1p-23L) << where;
  EXPECT_GT(worst, 0x1p-24L) << "an FP32 function cannot be that exact";
}

TEST(Mx9Exponential, ClampsOutsideOfItsRange) {
  const float least = clamped_exponential(-87.0F);
  const float most = clamped_exponential(88.0F);
  EXPECT_NEAR(std::log(static_cast<double>(least)), -87, 1e-6);
  EXPECT_NEAR(std::log(static_cast<double>(most)), 88, 1e-6);
  for (const float below : {-87.00001F, -88.0F, -1e30F, -kInfinity}) EXPECT_EQ(clamped_exponential(below), least) << below;
  for (const float above : {88.00001F, 89.0F, 1e30F, kInfinity}) EXPECT_EQ(clamped_exponential(above), most) << above;
}

TEST(Mx9Exponential, Nan) {
  EXPECT_TRUE(std::isnan(clamped_exponential(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(sigmoid(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(silu(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Mx9Exponential, ExactWhereItMustBe) {
  EXPECT_EQ(clamped_exponential(0.0F), 1.0F);
  EXPECT_EQ(clamped_exponential(-0.0F), 1.0F);
  EXPECT_EQ(sigmoid(0.0F), 0.5F);
  EXPECT_EQ(silu(0.0F), 0.0F);
  EXPECT_EQ(sigmoid(100.0F), 1.0F);
  EXPECT_GT(sigmoid(-100.0F), 0.0F);
}

/// From one FP32 value to the next, the result never falls by more than a unit in the last place.
TEST(Mx9Exponential, RisesButForTheLastPlace) {
  for (int step = -87 * 64; step < 88 * 64; ++step) {
    float x = static_cast<float>(step) / 64;
    for (int next = 0; next < 200; ++next) {
      const float after = std::nextafter(x, kInfinity);
      ASSERT_GE(clamped_exponential(after), std::nextafter(clamped_exponential(x), 0.0F)) << x;
      x = after;
    }
  }
}

TEST(Mx9Exponential, SigmoidAndSiluAreNear) {
  sweep([](float x) {
    const long double exact = 1 / (1 + std::exp(-static_cast<long double>(x)));
    if (x < -87.0F) return;
    ASSERT_LT(std::fabs(static_cast<long double>(sigmoid(x)) / exact - 1), 0x1p-21L) << x;
    if (std::fabs(x) > 1e-30F && x > -80.0F) {
      ASSERT_LT(std::fabs(static_cast<long double>(silu(x)) / (static_cast<long double>(x) * exact) - 1), 0x1p-21L) << x;
    }
  });
}

TEST(Exponential, LessThanAUnitInTheLastPlaceFromTheRealValue) {
  long double worst = 0;
  float where = 0;
  const auto visit = [&](float x) {
    const long double exact = std::exp(static_cast<long double>(x));
    const float ours = cox::isa::numbers::exponential(x);
    int exponent = 0;
    std::frexp(static_cast<double>(exact), &exponent);
    const long double unit = std::ldexp(1.0L, std::max(exponent - 24, -149));  // the unit of subnormals is 2^-149
    const long double error = std::fabs(static_cast<long double>(ours) - exact) / unit;
    if (error > worst) worst = error, where = x;
  };
  for (int step = -104 * 2048; step <= 88 * 2048; ++step) visit(static_cast<float>(step) / 2048 + 1.0F / 65'536);
  for (std::uint32_t bits = 0x30000000; bits < 0x42B00000; bits += 2003) {
    visit(std::bit_cast<float>(bits));
    visit(-std::bit_cast<float>(bits));
  }
  EXPECT_LT(worst, 1.0L) << where;
  EXPECT_GT(worst, 0.5L) << "an FP32 function cannot be that exact";
}

TEST(Exponential, WholeRange) {
  EXPECT_EQ(cox::isa::numbers::exponential(0.0F), 1.0F);
  EXPECT_EQ(cox::isa::numbers::exponential(-0.0F), 1.0F);
  for (const float low : {-104.0F, -105.0F, -1e30F, -kInfinity})
    EXPECT_EQ(std::bit_cast<std::uint32_t>(cox::isa::numbers::exponential(low)), 0U) << low;
  EXPECT_EQ(cox::isa::numbers::exponential(-103.0F), 0x1p-149F);       // exp(-103) = 1.85e-45; the smallest subnormal is 1.40e-45
  EXPECT_EQ(cox::isa::numbers::exponential(-100.0F), 27 * 0x1p-149F);  // exp(-100) = 3.72e-44, which is 26.55 times 1.40e-45
  for (const float high : {88.75F, 89.0F, 1e30F, kInfinity}) EXPECT_EQ(cox::isa::numbers::exponential(high), kInfinity) << high;
  EXPECT_LT(cox::isa::numbers::exponential(88.7F), kInfinity);
  EXPECT_TRUE(std::isnan(cox::isa::numbers::exponential(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace cox::isa::numbers
