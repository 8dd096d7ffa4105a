// SPDX-License-Identifier: MIT
// Convolutions worked out by hand from docs/arithmetic.md. Each test runs on the reference and on every set of SIMD kernels that this host
// supports.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "core_memory.h"

namespace cox::test {
namespace convolution_test {

using isa::tile::ActMode;
using isa::tile::Convolution;
using isa::tile::Float2Fixed;

constexpr std::int64_t kKibi = 1024;
constexpr std::int64_t kSource = 0;
constexpr std::int64_t kDestination = 32 * kKibi;

struct Parameters {
  float scale = 1, bias = 0;
};

class ConvolutionTest : public testing::TestWithParam<std::size_t> {
 protected:
  /// A 1x1 convolution with one output pixel and one kernel. Weights and source are given channel by channel.
  Convolution dot(const std::vector<int> &source, const std::vector<int> &weights, Parameters parameters, DataFmt format) {
    const auto channels = static_cast<std::uint32_t>(source.size());
    for (std::size_t c = 0; c < source.size(); ++c) {
      core.put(kSource + static_cast<std::int64_t>(c), static_cast<std::int8_t>(source[c]));
      core.put_weight(static_cast<std::int64_t>(c), static_cast<std::int8_t>(weights[c]));
    }
    Convolution operation;
    operation.source = padded_map(DataFmt::INT8, channels, 1, 1, kSource);
    operation.destination = padded_map(format, 1, 1, 1, kDestination);
    const std::uint32_t weight_bytes = (channels + 7) / 8 * 8;
    operation.position_bytes = weight_bytes;
    operation.record_bytes = weight_bytes + 32;
    core.put_weight(weight_bytes, parameters.scale);
    core.put_weight(weight_bytes + 4, parameters.bias);
    operation.batch = operation.kernels = operation.height = operation.width = 1;
    operation.channels = channels;
    operation.kernel_height = operation.kernel_width = operation.stride_height = operation.stride_width = 1;
    operation.scale = 1;
    return operation;
  }

  int int8_result(const Convolution &operation) {
    carry_out(operation, core.memories(), GetParam());
    return core.get<std::int8_t>(kDestination);
  }
  int half_result(const Convolution &operation) {
    carry_out(operation, core.memories(), GetParam());
    return core.get<std::uint16_t>(kDestination);
  }

  Core core{64, 256 * kKibi};
};

TEST_P(ConvolutionTest, RequantisesStepByStep) {
  // The sum is 1 * 4 - 2 * 5 - 3 * 6 = -24. The record's scale and bias give -24 * 0.5 + 20 = 8, which the ReLU does not change.
  // Requantisation gives 8 * 2.25 - 3.5 = 14.5.
  Convolution operation = dot({1, -2, 3}, {4, 5, -6}, {0.5f, 20}, DataFmt::INT8);
  operation.activation = ActMode::RELU;
  operation.scale = 2.25f;
  operation.zero_point = -3.5f;
  operation.rounding = Float2Fixed::ROUND;
  EXPECT_EQ(int8_result(operation), 14);
  operation.rounding = Float2Fixed::CEIL;
  EXPECT_EQ(int8_result(operation), 15);
  operation.rounding = Float2Fixed::FLOOR;
  EXPECT_EQ(int8_result(operation), 14);
  operation.rounding = Float2Fixed::TRUNCATE;
  EXPECT_EQ(int8_result(operation), 14);
}

TEST_P(ConvolutionTest, RoundsNegativeValues) {
  // The sum is 1. The record's scale gives 1 * -2.5 = -2.5, which each mode rounds in its own way.
  Convolution operation = dot({1}, {1}, {-2.5f, 0}, DataFmt::INT8);
  operation.rounding = Float2Fixed::ROUND;
  EXPECT_EQ(int8_result(operation), -2);
  operation.rounding = Float2Fixed::CEIL;
  EXPECT_EQ(int8_result(operation), -2);
  operation.rounding = Float2Fixed::FLOOR;
  EXPECT_EQ(int8_result(operation), -3);
  operation.rounding = Float2Fixed::TRUNCATE;
  EXPECT_EQ(int8_result(operation), -2);
  // -3.5 is a tie and becomes -4, which is even.
  EXPECT_EQ(int8_result(dot({1}, {1}, {-3.5f, 0}, DataFmt::INT8)), -4);
}

TEST_P(ConvolutionTest, ReluCutsBeforeTheZeroPoint) {
  // The sum is -24. The record's scale and bias give -24 * 0.5 + 2 = -10, and the ReLU makes that 0. Requantisation gives 0 * 3 - 128 =
  // -128.
  Convolution operation = dot({1, -2, 3}, {4, 5, -6}, {0.5f, 2}, DataFmt::INT8);
  operation.scale = 3;
  operation.zero_point = -128;
  operation.activation = ActMode::RELU;
  EXPECT_EQ(int8_result(operation), -128);
  // The result would be the same without the ReLU: -10 * 3 - 128 = -158 saturates to -128 too. With zero point 0 the results differ.
  operation.zero_point = 0;
  EXPECT_EQ(int8_result(operation), 0);
  operation.activation = ActMode::DISABLE;
  EXPECT_EQ(int8_result(operation), -30);
}

TEST_P(ConvolutionTest, Saturates) {
  EXPECT_EQ(int8_result(dot({127}, {127}, {1, 0}, DataFmt::INT8)), 127);
  EXPECT_EQ(int8_result(dot({127}, {-128}, {1, 0}, DataFmt::INT8)), -128);
  EXPECT_EQ(int8_result(dot({1}, {1}, {1e38f, 0}, DataFmt::INT8)), 127);
  EXPECT_EQ(int8_result(dot({1}, {1}, {-std::numeric_limits<float>::infinity(), 0}, DataFmt::INT8)), -128);
  // 127.25 rounded up is 128, which saturates; rounded down it is 127.
  Convolution operation = dot({1}, {1}, {127.25f, 0}, DataFmt::INT8);
  operation.rounding = Float2Fixed::CEIL;
  EXPECT_EQ(int8_result(operation), 127);
  // -128.25 rounded up is -128; rounded down it is -129, which saturates.
  operation = dot({1}, {1}, {-128.25f, 0}, DataFmt::INT8);
  operation.rounding = Float2Fixed::CEIL;
  EXPECT_EQ(int8_result(operation), -128);
  operation.rounding = Float2Fixed::FLOOR;
  EXPECT_EQ(int8_result(operation), -128);
}

TEST_P(ConvolutionTest, NanQuantisesToZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Float2Fixed rounding : {Float2Fixed::CEIL, Float2Fixed::FLOOR, Float2Fixed::ROUND, Float2Fixed::TRUNCATE}) {
    Convolution operation = dot({1}, {1}, {1, nan}, DataFmt::INT8);
    operation.zero_point = 5;  // a NaN becomes 0; the zero point is not added
    operation.rounding = rounding;
    operation.activation = ActMode::RELU;  // the ReLU does not change a NaN
    core.put<std::int8_t>(kDestination, 77);
    EXPECT_EQ(int8_result(operation), 0);
  }
  // Inf - Inf is a NaN whose payload depends on the host. The device writes only one NaN, 0x7E00.
  EXPECT_EQ(half_result(dot({1}, {1}, {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}, DataFmt::FP16)),
            0x7E00);
}

TEST_P(ConvolutionTest, EachOperationRoundsOnItsOwn) {
  // The product 3 * 11184811 / 2^25 is 1 + 2^-25. It rounds to 1, and adding the bias -1 gives 0. A fused multiply-add would give 2^-25
  // instead, and the scale 2^26 would make that 2.
  Convolution operation = dot({3}, {1}, {0x1.555556p-2f, -1}, DataFmt::INT8);
  operation.scale = 0x1p26f;
  EXPECT_EQ(int8_result(operation), 0);
  // The requantisation's scale and zero point also round separately: 1 + 2^-25 rounds to 1, and 1 - 1 = 0. A fused multiply-add would give
  // 2^-25 instead, and CEIL would make that 1.
  operation = dot({3}, {1}, {1, 0}, DataFmt::INT8);
  operation.scale = 0x1.555556p-2f;
  operation.zero_point = -1;
  operation.rounding = Float2Fixed::CEIL;
  EXPECT_EQ(int8_result(operation), 0);
}

TEST_P(ConvolutionTest, AccumulatorBecomesFloatToNearestEven) {
  // The sum is 1024 * (-128 * -128) + 1 * 1 = 2^24 + 1. It rounds to 2^24 in FP32, and adding the bias -2^24 gives 0.
  std::vector<int> source(1025, -128);
  std::vector<int> weights(1025, -128);
  source.back() = weights.back() = 1;
  EXPECT_EQ(int8_result(dot(source, weights, {1, -0x1p24f}, DataFmt::INT8)), 0);
  // The last product is now 3 * 1, so the sum is 2^24 + 3. That is a tie between 2^24 + 2 and 2^24 + 4, and rounds to 2^24 + 4.
  source.back() = 3;
  EXPECT_EQ(int8_result(dot(source, weights, {1, -0x1p24f}, DataFmt::INT8)), 4);
}

TEST_P(ConvolutionTest, AccumulatorWraps) {
  // The sum is 131,072 * (-128 * -128) = 2^31. It wraps to -2^31 in 32 bits, and the scale 2^-31 makes it -1.
  core = Core(256, 256 * kKibi);
  const std::vector<int> most(131072, -128);
  Convolution operation = dot(most, most, {0x1p-31f, 0}, DataFmt::FP16);
  operation.destination.base = 200 * kKibi;
  carry_out(operation, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::uint16_t>(200 * kKibi), 0xBC00);
}

TEST_P(ConvolutionTest, HalfDestinationIgnoresRequantisation) {
  // The sum is 5 * 2 = 10. The record's scale and bias give 10 * 0.25 + 0.5 = 3. QK, QB and QC have no effect.
  Convolution operation = dot({5}, {2}, {0.25f, 0.5f}, DataFmt::FP16);
  operation.scale = 100;
  operation.zero_point = 7;
  operation.rounding = Float2Fixed::CEIL;
  EXPECT_EQ(half_result(operation), 0x4200);
}

TEST_P(ConvolutionTest, HalfOverflowAndSubnormals) {
  EXPECT_EQ(half_result(dot({1}, {1}, {65520.0f, 0}, DataFmt::FP16)), 0x7C00);       // the tie between 65,504 and 65,536
  EXPECT_EQ(half_result(dot({1}, {1}, {65519.0f, 0}, DataFmt::FP16)), 0x7BFF);       // 65,504
  EXPECT_EQ(half_result(dot({1}, {1}, {-1e30f, 0}, DataFmt::FP16)), 0xFC00);         // -Inf
  EXPECT_EQ(half_result(dot({1}, {1}, {0x1p-24f, 0}, DataFmt::FP16)), 0x0001);       // the smallest subnormal
  EXPECT_EQ(half_result(dot({1}, {1}, {0x1p-25f, 0}, DataFmt::FP16)), 0x0000);       // half of the smallest subnormal: a tie, rounds to 0
  EXPECT_EQ(half_result(dot({3}, {1}, {0x1p-25f, 0}, DataFmt::FP16)), 0x0002);       // 1.5 times the smallest subnormal: a tie, rounds up
  EXPECT_EQ(half_result(dot({-1}, {1}, {0x1.ff8p-15f, 0}, DataFmt::FP16)), 0x83FF);  // largest subnormal: 1023 * 2^-24
}

TEST_P(ConvolutionTest, ReluKeepsMinusZero) {
  // The sum 0 times the scale -1 is -0, and adding the bias -0 keeps it. -0 is not below 0, so the ReLU keeps it too.
  Convolution operation = dot({0}, {1}, {-1, -0.0f}, DataFmt::FP16);
  operation.activation = ActMode::RELU;
  EXPECT_EQ(half_result(operation), 0x8000);
}

/// A 3x3 kernel with the weights 1 to 9, on a map of one channel with the rows 1 2 and 3 4. The map has one pixel of padding on each side,
/// with the value 6.
Convolution padded_three_by_three(Core &core) {
  Convolution operation;
  operation.source = padded_map(DataFmt::INT8, 1, 2, 2, kSource);
  operation.destination = padded_map(DataFmt::FP16, 1, 2, 2, kDestination);
  for (std::int64_t pixel = 0; pixel < 4; ++pixel) core.put<std::int8_t>(kSource + pixel * 8, static_cast<std::int8_t>(pixel + 1));
  for (std::int64_t tap = 0; tap < 9; ++tap) core.put_weight<std::int8_t>(tap * 8, static_cast<std::int8_t>(tap + 1));
  core.put_weight(72, 1.0f);
  operation.position_bytes = 8;
  operation.record_bytes = 72 + 32;
  operation.batch = operation.kernels = operation.channels = 1;
  operation.height = operation.width = 2;
  operation.kernel_height = operation.kernel_width = 3;
  operation.stride_height = operation.stride_width = 1;
  operation.first_row = operation.first_column = -1;
  operation.padding_value = 6;
  return operation;
}

TEST_P(ConvolutionTest, PadsInQuantisedUnits) {
  carry_out(padded_three_by_three(core), core.memories(), GetParam());
  // Each line below has a row of the window, where 6 is padding, and the sum of its products with a row of the weights 1 to 9. The three
  // lines add up to 179, in FP16 0x5998.
  //   6 6 6   6 * (1 + 2 + 3) = 36
  //   6 1 2   6 * 4 + 1 * 5 + 2 * 6 = 41
  //   6 3 4   6 * 7 + 3 * 8 + 4 * 9 = 102
  EXPECT_EQ(core.get<std::uint16_t>(kDestination), 0x5998);
  // The last window, with the same padding and weights, gives 235, in FP16 0x5B58.
  //   1 2 6   1 * 1 + 2 * 2 + 6 * 3 = 23
  //   3 4 6   3 * 4 + 4 * 5 + 6 * 6 = 68
  //   6 6 6   6 * (7 + 8 + 9) = 144
  EXPECT_EQ(core.get<std::uint16_t>(kDestination + 24), 0x5B58);
}

TEST_P(ConvolutionTest, PaddingValueBecomesAnInteger) {
  Convolution operation = padded_three_by_three(core);
  operation.height = operation.width = 1;
  operation.first_row = operation.first_column = 10;  // outside of the map, so all 9 values are padding
  // The padding becomes an INT8 value, rounded half to even. The weights 1 to 9 add up to 45.
  const std::pair<float, int> cases[] = {{2.5f, 90},       {3.5f, 180},        {-1.5f, -90},
                                         {1000, 45 * 127}, {-1000, 45 * -128}, {std::numeric_limits<float>::quiet_NaN(), 0}};
  operation.destination = padded_map(DataFmt::INT8, 1, 1, 1, kDestination);
  core.put_weight(72, 0.015625f);
  for (const auto &[padding, sum] : cases) {
    operation.padding_value = padding;
    operation.scale = 1;
    // The record's scale is 1/64. No sum divided by 64 is near a tie.
    const int expected = static_cast<int>(std::lround(sum / 64.0));
    EXPECT_EQ(int8_result(operation), expected) << padding;
  }
}

TEST_P(ConvolutionTest, StrideAndStartOffset) {
  // A kernel of 1x1 with the weight 1, on a map of 5x5 with the values 10 * row + column. With a stride of 2x3 from (1, 1) on, the outputs
  // are rows 1 and 3, columns 1 and 4.
  Convolution operation = dot({0}, {1}, {1, 0}, DataFmt::INT8);
  operation.source = padded_map(DataFmt::INT8, 1, 5, 5, kSource);
  operation.destination = padded_map(DataFmt::INT8, 1, 2, 2, kDestination);
  for (std::int64_t row = 0; row < 5; ++row) {
    for (std::int64_t column = 0; column < 5; ++column)
      core.put<std::int8_t>(kSource + (row * 5 + column) * 8, static_cast<std::int8_t>(10 * row + column));
  }
  operation.height = operation.width = 2;
  operation.stride_height = 2;
  operation.stride_width = 3;
  operation.first_row = operation.first_column = 1;
  carry_out(operation, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::int8_t>(kDestination), 11);
  EXPECT_EQ(core.get<std::int8_t>(kDestination + 8), 14);
  EXPECT_EQ(core.get<std::int8_t>(kDestination + 16), 31);
  EXPECT_EQ(core.get<std::int8_t>(kDestination + 24), 34);
}

TEST_P(ConvolutionTest, WritesItsChannelsAlone) {
  // 3 kernels write channels 5 to 7 of a map of 10 channels, for two images. All other bytes keep 0x55.
  Convolution operation = dot({2}, {0}, {1, 0}, DataFmt::INT8);
  operation.source = padded_map(DataFmt::INT8, 1, 1, 1, kSource);
  core.put<std::int8_t>(kSource + 8, 3);  // the second image
  operation.destination = padded_map(DataFmt::INT8, 10, 1, 1, kDestination + 5);
  operation.batch = 2;
  operation.kernels = 3;
  for (std::int64_t k = 0; k < 3; ++k) {
    core.put_weight<std::int8_t>(k * 40, static_cast<std::int8_t>(k + 1));
    core.put_weight(k * 40 + 8, 1.0f + static_cast<float>(k));    // scale
    core.put_weight(k * 40 + 12, 10.0f * static_cast<float>(k));  // bias
  }
  std::fill(core.l2.begin() + kDestination - 16, core.l2.begin() + kDestination + 48, std::byte{0x55});
  carry_out(operation, core.memories(), GetParam());
  // Each kernel gives input * weight * scale + bias. Image 0 has the input 2: 2 * 1 * 1 + 0 = 2, 2 * 2 * 2 + 10 = 18, 2 * 3 * 3 + 20 = 38.
  // Image 1 has the input 3: 3 * 1 * 1 + 0 = 3, 3 * 2 * 2 + 10 = 22, 3 * 3 * 3 + 20 = 47.
  const int expected[] = {2, 18, 38, 3, 22, 47};
  for (int byte = -16; byte < 48; ++byte) {
    const int image = byte / 16;
    const int channel = byte - image * 16 - 5;
    const bool written = byte >= 0 && image < 2 && channel >= 0 && channel < 3;
    EXPECT_EQ(core.get<std::int8_t>(kDestination + byte), written ? expected[image * 3 + channel] : 0x55) << byte;
  }
}

TEST_P(ConvolutionTest, ChannelPaddingDoesNotCount) {
  // 3 channels of 1 with weights of 1 give 3. The bytes behind them in the pixel and in the record are arbitrary.
  Convolution operation = dot({1, 1, 1}, {1, 1, 1}, {1, 0}, DataFmt::INT8);
  for (int c = 3; c < 8; ++c) {
    core.put<std::int8_t>(kSource + c, 99);
    core.put_weight<std::int8_t>(c, 99);
  }
  EXPECT_EQ(int8_result(operation), 3);
}

TEST_P(ConvolutionTest, SourceAndDestinationWrap) {
  // The region is blocks 8 and 9, bytes 8,192 to 10,239. A map of 3 pixels of 8 bytes from 10,232 on wraps: pixel 1 is at 8,192, pixel 2
  // at 8,200.
  Convolution operation = dot({0}, {1}, {1, 0}, DataFmt::INT8);
  core.region = {8, 2};
  operation.source = padded_map(DataFmt::INT8, 1, 1, 3, 10232);
  operation.destination = padded_map(DataFmt::INT8, 1, 1, 3, 10224 + 2048);  // wraps to 10,224, which is inside of the region
  operation.width = 3;
  core.put<std::int8_t>(10232, 11);
  core.put<std::int8_t>(8192, 22);
  core.put<std::int8_t>(8200, 33);
  carry_out(operation, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::int8_t>(10224), 11);
  EXPECT_EQ(core.get<std::int8_t>(10232), 22);  // overwrites the first pixel of the source
  EXPECT_EQ(core.get<std::int8_t>(8192), 33);
}

TEST_P(ConvolutionTest, ReadsAllBeforeItWrites) {
  // A 1x2 kernel with both weights 1 adds neighbours of the map 1, 2, 3, and so on to 20. The results overwrite the map from its second
  // pixel on. Each sum must use the map's old values.
  Convolution operation = padded_three_by_three(core);
  operation.source = padded_map(DataFmt::INT8, 1, 1, 20, kSource);
  operation.destination = padded_map(DataFmt::INT8, 1, 1, 19, kSource + 8);
  for (std::int64_t pixel = 0; pixel < 20; ++pixel) core.put<std::int8_t>(kSource + pixel * 8, static_cast<std::int8_t>(pixel + 1));
  core.put_weight<std::int8_t>(0, 1);
  core.put_weight<std::int8_t>(8, 1);
  core.put_weight(16, 1.0f);
  core.put_weight(20, 0.0f);
  operation.position_bytes = 8;
  operation.record_bytes = 48;
  operation.height = 1;
  operation.width = 19;
  operation.kernel_height = 1;
  operation.kernel_width = 2;
  operation.first_row = operation.first_column = 0;
  operation.scale = 1;
  carry_out(operation, core.memories(), GetParam());
  for (std::int64_t pixel = 0; pixel < 19; ++pixel) EXPECT_EQ(core.get<std::int8_t>(kSource + 8 + pixel * 8), 2 * pixel + 3) << pixel;
}

TEST_P(ConvolutionTest, WeightsOutsideOfWl0AreZero) {
  Convolution operation = dot({1}, {1}, {1, 0}, DataFmt::INT8);
  operation.weights = static_cast<std::int64_t>(core.wl0.size()) - 4;
  core.put<std::int8_t>(kDestination, 77);
  EXPECT_EQ(int8_result(operation), 0);
}

TEST_P(ConvolutionTest, OversizedStridesDoNotNeedPaddedCopies) {
  // 200x200 outputs with a stride of 255 over a map of one pixel. The first output is 2 * 3 = 6, from the pixel. All others are 5 * 3 = 15,
  // from the padding.
  core = Core(1024);
  Convolution operation = dot({2}, {3}, {1, 0}, DataFmt::INT8);
  operation.height = operation.width = 200;
  operation.stride_height = operation.stride_width = 255;
  operation.destination = padded_map(DataFmt::INT8, 1, 200, 200, kDestination);
  operation.padding_value = 5;
  carry_out(operation, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::int8_t>(kDestination), 6);
  EXPECT_EQ(core.get<std::int8_t>(kDestination + 8), 15);
  EXPECT_EQ(core.get<std::int8_t>(kDestination + std::int64_t{39999} * 8), 15);
}

INSTANTIATE_TEST_SUITE_P(Ways, ConvolutionTest, testing::Range(std::size_t{0}, ways()),
                         [](const auto &way) { return way_name(way.param); });

TEST(Execute, UsesTheDefaultFloatingPointEnvironmentAndRestores) {
  Core core;
  isa::tile::Vector copy;
  copy.source = padded_map(DataFmt::INT8, 1, 1, 1, kSource);
  copy.destination = padded_map(DataFmt::INT8, 1, 1, 1, kDestination);
  copy.channels = copy.height = copy.width = 1;
  copy.scale = 2.5f;  // 1 * 2.5 rounds to 2; rounding up would give 3
  core.put<std::int8_t>(kSource, 1);
  for (const auto path : {model::arithmetic::Path::reference, model::arithmetic::Path::fast}) {
    core.put<std::int8_t>(kDestination, 77);
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    model::arithmetic::execute(copy, core.memories(), path);
    const int rounding = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(rounding, FE_UPWARD);
    EXPECT_EQ(core.get<std::int8_t>(kDestination), 2);
  }
}

TEST(Execute, ControlTouchesNothing) {
  Core core;
  const Core before = core;
  model::arithmetic::execute(isa::tile::Control{}, core.memories(), model::arithmetic::Path::fast);
  model::arithmetic::execute(isa::tile::Control{}, core.memories(), model::arithmetic::Path::reference);
  EXPECT_EQ(core.l2, before.l2);
  EXPECT_EQ(core.wl0, before.wl0);
}

}  // namespace convolution_test
}  // namespace cox::test
