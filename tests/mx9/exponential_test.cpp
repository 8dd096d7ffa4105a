// SPDX-License-Identifier: MIT
#include "isa/mx/exponential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cox::isa::mx {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// All over the range, by steps in the value and by steps in its bits (small arguments).
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
    const long double error = std::fabs(static_cast<long double>(exponential(x)) / exact - 1);
    if (error > worst) worst = error, where = x;
  });
  RecordProperty("worst_relative_error_in_2_to_minus_24", std::to_string(static_cast<double>(worst * 0x1p24L)));
  EXPECT_LT(worst, 0x1p-23L) << where;
  EXPECT_GT(worst, 0x1p-24L) << "no FP32 function comes that near";
}

TEST(Mx9Exponential, ClampsOutsideOfItsRange) {
  const float least = exponential(-87.0F);
  const float most = exponential(88.0F);
  EXPECT_NEAR(std::log(static_cast<double>(least)), -87, 1e-6);
  EXPECT_NEAR(std::log(static_cast<double>(most)), 88, 1e-6);
  for (const float below : {-87.00001F, -88.0F, -1e30F, -kInfinity}) EXPECT_EQ(exponential(below), least) << below;
  for (const float above : {88.00001F, 89.0F, 1e30F, kInfinity}) EXPECT_EQ(exponential(above), most) << above;
}

TEST(Mx9Exponential, Nan) {
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(sigmoid(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(silu(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Mx9Exponential, ExactWhereItMustBe) {
  EXPECT_EQ(exponential(0.0F), 1.0F);
  EXPECT_EQ(exponential(-0.0F), 1.0F);
  EXPECT_EQ(sigmoid(0.0F), 0.5F);
  EXPECT_EQ(silu(0.0F), 0.0F);
  EXPECT_EQ(sigmoid(100.0F), 1.0F);
  EXPECT_GT(sigmoid(-100.0F), 0.0F);
}

/// From one FP32 value to the next it never falls by more than a unit in the last place.
TEST(Mx9Exponential, RisesButForTheLastPlace) {
  for (int step = -87 * 64; step < 88 * 64; ++step) {
    float x = static_cast<float>(step) / 64;
    for (int next = 0; next < 200; ++next) {
      const float after = std::nextafter(x, kInfinity);
      ASSERT_GE(exponential(after), std::nextafter(exponential(x), 0.0F)) << x;
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

}  // namespace
}  // namespace cox::isa::mx
