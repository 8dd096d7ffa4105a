// SPDX-License-Identifier: MIT
// The reference of operators without published cases, beside real arithmetic and values worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tests/tflite/reference/arithmetic.h"
#include "tests/tflite/reference/operators.h"

namespace cox::tests::tflite_reference {
namespace {

constexpr tf::QuantisedMultiplier kOne{1 << 30, 1};

TEST(TfliteReference, ExponentialIsNearTheFunction) {
  for (const int bits : {4, 5}) {
    for (std::int64_t raw = 0; raw > INT32_MIN; raw -= 7'654'321) {
      const double exact = std::exp(std::ldexp(static_cast<double>(raw), bits - 31));
      EXPECT_NEAR(std::ldexp(exponential(static_cast<std::int32_t>(raw), bits), -31), exact, 3e-7) << raw;
    }
  }
}

TEST(TfliteReference, SigmoidsAreNearTheFunctions) {
  for (std::int64_t raw = INT32_MIN + 1; raw <= INT32_MAX; raw += 7'654'321) {
    const double x = std::ldexp(static_cast<double>(raw), 4 - 31);
    EXPECT_NEAR(std::ldexp(logistic(static_cast<std::int32_t>(raw)), -31), 1 / (1 + std::exp(-x)), 1e-6) << x;
    EXPECT_NEAR(std::ldexp(hyperbolic_tangent(static_cast<std::int32_t>(raw)), -31), std::tanh(x), 1e-6) << x;
  }
}

TEST(TfliteReference, SigmoidRoundsToTheTable) {
  tf::Sigmoid n;
  n.multiplier = tf::quantised_multiplier(0.05 * (1 << 27));
  n.radius = tf::input_radius(4, n.multiplier.shift);
  n.input_zero = 3;
  Values all;
  for (int value = -128; value < 128; ++value) all.push_back(static_cast<std::int8_t>(value));
  const Values logistic_table = sigmoid(n, all);
  n.tanh = true;
  const Values tanh_table = sigmoid(n, all);
  for (int i = 0; i < 256; ++i) {
    const double x = 0.05 * (i - 128 - 3);
    EXPECT_NEAR(logistic_table[static_cast<std::size_t>(i)], std::min(127.0, 256 / (1 + std::exp(-x)) - 128), 0.51) << x;
    EXPECT_NEAR(tanh_table[static_cast<std::size_t>(i)], std::min(127.0, 128 * std::tanh(x)), 0.51) << x;
  }
  n.radius = 10;
  EXPECT_EQ(sigmoid(n, Values{-7, -6, 12, 13})[0], -128);
  EXPECT_NE(sigmoid(n, Values{-7, -6, 12, 13})[1], -128);
  EXPECT_EQ(sigmoid(n, Values{-7, -6, 12, 13})[3], 127);
}

TEST(TfliteReference, ResizesWithFixedPoint) {
  // Values of TensorFlow Lite's own test of its integer function, from 2x2 to 4x6.
  tf::Resize n;
  n.bilinear = true;
  n.input_height = n.input_width = 2;
  n.output_height = 4;
  n.output_width = 6;
  EXPECT_EQ(resize(n, Values{127, -128, 64, 0}),
            (Values{127, 42, -43, -128, -128, -128, 96, 42, -11, -64, -64, -64, 64, 43, 21, 0, 0, 0, 64, 43, 21, 0, 0, 0}));
  n.bilinear = false;
  EXPECT_EQ(resize(n, Values{1, 2, 3, 4}), (Values{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
  n.align_corners = true;  // columns 0, 0.2, 0.4, 0.6, 0.8, 1 and rows 0, 1/3, 2/3, 1, to the nearest
  EXPECT_EQ(resize(n, Values{1, 2, 3, 4}), (Values{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
}

TEST(TfliteReference, TransposedConvolutionSpreadsElements) {
  tf::Convolution n;
  n.kind = tf::Convolution::Kind::transposed;
  n.input_height = n.input_width = 2;
  n.output_height = n.output_width = 4;
  n.kernel_height = n.kernel_width = 3;
  n.stride_height = n.stride_width = 2;
  n.pads = {0, 0, 1, 1};
  n.input_zero = 1;
  n.output_zero = -1;
  const Values weights = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<std::int32_t> bias = {10};
  // Inputs without their zero point: 1, 0, 0, 2. The 1 covers rows and columns 0 to 2, the 2 rows and columns 2 and 3.
  EXPECT_EQ(convolution(n, Values{2, 1, 1, 3}, weights, bias, {kOne}),
            (Values{10, 11, 12, 9, 13, 14, 15, 9, 16, 17, 20, 13, 9, 9, 17, 19}));
}

TEST(TfliteReference, MeanProductAndRescale) {
  tf::Mean m;
  m.axes = 2;
  m.count = 3;
  m.input_zero = 1;
  m.output_zero = 5;
  m.multiplier = {static_cast<std::int32_t>((std::int64_t{1} << 31) / 3), 0};
  EXPECT_EQ(mean(m, Values{1, 2, 6, -5, -6, -7}, tf::Shape{2, 3}), (Values{7, -2}));  // 6/3 + 5, -21/3 + 5
  tf::Product p;
  p.input_zero = {1, -2};
  p.multiplier = {1 << 30, 0};
  p.output_zero = 3;
  const Values a = {5, -6, 120, 1}, b = {3};
  EXPECT_EQ(product(p, {a, tf::Shape{4}}, {b, tf::Shape{1}}, tf::Shape{4}),
            (Values{13, -14, 127, 3}));  // 4*5/2 + 3; -7*5/2 = -17.5 rounds up
  tf::Rescale r;
  r.input_zero = 2;
  r.output_zero = -3;
  r.multiplier = {1 << 30, 0};
  r.clamp = {-3, 100};
  EXPECT_EQ(rescale(r, Values{2, 3, -100, 7, 127}), (Values{-3, -2, -3, 0, 60}));
}

TEST(TfliteReference, Conversions) {
  tf::Conversion n;
  n.scale = 0.5F;
  n.zero = -3;
  const std::vector<float> real = {0, 0.25F, -0.25F, 1.2F, 1000, -1000};
  EXPECT_EQ(quantise(n, real), (Values{-3, -2, -4, -1, 127, -128}));
  EXPECT_EQ(dequantise(n, Values{-3, 127, -128}), (std::vector<float>{0, 65, -62.5F}));
}

TEST(TfliteReference, Requantisation) {
  EXPECT_EQ(requantise(5, 1 << 30, 1), 5);
  EXPECT_EQ(requantise(5, 1 << 30, 0), 3);     // 2.5
  EXPECT_EQ(requantise(-5, 1 << 30, 0), -2);   // the high product rounds -2.5 up
  EXPECT_EQ(requantise(-6, 1 << 30, -1), -2);  // the second rounding takes -1.5 away from zero
  EXPECT_EQ(requantise(INT32_MIN, 1 << 30, 0), -(1 << 30));
  EXPECT_EQ(high_product(INT32_MIN, INT32_MIN), INT32_MAX);
}

}  // namespace
}  // namespace cox::tests::tflite_reference
