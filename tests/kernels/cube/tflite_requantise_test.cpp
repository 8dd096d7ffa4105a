// SPDX-License-Identifier: MIT
// Compares products by fixed-point factors with a slow reference. The reference computes in 128-bit integers and is written from TensorFlow
// Lite's documentation of each rounding.
#include "coxswain/kernels/cube/tflite_requantise.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace cox::kernels::cube {
namespace {

using Wide = __int128;

Wide floor_of(Wide dividend, Wide divisor) {
  const Wide quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

/// Computes two steps of TensorFlow Lite. SaturatingRoundingDoublingHighMul rounds 2ab / 2^32 to the nearest, halves up.
/// RoundingDivideByPOT rounds to the nearest, halves away from 0.
std::int32_t reference(std::int32_t value, const QuantizedMultiplier &factor) {
  Wide shifted = value;
  for (int i = 0; i < factor.shift; ++i) shifted *= 2;
  const Wide product = 2 * shifted * factor.multiplier, unit = Wide{1} << 32;
  Wide high = floor_of(2 * product + unit, 2 * unit);
  high = std::min<Wide>(high, std::numeric_limits<std::int32_t>::max());
  if (factor.shift >= 0) return static_cast<std::int32_t>(high);
  const Wide divisor = Wide{1} << -factor.shift, magnitude = high < 0 ? -high : high;
  const Wide rounded = floor_of(2 * magnitude + divisor, 2 * divisor);
  return static_cast<std::int32_t>(high < 0 ? -rounded : rounded);
}

TEST(TfliteRequantise, ValuesByHand) {
  const QuantizedMultiplier half{1 << 30, 0}, quarter{1 << 30, -1};
  EXPECT_EQ(multiply_by_quantized_multiplier(3, half), 2) << "1.5 goes up";
  EXPECT_EQ(multiply_by_quantized_multiplier(-3, half), -1) << "-1.5 goes up";
  EXPECT_EQ(multiply_by_quantized_multiplier(10, quarter), 3) << "5, then 2.5 goes away from 0";
  EXPECT_EQ(multiply_by_quantized_multiplier(-10, quarter), -3);
  EXPECT_EQ(multiply_by_quantized_multiplier(5, quarter), 2) << "2.5 becomes 3, 1.5 becomes 2; one rounding would give 1";
  EXPECT_EQ(multiply_by_quantized_multiplier(7, {1 << 30, 3}), 28);
}

TEST(TfliteRequantise, IsTheReferenceBitForBit) {
  std::mt19937 random(1);
  const auto number = [&](std::int64_t least, std::int64_t most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < 2'000'000; ++i) {
    const QuantizedMultiplier factor{static_cast<std::int32_t>(number(1 << 30, (std::int64_t{1} << 31) - 1)),
                                     static_cast<int>(number(-31, 7))};
    // TensorFlow Lite shifts left in 32 bits. Larger results are undefined.
    const std::int64_t most = (std::int64_t{1} << 31 >> std::max(factor.shift, 0)) - 1;
    const std::int64_t small = i % 2 == 0 ? most : std::min<std::int64_t>(most, 1 << 12);
    const auto value = static_cast<std::int32_t>(number(-small - 1, small));
    ASSERT_EQ(multiply_by_quantized_multiplier(value, factor), reference(value, factor))
        << value << " * " << factor.multiplier << " * 2^" << factor.shift - 31;
  }
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(multiply_by_quantized_multiplier(kLeast, {kLeast, 0}), std::numeric_limits<std::int32_t>::max());
}

TEST(TfliteRequantise, FactorsAreTensorFlowLites) {
  const auto expect = [](double factor, std::int32_t multiplier, int shift) {
    const QuantizedMultiplier result = quantize_multiplier(factor);
    EXPECT_EQ(result.multiplier, multiplier) << factor;
    EXPECT_EQ(result.shift, shift) << factor;
  };
  expect(0, 0, 0);
  expect(0.25, 1 << 30, -1);
  expect(0.5, 1 << 30, 0);
  expect(1, 1 << 30, 1);
  expect(0.75, 3 << 29, 0);
  expect(1 - 0x1p-40, 1 << 30, 1);  // rounds up to the next power of two
  expect(0x1p-32, 1 << 30, -31);
  expect(0x1p-33, 0, 0);
}

TEST(TfliteRequantise, ARow) {
  const std::array<std::int32_t, 5> results = {100, -100, 1000, -1000, 0};
  const std::array<QuantizedMultiplier, 5> factors = {quantize_multiplier(0.5), quantize_multiplier(0.25), quantize_multiplier(1),
                                                      quantize_multiplier(1), quantize_multiplier(1)};
  std::array<std::int8_t, 5> output{};
  tflite_requantise(results, factors, 3, -128, 127, output);
  EXPECT_EQ(output, (std::array<std::int8_t, 5>{53, -22, 127, -128, 3}));
  tflite_requantise(results, std::span(factors).first(1), 3, 3, 127, output);
  EXPECT_EQ(output, (std::array<std::int8_t, 5>{53, 3, 127, 3, 3})) << "ReLU";
}

}  // namespace
}  // namespace cox::kernels::cube
