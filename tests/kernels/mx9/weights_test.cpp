// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "coxswain/kernels/mx/mx9_pack.h"
#include "coxswain/kernels/mx/pack_weights.h"
#include "tests/kernels/mx9/readings.h"

namespace cox::mx9 {
namespace weights_test {

using kernels::mx::pack_weights;
using kernels::mx::packed_weights_bytes;
using kernels::mx::space_to_depth_weights;
using kernels::mx::WeightShape;

constexpr std::size_t kBlock = 18;
constexpr std::size_t kGroupBiases = 64;

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values) value = normal(random);
  return values;
}

// Worked out by hand. A group of 16 output channels has 16 blocks of 18 bytes for each position and each block of 16 input channels. Its 16
// biases of 4 bytes follow.
TEST(Mx9Weights, BytesByHand) {
  EXPECT_EQ(packed_weights_bytes({1, 16, 16}).value(), 16U * 18 + 64);
  EXPECT_EQ(packed_weights_bytes({3, 3, 1}).value(), 9U * 16 * 18 + 64);
  EXPECT_EQ(packed_weights_bytes({3, 17, 33}).value(), 3U * (9 * 2 * 16 * 18 + 64));
  EXPECT_EQ(packed_weights_bytes({1, 1024, 16}).value(), 64U * 16 * 18 + 64);
  // 2,050 input channels are packed in three parts of 1,024, 1,024 and 2. The parts have 64, 64 and 1 blocks of input channels, and 64
  // bytes of biases each.
  EXPECT_EQ(packed_weights_bytes({1, 2050, 16}).value(), (64U + 64 + 1) * 16 * 18 + 3 * 64);
}

/// Checks the place of each element (output, input, position) and of each bias. The places are computed only from docs/mx9.md.
void expect_layout(const WeightShape &shape) {
  const std::size_t positions = std::size_t{shape.kernel} * shape.kernel;
  const std::vector<float> weights = random_values(shape.output_channels * shape.input_channels * positions, 5);
  const std::vector<float> biases = random_values(shape.output_channels, 6);
  std::vector<std::byte> packed(packed_weights_bytes(shape).value());
  ASSERT_TRUE(pack_weights(shape, weights, biases, packed));
  std::size_t at = 0;
  for (std::size_t part = 0; part < shape.input_channels; part += 1024) {
    const std::size_t part_channels = std::min<std::size_t>(1024, shape.input_channels - part);
    for (std::size_t group = 0; group < shape.output_channels; group += 16) {
      for (std::size_t position = 0; position < positions; ++position) {
        for (std::size_t inner = 0; inner < part_channels; inner += 16) {
          for (std::size_t output = group; output < group + 16; ++output) {
            Values block{};
            for (std::size_t i = 0; i < 16 && output < shape.output_channels && inner + i < part_channels; ++i) {
              block[i] = weights[(output * shape.input_channels + part + inner + i) * positions + position];
            }
            const Bytes expected = quantised(block);
            ASSERT_EQ(std::memcmp(packed.data() + at, expected.data(), kBlock), 0) << "part " << part << " output " << output;
            at += kBlock;
          }
        }
      }
      for (std::size_t output = group; output < group + 16; ++output) {
        float bias = -1;
        std::memcpy(&bias, packed.data() + at, sizeof(bias));
        ASSERT_EQ(bias, part == 0 && output < shape.output_channels ? biases[output] : 0.0F);
        at += sizeof(bias);
      }
    }
  }
  EXPECT_EQ(at, packed.size());
}

TEST(Mx9Weights, Layout) {
  for (const WeightShape &shape : {WeightShape{1, 16, 16}, WeightShape{3, 16, 16}, WeightShape{3, 12, 32}, WeightShape{1, 5, 3},
                                   WeightShape{3, 33, 18}, WeightShape{1, 1024, 17}, WeightShape{1, 1025, 16}, WeightShape{3, 1056, 20}}) {
    SCOPED_TRACE(::testing::Message() << shape.kernel << " " << shape.input_channels << " " << shape.output_channels);
    expect_layout(shape);
  }
}

TEST(Mx9Weights, WithoutBiases) {
  const std::vector<float> weights(4, 1.0F);
  std::vector<std::byte> packed(packed_weights_bytes({1, 2, 2}).value(), std::byte{0xFF});
  ASSERT_TRUE(pack_weights({1, 2, 2}, weights, {}, packed));
  for (std::size_t i = packed.size() - kGroupBiases; i < packed.size(); ++i) EXPECT_EQ(packed[i], std::byte{0});
}

void expect_refused(const Status &status, const char *what, std::int64_t value, std::int64_t limit) {
  EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

TEST(Mx9Weights, Refuses) {
  std::vector<float> weights(16 * 16);
  std::vector<float> biases(16);
  const std::size_t bytes = 16 * 18 + 64;
  std::vector<std::byte> packed(bytes + 1, std::byte{0xAB});
  const std::vector<std::byte> before = packed;
  const std::span<std::byte> room = std::span(packed).first(bytes);
  expect_refused(packed_weights_bytes({2, 16, 16}).status(), "kernel", 2, 3);
  expect_refused(packed_weights_bytes({3, 0, 16}).status(), "input_channels", 0, 1);
  expect_refused(packed_weights_bytes({3, 16, 0}).status(), "output_channels", 0, 1);
  EXPECT_EQ(packed_weights_bytes({3, 0xFFFFFFFF, 0xFFFFFFFF}).status().code(), ErrorCode::invalid_argument);
  expect_refused(pack_weights({5, 16, 16}, weights, biases, room), "kernel", 5, 3);
  expect_refused(pack_weights({1, 16, 16}, std::span(weights).first(255), biases, room), "weights", 255, 256);
  expect_refused(pack_weights({1, 16, 16}, weights, std::span(biases).first(15), room), "biases", 15, 16);
  expect_refused(pack_weights({1, 16, 16}, weights, biases, packed), "packed", bytes + 1, bytes);
  expect_refused(pack_weights({1, 16, 16}, weights, biases, room.first(bytes - 1)), "packed", bytes - 1, bytes);
  EXPECT_EQ(packed, before);
  // The packed bytes overlap the memory of the weights, then that of the biases.
  std::vector<float> memory(16 * 16 + bytes / 4);
  const std::span<float> inside = std::span(memory).first(16 * 16);
  EXPECT_EQ(pack_weights({1, 16, 16}, inside, biases, std::as_writable_bytes(std::span(memory)).subspan(1000, bytes)).code(),
            ErrorCode::tensor_overlap);
  EXPECT_EQ(pack_weights({1, 16, 16}, weights, inside.first(16), std::as_writable_bytes(std::span(memory)).first(bytes)).code(),
            ErrorCode::tensor_overlap);
}

TEST(Mx9Weights, SpaceToDepthRefuses) {
  std::vector<float> weights(3 * 2 * 36);
  std::vector<float> transformed(weights.size());
  expect_refused(space_to_depth_weights(0, 2, weights, transformed), "input_channels", 0, 1);
  expect_refused(space_to_depth_weights(3, 0, weights, transformed), "output_channels", 0, 1);
  expect_refused(space_to_depth_weights(3, 3, weights, transformed), "weights", 216, 324);
  expect_refused(space_to_depth_weights(3, 2, weights, std::span(transformed).first(215)), "transformed", 215, 216);
  EXPECT_EQ(space_to_depth_weights(3, 2, weights, weights).code(), ErrorCode::tensor_overlap);
}

struct Map {
  std::size_t channels, height, width;
  std::vector<double> values;

  [[nodiscard]] double at(std::size_t c, std::ptrdiff_t row, std::ptrdiff_t column) const {
    if (row < 0 || column < 0 || row >= static_cast<std::ptrdiff_t>(height) || column >= static_cast<std::ptrdiff_t>(width)) return 0;
    return values[(c * height + static_cast<std::size_t>(row)) * width + static_cast<std::size_t>(column)];
  }
};

Map convolve(const Map &input, std::size_t outputs, const std::vector<float> &weights, std::size_t side, std::size_t stride,
             std::size_t padding) {
  Map output{outputs, (input.height + 2 * padding - side) / stride + 1, (input.width + 2 * padding - side) / stride + 1, {}};
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t row = 0; row < output.height; ++row) {
      for (std::size_t column = 0; column < output.width; ++column) {
        double sum = 0;
        for (std::size_t c = 0; c < input.channels; ++c) {
          for (std::size_t r = 0; r < side; ++r) {
            for (std::size_t s = 0; s < side; ++s) {
              const auto y = static_cast<std::ptrdiff_t>(row * stride + r) - static_cast<std::ptrdiff_t>(padding);
              const auto x = static_cast<std::ptrdiff_t>(column * stride + s) - static_cast<std::ptrdiff_t>(padding);
              sum += static_cast<double>(weights[((o * input.channels + c) * side + r) * side + s]) * input.at(c, y, x);
            }
          }
        }
        output.values.push_back(sum);
      }
    }
  }
  return output;
}

/// Makes the convolution's input with mx9_pack_space_to_depth(). The image has small integers, which are exact in MX9.
TEST(Mx9Weights, SpaceToDepthIsTheSameConvolution) {
  for (std::size_t channels = 1; channels <= 4; ++channels) {
    const std::size_t height = 12;
    const std::size_t width = 18;
    const std::size_t outputs = 5;
    std::mt19937 random(7);
    std::vector<float> image(channels * height * width);
    for (float &value : image) value = static_cast<float>(random() % 127) - 63;
    const std::vector<float> weights = random_values(outputs * channels * 36, 8);
    std::vector<float> transformed(weights.size());
    ASSERT_TRUE(space_to_depth_weights(static_cast<std::uint32_t>(channels), outputs, weights, transformed));
    std::vector<isa::mx::Block> blocks(height * width / 4);
    ASSERT_TRUE(kernels::mx::mx9_pack_space_to_depth(image, channels, height, width, blocks));

    Map deep{4 * channels, height / 2, width / 2, std::vector<double>(channels * height * width)};
    for (std::size_t pixel = 0; pixel < blocks.size(); ++pixel) {
      const Values elements = dequantised(bytes_of(blocks[pixel]));
      for (std::size_t c = 0; c < 16; ++c) {
        if (c < 4 * channels)
          deep.values[c * blocks.size() + pixel] = static_cast<double>(elements[c]);
        else
          ASSERT_EQ(elements[c], 0);
      }
    }
    const Map expected = convolve({channels, height, width, {image.begin(), image.end()}}, outputs, weights, 6, 2, 2);
    const Map actual = convolve(deep, outputs, transformed, 3, 1, 1);
    ASSERT_EQ(expected.values.size(), actual.values.size());
    for (std::size_t i = 0; i < expected.values.size(); ++i) ASSERT_NEAR(expected.values[i], actual.values[i], 1e-9);
  }
}

}  // namespace weights_test
}  // namespace cox::mx9
