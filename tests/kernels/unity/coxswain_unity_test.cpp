// SPDX-License-Identifier: MIT
// Calls every kernel through the C interface, and an engine through C++. The engine is the accelerator's model, with the native board.
#include "coxswain/kernels/unity/coxswain_unity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/kernels/unity/arguments.h"
#include "coxswain/kernels/unity/conv2d.h"
#include "coxswain/kernels/unity/elementwise.h"
#include "coxswain/kernels/unity/engine.h"
#include "coxswain/kernels/unity/pool.h"
#include "tests/kernels/c_interface_test.h"
#include "tests/kernels/device_test.h"
#include "tests/tflite/reference/arithmetic.h"

namespace cox::tests::unity::coxswain_unity_test {
namespace {

using Bytes = std::vector<std::int8_t>;
using Words = std::vector<std::int32_t>;

constexpr std::uint64_t kOutside = 8;  // an address outside of DRAM

constexpr cox_unity_multiplier kOne = {1 << 30, 1}, kHalf = {1 << 30, 0};
constexpr std::int32_t kMultiplier = 1'500'000'000;  // of layers

std::int8_t clamped(int value) { return static_cast<std::int8_t>(std::clamp(value, INT8_MIN, INT8_MAX)); }
std::int32_t requantised(std::int32_t value, const cox_unity_multiplier &multiplier) {
  return tflite_reference::requantise(value, multiplier.multiplier, multiplier.shift);
}

class CoxswainUnityTest : public tests::CInterfaceTest {
 protected:
  CoxswainUnityTest() : CInterfaceTest(std::size_t{32} << 20) {}
  ~CoxswainUnityTest() override {
    static_cast<void>(cox_unity_close());
    static_cast<void>(cox_close());
  }
  void start() {
    const cox_options options = COX_OPTIONS;
    good(cox_open(&options));
    good(cox_unity_open());
    constexpr std::size_t kBytes = 8192;
    good(cox_unity_stream_init(&stream, at<void>(take(kBytes)), kBytes, 32));
  }
  template <typename Element>
  std::uint64_t give(const std::vector<Element> &elements) {
    const std::size_t bytes = elements.size() * sizeof(Element);
    const std::uint64_t address = take(bytes);
    std::memcpy(at<void>(address), elements.data(), bytes);
    cox_unity_give(address, bytes);
    return address;
  }
  /// Runs the container, and begins it again.
  void run() {
    EXPECT_GT(cox_unity_stream_instructions(&stream), 0U);
    good(cox_unity_run(&stream, 0));
    cox_unity_stream_clear(&stream);
    EXPECT_EQ(cox_unity_stream_instructions(&stream), 0U);
  }
  Bytes bytes_at(std::uint64_t address, std::size_t count) {
    cox_unity_take(address, count);
    return {at<std::int8_t>(address), at<std::int8_t>(address) + count};
  }
  Bytes random_bytes(std::size_t count) {
    Bytes bytes(count);
    for (std::int8_t &byte : bytes) byte = static_cast<std::int8_t>(std::uniform_int_distribution(-128, 127)(random_));
    return bytes;
  }
  Words random_words(std::size_t count) {
    Words words(count);
    for (std::int32_t &word : words) word = std::uniform_int_distribution(-5000, 5000)(random_);
    return words;
  }
  /// Results of the channels that `bias` has, all with the shift `shift`. The biases contain the input's zero point.
  cox_unity_channel_results results(const Bytes &weights, const Words &bias, bool by_channel, int shift) {
    const auto channels = static_cast<std::uint32_t>(bias.size());
    const cox_unity_fold_arguments arguments = {.weights = weights.data(),
                                                .count = weights.size(),
                                                .by_channel = by_channel,
                                                .input_zero = kInputZero,
                                                .weights_zero = 0,
                                                .bias = bias.data(),
                                                .channels = channels};
    Words folded(channels);
    good(cox_unity_fold_zero_point(&arguments, folded.data()));
    cox_unity_channel_results results = cox_unity_conv2d_defaults().results;
    results.biases = give(folded);
    results.multipliers = give(Words(channels, kMultiplier));
    results.shifts = give(Bytes(channels, static_cast<std::int8_t>(shift)));
    results.output_zero = 4;
    results.bounds = {-100, 90};
    return results;
  }
  static std::int8_t result_of(std::int32_t sum, int shift) {
    return static_cast<std::int8_t>(std::clamp(requantised(sum, {kMultiplier, shift}) + 4, -100, 90));
  }

  static constexpr int kInputZero = -3;

  cox_unity_stream stream{};
  std::mt19937 random_{1};
};

TEST_F(CoxswainUnityTest, BeforeOpen) {
  refused(cox_unity_open(), "not_ready", "cox_open");
  refused(cox_unity_close(), "not_ready", "cox_unity_open");
  alignas(32) std::byte memory[512];
  refused(cox_unity_stream_init(&stream, memory, sizeof(memory), 2), "not_ready", "cox_unity_open");
  refused(cox_unity_run(&stream, 0), "not_ready", "cox_unity_open");
  cox_handle handle = 0;
  refused(cox_unity_submit(&stream, &handle), "not_ready", "cox_unity_open");
  refused(cox_unity_wait(handle, 0), "not_ready", "cox_unity_open");
  EXPECT_EQ(cox_unity_end_cycle(), 0U);
}

TEST_F(CoxswainUnityTest, AContainerNeedsMemory) {
  start();
  alignas(32) std::byte memory[512];
  refused(cox_unity_stream_init(&stream, memory, sizeof(memory), 0), "invalid_argument", "instructions");
  refused(cox_unity_stream_init(&stream, memory, 64, 8), "no_room", "stream");
  refused(cox_unity_stream_init(&stream, memory + 8, 500, 2), "invalid_argument", "stream address");
  good(cox_unity_stream_init(&stream, memory, sizeof(memory), 2));
}

/// 5 x 6 pixels of 4 channels to 5 x 6 pixels of 3 (depthwise: 8) channels, with a kernel of 3 x 3 and padding.
TEST_F(CoxswainUnityTest, Convolutions) {
  start();
  constexpr unsigned kHeight = 5, kWidth = 6, kChannels = 4;
  constexpr int kShift = -8;
  const Bytes input = random_bytes(std::size_t{kHeight} * kWidth * kChannels);
  for (const bool depthwise : {false, true}) {
    const unsigned outputs = depthwise ? 8 : 3, inputs = depthwise ? 1 : kChannels;
    const Bytes weights = random_bytes(std::size_t{9} * inputs * outputs);
    const Words bias = random_words(outputs);
    cox_unity_conv2d_arguments layer = cox_unity_conv2d_defaults();
    layer.depthwise = depthwise;
    layer.input = give(input), layer.weights = give(weights), layer.output = take(std::size_t{kHeight} * kWidth * outputs);
    layer.height = layer.output_height = kHeight, layer.width = layer.output_width = kWidth;
    layer.channels = kChannels, layer.output_channels = outputs;
    layer.kernel_height = layer.kernel_width = 3, layer.pad_top = layer.pad_bottom = layer.pad_left = layer.pad_right = 1;
    layer.pad_value = kInputZero;
    layer.results = results(weights, bias, depthwise, kShift);
    good(cox_unity_conv2d(&stream, &layer));
    run();
    Bytes expected;
    for (int y = 0; y < static_cast<int>(kHeight); ++y) {
      for (int x = 0; x < static_cast<int>(kWidth); ++x) {
        for (unsigned o = 0; o < outputs; ++o) {
          int sum = bias[o];
          for (unsigned k = 0; k < 9 * inputs; ++k) {
            const int row = y + static_cast<int>(k / inputs / 3) - 1, column = x + static_cast<int>(k / inputs % 3) - 1;
            if (row < 0 || row >= static_cast<int>(kHeight) || column < 0 || column >= static_cast<int>(kWidth)) continue;
            const unsigned channel = depthwise ? o * kChannels / outputs : k % inputs;
            const std::size_t place = (static_cast<unsigned>(row) * kWidth + static_cast<unsigned>(column)) * kChannels + channel;
            sum += (input[place] - kInputZero) * weights[depthwise ? k * outputs + o : o * 9 * inputs + k];
          }
          expected.push_back(result_of(sum, kShift));
        }
      }
    }
    EXPECT_EQ(bytes_at(layer.output, expected.size()), expected) << depthwise;
  }
  EXPECT_GT(cox_unity_end_cycle(), 0U);
}

TEST_F(CoxswainUnityTest, AFullyConnectedLayer) {
  start();
  constexpr unsigned kRows = 3, kDepth = 40, kColumns = 7;
  constexpr int kShift = -9;
  const Bytes input = random_bytes(std::size_t{kRows} * kDepth), weights = random_bytes(std::size_t{kDepth} * kColumns);
  const Words bias = random_words(kColumns);
  cox_unity_fully_connected_arguments layer = cox_unity_fully_connected_defaults();
  layer.input = give(input), layer.weights = give(weights), layer.output = take(std::size_t{kRows} * kColumns);
  layer.rows = kRows, layer.depth = kDepth, layer.columns = kColumns;
  layer.results = results(weights, bias, false, kShift);
  good(cox_unity_fully_connected(&stream, &layer));
  run();
  Bytes expected;
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      int sum = bias[column];
      for (unsigned k = 0; k < kDepth; ++k) sum += (input[row * kDepth + k] - kInputZero) * weights[column * kDepth + k];
      expected.push_back(result_of(sum, kShift));
    }
  }
  EXPECT_EQ(bytes_at(layer.output, expected.size()), expected);
}

TEST_F(CoxswainUnityTest, Pools) {
  start();
  constexpr unsigned kSide = 6, kChannels = 3;
  const Bytes input = random_bytes(std::size_t{kSide} * kSide * kChannels);
  for (const std::uint32_t mode : {COX_UNITY_MAXIMUM, COX_UNITY_AVERAGE}) {
    cox_unity_pool_arguments pool = cox_unity_pool_defaults();
    pool.mode = mode;
    pool.input = give(input), pool.output = take(input.size() / 4);
    pool.height = pool.width = kSide, pool.channels = kChannels;
    pool.output_height = pool.output_width = kSide / 2;
    pool.kernel_height = pool.kernel_width = pool.stride_y = pool.stride_x = 2;
    pool.bounds = {-20, 100};
    good(cox_unity_pool(&stream, &pool));
    run();
    Bytes expected;
    for (unsigned i = 0; i < input.size() / 4; ++i) {
      const unsigned channel = i % kChannels, x = i / kChannels % (kSide / 2) * 2, y = i / kChannels / (kSide / 2) * 2;
      const auto value = [&](unsigned row, unsigned column) { return int{input[(row * kSide + column) * kChannels + channel]}; };
      const int mean = static_cast<int>(std::lround((value(y, x) + value(y, x + 1) + value(y + 1, x) + value(y + 1, x + 1)) / 4.0));
      const int most = std::max({value(y, x), value(y, x + 1), value(y + 1, x), value(y + 1, x + 1)});
      expected.push_back(static_cast<std::int8_t>(std::clamp(mode == COX_UNITY_MAXIMUM ? most : mean, -20, 100)));
    }
    EXPECT_EQ(bytes_at(pool.output, expected.size()), expected) << mode;
  }
}

TEST_F(CoxswainUnityTest, SumsAndDifferences) {
  start();
  constexpr unsigned kElements = 1000;
  const Bytes left = random_bytes(kElements), right = random_bytes(kElements);
  for (const bool subtract : {false, true}) {
    cox_unity_sum_arguments sum = cox_unity_sum_defaults();
    sum.subtract = subtract;
    sum.inputs[0] = give(left), sum.inputs[1] = give(right), sum.output = take(kElements);
    sum.elements = kElements;
    sum.input_zero[0] = 5, sum.input_zero[1] = -7, sum.output_zero = 9;
    sum.input_multiplier[0] = kOne, sum.input_multiplier[1] = kHalf;
    good(cox_unity_quantised_multiplier(std::ldexp(1.0, -static_cast<int>(sum.left_shift)), &sum.multiplier));
    good(cox_unity_sum(&stream, &sum));
    run();
    Bytes expected;
    for (unsigned i = 0; i < kElements; ++i) {
      const std::int32_t first = requantised((left[i] - 5) * (1 << 20), sum.input_multiplier[0]);
      const std::int32_t second = requantised((right[i] + 7) * (1 << 20), sum.input_multiplier[1]);
      expected.push_back(clamped(requantised(subtract ? first - second : first + second, sum.multiplier) + 9));
    }
    EXPECT_EQ(bytes_at(sum.output, kElements), expected) << subtract;
  }
}

TEST_F(CoxswainUnityTest, ProductsAndRescaledTensors) {
  start();
  constexpr unsigned kElements = 500;
  const Bytes left = random_bytes(kElements), right = random_bytes(kElements);
  cox_unity_product_arguments product = cox_unity_product_defaults();
  product.inputs[0] = give(left), product.inputs[1] = give(right), product.output = take(kElements);
  product.scratch = take(cox_unity_product_scratch(kElements));
  product.elements = kElements;
  product.input_zero[0] = -1, product.input_zero[1] = 6, product.output_zero = -2;
  product.multiplier = {kMultiplier, -6};
  good(cox_unity_product(&stream, &product));
  cox_unity_rescale_arguments rescale = cox_unity_rescale_defaults();
  rescale.input = product.output, rescale.output = take(kElements);
  rescale.elements = kElements;
  rescale.input_zero = -2, rescale.output_zero = 3;
  rescale.multiplier = kHalf;
  rescale.bounds.least = 3;
  good(cox_unity_rescale(&stream, &rescale));
  run();
  Bytes products, rescaled;
  for (unsigned i = 0; i < kElements; ++i) {
    products.push_back(clamped(requantised((left[i] + 1) * (right[i] - 6), product.multiplier) - 2));
    rescaled.push_back(std::max<std::int8_t>(clamped(requantised(products.back() + 2, rescale.multiplier) + 3), 3));
  }
  EXPECT_EQ(bytes_at(product.output, kElements), products);
  EXPECT_EQ(bytes_at(rescale.output, kElements), rescaled);
}

TEST_F(CoxswainUnityTest, ASoftmax) {
  start();
  constexpr unsigned kRows = 4, kDepth = 10;
  constexpr double kScale = 0.0625;
  const Bytes input = random_bytes(std::size_t{kRows} * kDepth);
  cox_unity_softmax_arguments softmax = cox_unity_softmax_defaults();
  softmax.input = give(input), softmax.output = take(input.size());
  softmax.rows = kRows, softmax.depth = kDepth;
  good(cox_unity_quantised_multiplier(kScale * (1 << 26), &softmax.multiplier));
  softmax.least_difference = -(31 << 26 >> softmax.multiplier.shift);
  good(cox_unity_softmax(&stream, &softmax));
  run();
  const Bytes output = bytes_at(softmax.output, input.size());
  for (unsigned row = 0; row < kRows; ++row) {
    double sum = 0;
    for (unsigned i = 0; i < kDepth; ++i) sum += std::exp(kScale * input[row * kDepth + i]);
    for (unsigned i = 0; i < kDepth; ++i)
      EXPECT_NEAR(output[row * kDepth + i], std::min(256 * std::exp(kScale * input[row * kDepth + i]) / sum - 128, 127.0), 1);
  }
}

TEST_F(CoxswainUnityTest, OperandsMove) {
  start();
  const Bytes first = {1, 2, 3, -4}, second = {9, -8, 7, 6};
  cox_unity_rescale_arguments rescale = cox_unity_rescale_defaults();
  rescale.input = give(first), rescale.output = take(4), rescale.elements = 4, rescale.multiplier = kOne;
  good(cox_unity_rescale(&stream, &rescale));
  refused(cox_unity_move_operands(&stream, rescale.input, 4, kOutside), "address_outside_window", "operands");
  good(cox_unity_run(&stream, 0));
  EXPECT_EQ(bytes_at(rescale.output, 4), first);
  good(cox_unity_move_operands(&stream, rescale.input, 4, give(second)));
  cox_handle handle = 0;
  good(cox_unity_submit(&stream, &handle));
  good(cox_unity_wait(handle, 0));
  EXPECT_EQ(bytes_at(rescale.output, 4), second);
}

TEST_F(CoxswainUnityTest, Multipliers) {
  cox_unity_multiplier multiplier = {7, 7};
  const double wrong[] = {0,
                          -1,
                          std::ldexp(1.0, -33),
                          std::ldexp(1.0, 30),
                          std::nextafter(std::ldexp(1.0, 30), 0),
                          std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN()};
  for (const double value : wrong) {
    refused(cox_unity_quantised_multiplier(value, &multiplier), "invalid_argument", "value");
    EXPECT_EQ(multiplier.multiplier, 7) << value;
  }
  good(cox_unity_quantised_multiplier(0.75, &multiplier));
  EXPECT_EQ(multiplier.multiplier, 3 << 29);
  EXPECT_EQ(multiplier.shift, 0);
  good(cox_unity_quantised_multiplier(std::ldexp(1.0, -32), &multiplier));
  EXPECT_EQ(multiplier.shift, -31);
  good(cox_unity_quantised_multiplier(std::ldexp(1.0, 29), &multiplier));
  EXPECT_EQ(multiplier.shift, 30);
}

TEST_F(CoxswainUnityTest, FoldedZeroPoints) {
  const Bytes weights = {1, 2, 3, 4, 5, 6};
  cox_unity_fold_arguments fold = {.weights = weights.data(),
                                   .count = weights.size(),
                                   .by_channel = false,
                                   .input_zero = 10,
                                   .weights_zero = 1,
                                   .bias = nullptr,
                                   .channels = 2};
  Words folded(2);
  good(cox_unity_fold_zero_point(&fold, folded.data()));
  EXPECT_EQ(folded, (Words{-30, -120}));
  fold.by_channel = true;
  good(cox_unity_fold_zero_point(&fold, folded.data()));
  EXPECT_EQ(folded, (Words{-60, -90}));
  fold.channels = 4;
  refused(cox_unity_fold_zero_point(&fold, folded.data()), "shape_mismatch", "count");
  fold.channels = 0;
  refused(cox_unity_fold_zero_point(&fold, folded.data()), "invalid_argument", "channels");
  fold.channels = 2, fold.count = 0;
  refused(cox_unity_fold_zero_point(&fold, folded.data()), "invalid_argument", "count");
  EXPECT_EQ(folded, (Words{-60, -90}));
}

/// The kernels write the same bytes from C and from C++ if each member has a value of its own.
TEST_F(CoxswainUnityTest, MembersReachTheirPlaces) {
  start();
  constexpr std::size_t kBytes = 4096;
  auto *const memory = at<std::byte>(take(kBytes));
  auto *const twin_memory = at<std::byte>(take(kBytes));
  const isa::Window dram[] = {{.base = hal::dram_range().address, .bytes = board::dram_size(), .read = true, .write = true}};
  kernels::unity::ContainerBuilder twin;
  const auto begin = [&] {
    good(cox_unity_stream_init(&stream, memory, kBytes, 8));
    EXPECT_TRUE(twin.init({twin_memory, kBytes}, dram, {.units = 1, .instructions = 8}));
  };
  const auto compare = [&](const cox_status &status, const Status &twin_status) {
    good(status);
    EXPECT_TRUE(twin_status) << twin_status.what();
    EXPECT_EQ(std::memcmp(memory, twin_memory, twin.code().size()), 0);
  };
  const std::uint64_t input = take(4096), other = take(4096), output = take(4096), biases = take(64), multipliers = take(64),
                      shifts = take(64);
  const cox_unity_channel_results results = {biases, multipliers, shifts, 11, {-50, 60}};
  const kernels::unity::ChannelResults twin_results = {biases, multipliers, shifts, 11, {-50, 60}};

  begin();
  cox_unity_conv2d_arguments general = cox_unity_conv2d_defaults();
  general.input = input, general.weights = other, general.output = output, general.batch = 2;
  general.height = 12, general.width = 13, general.channels = 6;
  general.output_height = 7, general.output_width = 5, general.output_channels = 4;
  general.kernel_height = 2, general.kernel_width = 3, general.stride_y = 2, general.stride_x = 3;
  general.dilation_y = 3, general.dilation_x = 2, general.groups = 2;
  general.pad_top = 1, general.pad_left = 2, general.pad_bottom = 3, general.pad_right = 4;
  general.pad_value = -9, general.weights_zero = 7, general.results = results;
  compare(cox_unity_conv2d(&stream, &general), conv2d(twin, {.input = input,
                                                             .weights = other,
                                                             .output = output,
                                                             .batch = 2,
                                                             .height = 12,
                                                             .width = 13,
                                                             .channels = 6,
                                                             .output_height = 7,
                                                             .output_width = 5,
                                                             .output_channels = 4,
                                                             .kernel_height = 2,
                                                             .kernel_width = 3,
                                                             .stride_y = 2,
                                                             .stride_x = 3,
                                                             .dilation_y = 3,
                                                             .dilation_x = 2,
                                                             .groups = 2,
                                                             .pad_top = 1,
                                                             .pad_left = 2,
                                                             .pad_bottom = 3,
                                                             .pad_right = 4,
                                                             .pad_value = -9,
                                                             .weights_zero = 7,
                                                             .results = twin_results}));
  begin();
  cox_unity_conv2d_arguments enlarged = cox_unity_conv2d_defaults();
  enlarged.input = input, enlarged.weights = other, enlarged.output = output;
  enlarged.height = 3, enlarged.width = 4, enlarged.output_height = 6, enlarged.output_width = 13;
  enlarged.kernel_height = 2, enlarged.kernel_width = 3, enlarged.enlarge_y = 2, enlarged.enlarge_x = 3;
  enlarged.pad_top = 2, enlarged.pad_left = 4, enlarged.pad_right = 1, enlarged.results = results;
  compare(cox_unity_conv2d(&stream, &enlarged), conv2d(twin, {.input = input,
                                                              .weights = other,
                                                              .output = output,
                                                              .height = 3,
                                                              .width = 4,
                                                              .output_height = 6,
                                                              .output_width = 13,
                                                              .kernel_height = 2,
                                                              .kernel_width = 3,
                                                              .enlarge_y = 2,
                                                              .enlarge_x = 3,
                                                              .pad_top = 2,
                                                              .pad_left = 4,
                                                              .pad_right = 1,
                                                              .results = twin_results}));
  begin();
  const cox_unity_fully_connected_arguments connected = {input, other, output, 2, 30, 5, -7, results};
  compare(cox_unity_fully_connected(&stream, &connected), fully_connected(twin, {.input = input,
                                                                                 .weights = other,
                                                                                 .output = output,
                                                                                 .rows = 2,
                                                                                 .depth = 30,
                                                                                 .columns = 5,
                                                                                 .weights_zero = -7,
                                                                                 .results = twin_results}));
  begin();
  cox_unity_pool_arguments pool = cox_unity_pool_defaults();
  pool.mode = COX_UNITY_AVERAGE, pool.input = input, pool.output = output, pool.batch = 2;
  pool.height = 10, pool.width = 12, pool.channels = 3, pool.output_height = 5, pool.output_width = 4;
  pool.kernel_height = 4, pool.kernel_width = 6, pool.stride_y = 2, pool.stride_x = 3;
  pool.pad_top = 1, pool.pad_left = 2, pool.pad_bottom = 2, pool.pad_right = 3, pool.bounds = {-4, 5};
  compare(cox_unity_pool(&stream, &pool), kernels::unity::pool(twin, {.mode = kernels::unity::PoolMode::average,
                                                                      .input = input,
                                                                      .output = output,
                                                                      .batch = 2,
                                                                      .height = 10,
                                                                      .width = 12,
                                                                      .channels = 3,
                                                                      .output_height = 5,
                                                                      .output_width = 4,
                                                                      .kernel_height = 4,
                                                                      .kernel_width = 6,
                                                                      .stride_y = 2,
                                                                      .stride_x = 3,
                                                                      .pad_top = 1,
                                                                      .pad_left = 2,
                                                                      .pad_bottom = 2,
                                                                      .pad_right = 3,
                                                                      .bounds = {-4, 5}}));
  begin();
  const cox_unity_sum_arguments sum = {true, {input, other}, output, 77, 12, {1, 2}, {{1 << 30, 1}, {3 << 29, -1}}, {5 << 28, -9},
                                       3,    {-8, 9}};
  compare(cox_unity_sum(&stream, &sum), kernels::unity::sum(twin, {.subtract = true,
                                                                   .inputs = {input, other},
                                                                   .output = output,
                                                                   .elements = 77,
                                                                   .left_shift = 12,
                                                                   .input_zero = {1, 2},
                                                                   .input_multiplier = {{{1 << 30, 1}, {3 << 29, -1}}},
                                                                   .multiplier = {5 << 28, -9},
                                                                   .output_zero = 3,
                                                                   .bounds = {-8, 9}}));
  begin();
  const cox_unity_softmax_arguments softmax = {input, output, 3, 20, {7 << 28, 4}, -99};
  compare(cox_unity_softmax(&stream, &softmax),
          kernels::unity::softmax(
              twin, {.input = input, .output = output, .rows = 3, .depth = 20, .multiplier = {7 << 28, 4}, .least_difference = -99}));
}

TEST_F(CoxswainUnityTest, DefaultsAndRefusals) {
  start();
  const cox_unity_conv2d_arguments layer = cox_unity_conv2d_defaults();
  EXPECT_EQ(layer.kernel_height, 1U);
  EXPECT_EQ(layer.groups, 1U);
  EXPECT_EQ(layer.results.bounds.least, -128);
  EXPECT_EQ(layer.results.bounds.most, 127);
  refused(cox_unity_conv2d(&stream, &layer), "address_outside_window", "input");
  const cox_unity_fully_connected_arguments connected = cox_unity_fully_connected_defaults();
  EXPECT_EQ(connected.depth, 1U);
  refused(cox_unity_fully_connected(&stream, &connected), "address_outside_window", "input");
  cox_unity_pool_arguments pool = cox_unity_pool_defaults();
  refused(cox_unity_pool(&stream, &pool), "address_outside_window", "input");
  for (const std::uint32_t mode : {2U, 256U, UINT32_MAX}) {
    pool.mode = mode;
    refused(cox_unity_pool(&stream, &pool), "invalid_argument", "mode");
  }
  // Without a multiplier, these are refused.
  const cox_unity_sum_arguments sum = cox_unity_sum_defaults();
  EXPECT_EQ(sum.left_shift, 20U);
  refused(cox_unity_sum(&stream, &sum), "invalid_argument", "multiplier");
  const cox_unity_product_arguments product = cox_unity_product_defaults();
  refused(cox_unity_product(&stream, &product), "invalid_argument", "multiplier");
  const cox_unity_rescale_arguments rescale = cox_unity_rescale_defaults();
  refused(cox_unity_rescale(&stream, &rescale), "invalid_argument", "multiplier");
  const cox_unity_softmax_arguments softmax = cox_unity_softmax_defaults();
  refused(cox_unity_softmax(&stream, &softmax), "invalid_argument", "multiplier");
  EXPECT_EQ(cox_unity_stream_instructions(&stream), 0U) << "refused calls append nothing";
}

using UnityEngineTest = DeviceTest;

TEST_F(UnityEngineTest, NamesWhatFaults) {
  kernels::unity::Engine engine;
  ASSERT_TRUE(engine.init(accelerator, {.windows = windows}).ok());
  kernels::unity::Stream stream;
  constexpr std::size_t kBytes = 4096;
  ASSERT_TRUE(stream.init(board_->core_dram().subspan(kWindowBytes, kBytes), engine.windows(), {.units = 1, .instructions = 8}).ok());
  ASSERT_TRUE(stream.begin_kernel().ok());
  for (const std::uint64_t address : {hal::dram_range().address, kOutside}) {
    kernels::unity::Table<isa::unity::Opcode::RESHAPE> table;
    table.set<"S">(address);
    table.set<"D">(hal::dram_range().address + 64);
    table.set<"LEN">(8);
    table.set<"UNIT">(kernels::unity::code_of(isa::unity::Unit::s8));
    stream.add(table);
  }
  ASSERT_TRUE(stream.end_kernel().ok());
  EXPECT_FALSE(engine.run(stream).ok());
  EXPECT_STREQ(engine.fault().name, "RESHAPE");
  EXPECT_STREQ(engine.fault().field, "S");
  EXPECT_EQ(engine.fault().instruction, 1U);
  EXPECT_TRUE(engine.close().ok());
}

}  // namespace
}  // namespace cox::tests::unity::coxswain_unity_test
