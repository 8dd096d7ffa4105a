// SPDX-License-Identifier: MIT
// Formats, accumulators and activations of convolutions, worked out by hand from docs/arithmetic.md. Each test runs on the reference and on
// every set of SIMD kernels that this host supports. A test uses one output pixel and one convolution kernel unless it says otherwise.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "core_memory.h"

namespace cox::test {
namespace convolution_format_test {

using isa::tile::ActMode;
using isa::tile::Convolution;
using isa::tile::Float2Fixed;
using isa::tile::Format;

constexpr std::int64_t kSource = 0;
constexpr std::int64_t kPartial = 8 * 1024;
constexpr std::int64_t kTable = 12 * 1024;
constexpr std::int64_t kDestination = 16 * 1024;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Format kInt4{DataFmt::INT4, true}, kInt8{DataFmt::INT8, true}, kInt16{DataFmt::INT16, true}, kInt32{DataFmt::INT32, true},
    kHalf{DataFmt::FP16, true}, kBfloat{DataFmt::BF16, true}, kFloat{DataFmt::FP32, true};

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

class ConvolutionFormatTest : public testing::TestWithParam<std::size_t> {
 protected:
  void put(std::vector<std::byte> &memory, std::int64_t address, std::int64_t index, std::uint32_t element, const Format &format) {
    const unsigned width = isa::tile::bits_of(format.format);
    if (width == 4) {
      std::byte &pair = memory[static_cast<std::size_t>(address + index / 2)];
      pair |= static_cast<std::byte>((element & 0xF) << (index % 2 * 4));
    } else {
      std::memcpy(&memory[static_cast<std::size_t>(address + index * (width / 8))], &element, width / 8);
    }
  }

  /// Prepares a 1x1 convolution of one pixel with one kernel. `source` and `weights` are the bits of an element for each channel.
  Convolution dot(const std::vector<std::uint32_t> &source, const std::vector<std::uint32_t> &weights, const Format &source_format,
                  const Format &weight_format, const Format &destination) {
    core = Core(32);
    const auto channels = static_cast<std::uint32_t>(source.size());
    for (std::size_t c = 0; c < source.size(); ++c) {
      put(core.l2, kSource, static_cast<std::int64_t>(c), source[c], source_format);
      put(core.wl0, 0, static_cast<std::int64_t>(c), weights[c], weight_format);
    }
    Convolution operation;
    operation.source = padded_map(source_format.format, channels, 1, 1, kSource);
    operation.source.format = source_format;
    operation.destination = padded_map(destination.format, 1, 1, 1, kDestination);
    operation.destination.format = destination;
    operation.weight_format = weight_format;
    operation.position_bytes = (channels * isa::tile::bits_of(weight_format.format) + 63) / 64 * 8;
    operation.record_bytes = operation.position_bytes + 32;
    parameters(operation, 1, -0.0f, 0);
    operation.batch = operation.kernels = operation.height = operation.width = 1;
    operation.channels = channels;
    operation.kernel_height = operation.kernel_width = operation.stride_height = operation.stride_width = 1;
    operation.scale = 1;
    operation.zero_point = 0;
    return operation;
  }
  void parameters(const Convolution &operation, float scale, float bias, float slope) {
    core.put_weight(operation.position_bytes, scale);
    core.put_weight(operation.position_bytes + 4, bias);
    core.put_weight(operation.position_bytes + 8, slope);
  }
  /// Returns a convolution whose activation gets `value` as its input, in FP32. The convolution's sum is 1 * 1, and the scale in its record
  /// is `value`.
  Convolution of_value(float value, const Format &destination = kFloat, float slope = 0) {
    const Convolution operation = dot({1}, {1}, kInt8, kInt8, destination);
    parameters(operation, value, -0.0f, slope);
    return operation;
  }

  template <typename T>
  T result(const Convolution &operation) {
    carry_out(operation, core.memories(), GetParam());
    return core.get<T>(kDestination);
  }

  Core core{32};
};

TEST_P(ConvolutionFormatTest, Operands) {
  const auto element = [](float value, const Format &format) { return model::arithmetic::to_element(value, format, Float2Fixed::ROUND); };
  struct Case {
    const char *name;
    std::vector<std::uint32_t> source, weights;
    Format source_format, weight_format;
    float expected;
  };
  const float next = 1 + 0x1p-12f;
  const Case cases[] = {
      // The sum is -8 * 7 + 3 * -8 + 7 * 7 = -31. The fourth nibble of the pixel is padding.
      {"INT4", {0x8, 0x3, 0x7}, {0x7, 0x8, 0x7}, kInt4, kInt4, -31},
      {"unsigned INT4", {0x8, 0x3, 0xF}, {0x7, 0x8, 0x7}, {DataFmt::INT4, false}, kInt4, 56 - 24 + 105},
      {"INT4 by INT8", {0x8, 0x3}, {0x80, 0x7F}, kInt4, kInt8, 1024 + 381},
      {"INT8 by INT4", {0x80, 0x7F}, {0x8, 0x3}, kInt8, kInt4, 1024 + 381},
      {"unsigned INT8", {0xFF, 0x80}, {0x80, 0x7F}, {DataFmt::INT8, false}, kInt8, -255 * 128 + 128 * 127},
      {"INT16", {0x8000, 0x7FFF}, {0x8000, 0x7FFF}, kInt16, kInt16, 0x1p30f + 32767.0f * 32767.0f},
      {"unsigned INT16", {0xFFFF, 0x8000}, {0x8000, 2}, {DataFmt::INT16, false}, kInt16, -2147450880.0f + 65536.0f},
      {"INT16 by INT4", {0x8000}, {0x8}, kInt16, kInt4, 262144},
      {"INT8 by INT16", {0x80}, {0x8000}, kInt8, kInt16, 4194304},
      // The order of the terms matters, because 10^8 + 1 rounds to 10^8: 10^8 + 1 - 10^8 gives 0, but 10^8 - 10^8 + 1 gives 1.
      {"order of a sum", {bits(1e8f), bits(1), bits(-1e8f)}, {bits(1), bits(1), bits(1)}, kFloat, kFloat, 0},
      {"order of a sum", {bits(1e8f), bits(-1e8f), bits(1)}, {bits(1), bits(1), bits(1)}, kFloat, kFloat, 1},
      // The second product is (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24. It rounds to 1 + 2^-11, and adding it to the first product, -1 - 2^-11,
      // gives 0. A fused multiply-add would give 2^-24.
      {"products round", {bits(-1 - 0x1p-11f), bits(next)}, {bits(1), bits(next)}, kFloat, kFloat, 0},
      {"FP16", {0x3C01, 0x0001}, {0x3C01, 0x3C00}, kHalf, kHalf, (1 + 0x1p-10f) * (1 + 0x1p-10f) + 0x1p-24f},
      {"BF16", {element(3, kBfloat), element(1e30f, kBfloat)}, {element(-5, kBfloat), 0}, kBfloat, kBfloat, -15},
      {"Inf * 0", {0x7C00}, {0}, kHalf, kHalf, kNan},
      {"FP32 overflow", {bits(3e38f), bits(3e38f)}, {bits(1), bits(1)}, kFloat, kFloat, kInfinity},
      {"subnormal", {bits(0x1p-126f)}, {bits(0x1p-23f)}, kFloat, kFloat, 0x1p-149f},
  };
  for (const Case &c : cases) {
    const Convolution operation = dot(c.source, c.weights, c.source_format, c.weight_format, kFloat);
    const auto expected = c.expected == c.expected ? bits(c.expected) : 0x7FC00000U;
    EXPECT_EQ(result<std::uint32_t>(operation), expected) << c.name;
  }
}

TEST_P(ConvolutionFormatTest, Destinations) {
  struct Case {
    Format format;
    float value;
    std::uint32_t expected;
  };
  const Case cases[] = {
      {kInt4, 7.5f, 0x7},
      {kInt4, -9, 0x8},
      {kInt4, -2.5f, 0xE},
      {{DataFmt::INT4, false}, 15.6f, 0xF},
      {{DataFmt::INT4, false}, -1, 0},
      {kInt8, 127.6f, 0x7F},
      {{DataFmt::INT8, false}, 254.5f, 0xFE},
      {{DataFmt::INT8, false}, 256, 0xFF},
      {{DataFmt::INT8, false}, kNan, 0},
      {kInt16, -32768.6f, 0x8000},
      {kInt16, 1e30f, 0x7FFF},
      {{DataFmt::INT16, false}, 65535.5f, 0xFFFF},
      {kInt32, 0x1p31f, 0x7FFFFFFF},
      {kInt32, 0x1.fffffep30f, 0x7FFFFF80},
      {kInt32, -kInfinity, 0x80000000},
      {kInt32, kNan, 0},
      {{DataFmt::INT32, false}, 0x1p32f, 0xFFFFFFFF},
      {{DataFmt::INT32, false}, -kInfinity, 0},
      {kHalf, 65520, 0x7C00},
      {kHalf, kNan, 0x7E00},
      {kBfloat, 1 + 0x1p-8f, 0x3F80},
      {kBfloat, -kNan, 0x7FC0},
      {kBfloat, 0x1p-133f, 0x0001},
      {kFloat, -0.0f, 0x80000000},
      {kFloat, -kNan, 0x7FC00000},
  };
  for (const Case &c : cases) {
    const Convolution operation = of_value(c.value, c.format);
    const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << std::max(8U, operation.destination.element_bits)) - 1);
    core.put<std::uint32_t>(kDestination, 0x55555555);
    EXPECT_EQ(result<std::uint32_t>(operation) & mask, c.expected) << static_cast<int>(c.format.format) << " of " << c.value;
  }
}

TEST_P(ConvolutionFormatTest, RoundingOfEachDestination) {
  for (const Format &format : {kInt4, kInt8, kInt16, kInt32}) {
    for (const auto &[rounding, expected] :
         {std::pair{Float2Fixed::CEIL, -2}, {Float2Fixed::FLOOR, -3}, {Float2Fixed::ROUND, -2}, {Float2Fixed::TRUNCATE, -2}}) {
      Convolution operation = of_value(-2.5f, format);
      operation.rounding = rounding;
      const auto element = result<std::uint32_t>(operation);
      EXPECT_EQ(model::arithmetic::integer_of(element & (0xFFFFFFFFU >> (32 - operation.destination.element_bits)), format), expected);
    }
  }
}

TEST_P(ConvolutionFormatTest, Activations) {
  struct Case {
    ActMode mode;
    float parameter, slope, value, expected;
  };
  const Case cases[] = {
      {ActMode::RELU, 9, 9, -1, 0.0f},         {ActMode::RELU, 9, 9, -0.0f, -0.0f},  // -0 is not below 0
      {ActMode::RELU, 9, 9, kNan, kNan},       {ActMode::RELUX, 6, 9, -0x1p-149f, 0.0f},
      {ActMode::RELUX, 6, 9, -0.0f, -0.0f},    {ActMode::RELUX, 6, 9, 6, 6},
      {ActMode::RELUX, 6, 9, 6.0000005f, 6},   {ActMode::RELUX, 6, 9, kInfinity, 6},
      {ActMode::RELUX, 6, 9, kNan, kNan},      {ActMode::RELUX, kNan, 9, 7, 7},
      {ActMode::RELUX, -1, 9, -5, 0.0f},  // a negative value becomes 0, whatever the limit
      {ActMode::RELUX, -1, 9, 0.0f, -1},       {ActMode::LEAKY_RELU, 0.125f, 9, -8, -1},
      {ActMode::LEAKY_RELU, 0.125f, 9, 8, 8},  {ActMode::LEAKY_RELU, 0.125f, 9, -0.0f, -0.0f},
      {ActMode::LEAKY_RELU, 0, 9, -8, -0.0f},  {ActMode::LEAKY_RELU, 0, 9, -kInfinity, kNan},
      {ActMode::LEAKY_RELU, 2, 9, kNan, kNan}, {ActMode::PRELU, 9, -0.5f, -8, 4},
      {ActMode::PRELU, 9, -0.5f, 8, 8},        {ActMode::PRELU, 9, -0.5f, 0, 0},
      {ActMode::DISABLE, 9, 9, -3, -3},
  };
  for (const Case &c : cases) {
    Convolution operation = of_value(c.value, kFloat, c.slope);
    operation.activation = c.mode;
    operation.activation_parameter = c.parameter;
    const std::uint32_t expected = c.expected == c.expected ? bits(c.expected) : 0x7FC00000U;
    EXPECT_EQ(result<std::uint32_t>(operation), expected) << static_cast<int>(c.mode) << " of " << c.value;
  }
}

TEST_P(ConvolutionFormatTest, Tables) {
  // The table has the values 10, 20, 40 and -8 at the inputs -1, -0.5, 0 and 0.5.
  struct Case {
    bool extrapolate;
    float value, expected;
  };
  const Case cases[] = {{false, -1, 10},
                        {false, -0.75f, 15},
                        {false, -0.5f, 20},
                        {false, 0.25f, 16},
                        {false, 0.5f, -8},
                        {false, -3, 10},
                        {false, 7, -8},
                        {false, -kInfinity, 10},
                        {false, kInfinity, -8},
                        {false, kNan, kNan},
                        {true, -1, 10},
                        {true, -3, -30},
                        {true, 0.5f, -8},
                        {true, 1, -56},
                        {true, kInfinity, -kInfinity},
                        {true, -kInfinity, -kInfinity},
                        {true, kNan, kNan}};
  for (const Case &c : cases) {
    Convolution operation = of_value(c.value);
    const float entries[] = {10, 20, 40, -8};
    for (int i = 0; i < 4; ++i) core.put(kTable + 4 * i, entries[i]);
    operation.activation = ActMode::SILU;
    operation.table = {3, 0, kTable, -1, 2, c.extrapolate};
    const std::uint32_t expected = c.expected == c.expected ? bits(c.expected) : 0x7FC00000U;
    EXPECT_EQ(result<std::uint32_t>(operation), expected) << c.value << (c.extrapolate ? " extrapolated" : "");
  }
}

TEST_P(ConvolutionFormatTest, DequantisesAndClips) {
  struct Case {
    std::uint8_t clip;
    float scale, zero_point, expected;
  };
  const Case cases[] = {{0, 2, -50, -48},      {1, 1000, 0, 127},   {1, -1000, 0, -128},   {1, 100, 27, 127},     {2, 1e6f, 0, 32767},
                        {2, -1e6f, 0, -32768}, {3, 1e6f, 0, 65504}, {3, -1e6f, 0, -65504}, {1, 0.5f, kNan, kNan}, {3, 65504, 0, 65504}};
  for (const Case &c : cases) {
    Convolution operation = of_value(2);  // the record's scale is applied after the dequantisation
    operation.dequantise = true;
    operation.clip = c.clip;
    operation.dequantisation_scale = c.scale;
    operation.dequantisation_zero_point = c.zero_point;
    const float expected = c.expected * 2;
    EXPECT_EQ(result<std::uint32_t>(operation), expected == expected ? bits(expected) : 0x7FC00000U) << c.scale;
  }
}

TEST_P(ConvolutionFormatTest, AccumulatorsWrapAndAreStored) {
  // In a 32-bit accumulator, (2^31 - 1) + 1 wraps to -2^31.
  Convolution operation = dot({1}, {1}, kInt8, kInt8, kInt8);
  operation.accumulate = operation.store_accumulators = true;
  operation.partial = padded_map(DataFmt::INT32, 1, 1, 1, kPartial);
  core.put<std::int32_t>(kPartial, 2147483647);
  core.put<std::int32_t>(kDestination + 4, 0x55555555);
  parameters(operation, 7, 7, 7);  // the record's parameters do not affect accumulators
  EXPECT_EQ(result<std::int32_t>(operation), -2147483647 - 1);
  EXPECT_EQ(core.get<std::int32_t>(kDestination + 4), 0x55555555);
  // The sum of the products is 2^30 + 1. A 64-bit accumulator that begins with 2^30 ends with exactly 2^31 + 1. If it begins with 2^63 - 1
  // - 2^30 instead, the sum is 2^63, which wraps to -2^63.
  operation = dot({0x8000, 1}, {0x8000, 1}, kInt16, kInt16, kInt8);
  operation.accumulate = operation.store_accumulators = true;
  operation.partial = padded_map(DataFmt::INT32, 2, 1, 1, kPartial);
  core.put<std::int64_t>(kPartial, std::int64_t{1} << 30);
  EXPECT_EQ(result<std::int64_t>(operation), (std::int64_t{1} << 31) + 1);
  core.put<std::int64_t>(kPartial, std::numeric_limits<std::int64_t>::max() - (std::int64_t{1} << 30));
  EXPECT_EQ(result<std::int64_t>(operation), std::numeric_limits<std::int64_t>::min());
  // Without store_accumulators the sum 2^40 is converted to the output format. The scale 2^-40 makes it 1.
  operation.store_accumulators = false;
  parameters(operation, 0x1p-40f, 0, 0);
  core.put<std::int64_t>(kPartial, (std::int64_t{1} << 40) - (std::int64_t{1} << 30) - 1);
  EXPECT_EQ(result<std::int8_t>(operation), 1);
  // An FP32 sum begins with the stored value. 10^8 + 1 rounds to 10^8, and adding -10^8 gives 0.
  operation = dot({bits(1), bits(-1e8f)}, {bits(1), bits(1)}, kFloat, kFloat, kFloat);
  operation.accumulate = true;
  operation.partial = padded_map(DataFmt::FP32, 1, 1, 1, kPartial);
  core.put(kPartial, 1e8f);
  EXPECT_EQ(result<float>(operation), 0);
  operation.store_accumulators = true;
  core.put<std::uint32_t>(kPartial, 0xFFC12345);
  EXPECT_EQ(result<std::uint32_t>(operation), 0x7FC00000U);  // the device writes no other NaN
}

TEST_P(ConvolutionFormatTest, ChannelTilesGiveTheUntiledBits) {
  // 5 kernels over 24 channels: once as a whole, and once in tiles of 8 channels, each of which adds to accumulators in L2.
  constexpr std::uint32_t kChannels = 24, kKernels = 5, kTile = 8;
  for (const Format &format : {kInt8, kInt16}) {
    core = Core(64);
    const std::uint32_t bytes = isa::tile::bits_of(format.format) / 8;
    Convolution whole;
    whole.batch = 1;
    whole.kernels = kKernels;
    whole.height = whole.width = 2;
    whole.kernel_height = whole.kernel_width = whole.stride_height = whole.stride_width = 1;
    whole.source = padded_map(format.format, kChannels, 2, 2, kSource);
    whole.weight_format = format;
    whole.channels = kChannels;
    whole.position_bytes = kChannels * bytes;
    whole.record_bytes = whole.position_bytes + 32;
    whole.destination = padded_map(DataFmt::INT8, kKernels, 2, 2, kDestination);
    whole.scale = 0.003f / static_cast<float>(bytes * bytes * bytes * bytes);
    whole.rounding = Float2Fixed::ROUND;
    for (std::int64_t i = 0; i < 4 * kChannels * bytes; ++i) core.put(kSource + i, static_cast<std::uint8_t>(i * 37 + 11));
    for (std::int64_t k = 0; k < kKernels; ++k) {
      for (std::int64_t i = 0; i < kChannels * bytes; ++i)
        core.put_weight(k * whole.record_bytes + i, static_cast<std::uint8_t>(i * 59 + k * 101));
      core.put_weight(k * whole.record_bytes + kChannels * bytes, 0.7f);
      core.put_weight(k * whole.record_bytes + kChannels * bytes + 4, 3.0f);
      // the same weights as records of 8 channels
      for (std::int64_t tile = 0; tile < 3; ++tile) {
        const std::int64_t record = 8192 + tile * 1024 + k * (kTile * bytes + 32);
        for (std::int64_t i = 0; i < kTile * bytes; ++i) {
          core.wl0[static_cast<std::size_t>(record + i)] =
              core.wl0[static_cast<std::size_t>(k * whole.record_bytes + tile * kTile * bytes + i)];
        }
        core.put_weight(record + kTile * bytes, 0.7f);
        core.put_weight(record + kTile * bytes + 4, 3.0f);
      }
    }
    carry_out(whole, core.memories(), GetParam());
    std::vector<std::byte> expected(core.l2.begin() + kDestination, core.l2.begin() + kDestination + 32);
    std::fill(core.l2.begin() + kDestination, core.l2.begin() + kDestination + 32, std::byte{0});
    for (std::uint32_t tile = 0; tile < 3; ++tile) {
      Convolution part = whole;
      part.channels = kTile;
      part.position_bytes = kTile * bytes;
      part.record_bytes = part.position_bytes + 32;
      part.weights = 8192 + tile * 1024;
      part.source.base += tile * kTile * bytes;
      part.accumulate = tile > 0;
      part.store_accumulators = tile < 2;
      part.partial = padded_map(DataFmt::INT32, bytes == 2 ? 2 * kKernels : kKernels, 2, 2, kPartial);
      if (part.store_accumulators) part.destination = part.partial;
      carry_out(part, core.memories(), GetParam());
    }
    EXPECT_EQ(std::vector<std::byte>(core.l2.begin() + kDestination, core.l2.begin() + kDestination + 32), expected);
    EXPECT_NE(expected[0], expected[1]);  // the bytes differ, so the operation has computed something
  }
}

TEST_P(ConvolutionFormatTest, OddChannelsOfInt4) {
  // 3 kernels write 3 nibbles to each of 2 pixels: the fourth nibble becomes 0, and the bytes behind it stay.
  Convolution operation = dot({0x2}, {0x1}, kInt4, kInt4, kInt4);
  operation.kernels = 3;
  operation.source.width = operation.width = 2;
  operation.destination = padded_map(DataFmt::INT4, 3, 1, 2, kDestination);
  core.put<std::uint8_t>(kSource + 8, 0xF);  // -1
  for (std::int64_t k = 0; k < 3; ++k) {
    core.put_weight<std::uint8_t>(k * 40, static_cast<std::uint8_t>(k + 1));
    core.put_weight(k * 40 + 8, 1.0f);
  }
  for (std::int64_t i = 0; i < 16; ++i) core.put<std::uint8_t>(kDestination + i, 0x55);
  carry_out(operation, core.memories(), GetParam());
  const std::uint8_t expected[] = {0x42, 0x06, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xEF, 0x0D, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55};
  for (std::int64_t i = 0; i < 16; ++i) EXPECT_EQ(core.get<std::uint8_t>(kDestination + i), expected[i]) << i;
}

TEST_P(ConvolutionFormatTest, GroupsDilationAndSpreading) {
  // A row of 3 pixels with 4 channels: channel c of pixel p is 10 p + c + 1. Two groups of 2 channels have a 1x2 kernel each. The weights
  // of the first kernel are 1, those of the second are 2.
  Convolution operation = dot({1, 2, 3, 4}, {1, 1, 1, 1}, kInt8, kInt8, kFloat);
  operation.source.width = 3;
  for (std::int64_t pixel = 0; pixel < 3; ++pixel) {
    for (std::int64_t c = 0; c < 4; ++c) core.put(kSource + pixel * 8 + c, static_cast<std::int8_t>(10 * pixel + c + 1));
  }
  operation.kernels = 2;
  operation.groups = 2;
  operation.channels = 2;
  operation.kernel_width = 2;
  operation.dilation_width = 2;
  operation.position_bytes = 8;
  operation.record_bytes = 48;
  for (std::int64_t k = 0; k < 2; ++k) {
    for (std::int64_t i = 0; i < 16; ++i) core.put_weight<std::int8_t>(k * 48 + i, i % 8 < 2 ? static_cast<std::int8_t>(k + 1) : 99);
    core.put_weight(k * 48 + 16, 1.0f);
    core.put_weight(k * 48 + 20, 0.0f);
  }
  operation.destination = padded_map(DataFmt::FP32, 2, 1, 1, kDestination);
  // The taps are 2 columns apart, so they meet pixels 0 and 2. Kernel 0 reads channels 0 and 1: 1 + 2 + 21 + 22 = 46.
  // Kernel 1 reads channels 2 and 3 with weights of 2: 2 * (3 + 4 + 23 + 24) = 108.
  EXPECT_EQ(result<float>(operation), 46);
  EXPECT_EQ(core.get<float>(kDestination + 4), 108);
  // Upsampling by 3 puts the pixels into columns 0, 3 and 6, and padding of -1 between them. The kernel's two taps are still 2 columns
  // apart. If the kernel begins at column 1, its taps meet column 1 (padding) and column 3 (pixel 1).
  operation.upsample_width = 3;
  operation.first_column = 1;
  operation.padding_value = -1;
  EXPECT_EQ(result<float>(operation), -2 + 11 + 12);
  EXPECT_EQ(core.get<float>(kDestination + 4), 2 * (-2 + 13 + 14));
  // The pixels are in columns 0, 3 and 6. A kernel that begins at column 4 reads columns 4 (padding) and 6 (pixel 2).
  operation.first_column = 4;
  EXPECT_EQ(result<float>(operation), -2 + 21 + 22);
  operation.first_column = 5;  // reads columns 5 and 7, both padding
  EXPECT_EQ(result<float>(operation), -4);
}

INSTANTIATE_TEST_SUITE_P(Ways, ConvolutionFormatTest, testing::Range(std::size_t{0}, ways()),
                         [](const auto &way) { return way_name(way.param); });

}  // namespace convolution_format_test
}  // namespace cox::test
