// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/softmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "coxswain/isa/numbers/clamped_exponential.h"
#include "tests/kernels/mx/elementwise.h"

namespace cox::kernels::mx {
namespace softmax_test {

using isa::mx::Block;
using tests::ElementwiseKernel;

/// Computes the softmax of any number of elements in FP32. Adds the exponentials in the order of the elements.
std::vector<float> single_softmax(std::span<const float> values) {
  float largest = values[0];
  bool nan = false;
  for (const float value : values) {
    largest = std::max(largest, value);
    nan = nan || std::isnan(value);
  }
  std::vector<float> result(values.size(), NAN);
  if (nan) return result;
  float sum = 0;
  for (const float value : values) sum += isa::numbers::clamped_exponential(value - largest);
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = isa::numbers::clamped_exponential(values[i] - largest) / sum;
  return result;
}

std::vector<double> real_softmax(std::span<const double> values) {
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += std::exp(value - largest);
  std::vector<double> result;
  for (const double value : values) result.push_back(std::exp(value - largest) / sum);
  return result;
}

template <typename Number>
std::array<Number, 16> array_of(const std::vector<Number> &values) {
  std::array<Number, 16> result{};
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

ElementwiseKernel kernel() {
  ElementwiseKernel kernel;
  kernel.append = [](Stream &stream, const Tensor &input, const Tensor &, const Tensor &output) { return softmax(stream, input, output); };
  kernel.single = [](const std::array<float, 16> &a, const std::array<float, 16> &) { return array_of(single_softmax(a)); };
  kernel.real = [](const std::array<double, 16> &a, const std::array<double, 16> &) { return array_of(real_softmax(a)); };
  kernel.whole_blocks = true;
  return kernel;
}

TEST(Softmax, RandomShapes) { tests::expect_right_on_random_shapes(kernel(), 5); }

TEST(Softmax, EdgesOfLength) { tests::expect_right_at_edges_of_length(kernel(), 5); }

TEST(Softmax, BadArguments) { tests::expect_bad_arguments_refused(kernel()); }

TEST(SoftmaxChannels, RandomShapes) {
  std::mt19937 random(6);
  std::uniform_int_distribution<std::size_t> some_channels(1, 200), some_pixels(1, 20);
  for (int round = 0; round < 250; ++round) {
    const std::size_t channels = some_channels(random), pixels = some_pixels(random);
    const std::size_t blocks = (channels + 15) / 16;
    std::vector<Block> input(blocks * pixels);
    tests::fill(input, random, round % 4 == 0);
    std::vector<Block> apart(input.size());
    std::vector<Block> in_place = input;
    const bool same = round % 2 == 0;
    std::vector<Block> &output = same ? in_place : apart;
    ASSERT_TRUE(softmax_channels(same ? in_place : input, channels, pixels, output).ok());

    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      std::vector<float> values;
      for (std::size_t c = 0; c < channels; ++c) values.push_back(tests::values_of(input[c / 16 * pixels + pixel])[c % 16]);
      std::vector<float> expected = single_softmax(values);
      std::vector<double> real = real_softmax(std::vector<double>(values.begin(), values.end()));
      expected.resize(blocks * 16, 0.0F);
      real.resize(blocks * 16, 0.0);
      for (std::size_t block = 0; block < blocks; ++block) {
        const Block &actual = output[block * pixels + pixel];
        ASSERT_EQ(actual, isa::mx::quantise(std::span(expected).subspan(block * 16).first<16>()))
            << channels << " channels, pixel " << pixel << " of " << pixels;
        tests::expect_within_format(actual, std::span(real).subspan(block * 16).first<16>(), 2e-6, "beside real numbers");
      }
    }
  }
}

TEST(SoftmaxChannels, EveryChannelAlike) {
  constexpr std::size_t kChannels = 1000;
  std::vector<Block> blocks(63);
  ASSERT_TRUE(softmax_channels(blocks, kChannels, 1, blocks).ok());
  // 0.001 is 1.024 * 2^-10. In units of 2^-10 / 64 this is 65.536, which is rounded to 66.
  EXPECT_EQ(tests::values_of(blocks[0])[0], 66.0F / 65536);
  EXPECT_EQ(tests::values_of(blocks[62])[7], 66.0F / 65536);
  EXPECT_EQ(tests::values_of(blocks[62])[8], 0.0F) << "behind the last channel";
}

TEST(SoftmaxChannels, BadArguments) {
  std::vector<Block> input(6, Block{.exponent = 130, .pair_shift = 0, .elements = {1}});
  std::vector<Block> output(6);
  const std::vector<Block> before = output;
  const auto expect = [&](std::size_t channels, std::size_t pixels, std::span<Block> to, const char *what, std::int64_t limit) {
    const Status status = softmax_channels(input, channels, pixels, to);
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(status.limit(), limit);
    EXPECT_EQ(output, before);
  };
  expect(0, 3, output, "channels", 1);
  expect(20, 0, output, "pixels", 1);
  expect(20, 2, output, "input", 4);
  expect(33, 3, output, "input", 9);
  expect(20, 4, output, "input", 8);
  expect(20, 3, std::span(output).first(5), "output", 6);
  EXPECT_TRUE(softmax_channels(input, 17, 3, output).ok());
}

TEST(SoftmaxChannels, AnOutputThatBeginsInsideOfTheInput) {
  std::vector<Block> blocks(7, Block{.exponent = 130, .pair_shift = 0, .elements = {1}});
  const std::vector<Block> before = blocks;
  const std::span<Block> all(blocks);
  for (const bool ahead : {true, false}) {
    const Status status = softmax_channels(ahead ? all.last(6) : all.first(6), 17, 3, ahead ? all.first(6) : all.last(6));
    EXPECT_EQ(status.code(), ErrorCode::tensor_overlap);
    EXPECT_STREQ(status.what(), "output");
    EXPECT_EQ(blocks, before);
  }
}

}  // namespace softmax_test
}  // namespace cox::kernels::mx
