// SPDX-License-Identifier: MIT
// Calls every kernel through the C interface. The engine is the accelerator's model, with the native board.
#include "coxswain/kernels/mx/coxswain_mx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/isa/numbers/clamped_exponential.h"
#include "tests/kernels/c_interface_test.h"

namespace cox {
namespace {

using Numbers = std::vector<float>;

constexpr std::uint32_t kChannels = 40, kHeight = 5, kWidth = 6, kPixels = kHeight * kWidth;

class CoxswainMxTest : public tests::CInterfaceTest {
 protected:
  CoxswainMxTest() : CInterfaceTest(std::size_t{16} << 20) {}
  ~CoxswainMxTest() override {
    static_cast<void>(cox_mx_close());
    static_cast<void>(cox_close());
  }
  void start() {
    const cox_options options = COX_OPTIONS;
    good(cox_open(&options));
    good(cox_mx_open());
    EXPECT_EQ(cox_dram_base(), hal::dram_range().address);
    EXPECT_EQ(cox_dram_bytes(), board_->dram().size());
    constexpr std::size_t kStreamBytes = 4096;
    good(cox_mx_stream_init(&stream, at(take(kStreamBytes)), kStreamBytes));
  }
  cox_mx_tensor tensor(std::uint32_t channels = kChannels, std::uint32_t height = kHeight, std::uint32_t width = kWidth) {
    cox_mx_tensor result = {0, channels, height, width};
    result.address = take(cox_mx_tensor_bytes(&result));
    return result;
  }
  Numbers numbers(const cox_mx_tensor &tensor) {
    Numbers result(std::size_t{tensor.channels} * tensor.height * tensor.width);
    cox_mx_take(&tensor);
    good(cox_mx_unpack(&tensor, result.data()));
    return result;
  }
  void put(const cox_mx_tensor &tensor, const Numbers &values) {
    good(cox_mx_pack(values.data(), &tensor));
    cox_mx_give(&tensor);
  }
  /// Fills a tensor with random numbers. Returns the numbers rounded to MX9.
  Numbers fill(const cox_mx_tensor &tensor) {
    Numbers values(std::size_t{tensor.channels} * tensor.height * tensor.width);
    for (float &value : values) value = normal_(random_);
    put(tensor, values);
    return numbers(tensor);
  }
  /// Returns `values` rounded to MX9 in a tensor of this shape. The shape determines which values share a block.
  Numbers rounded(const cox_mx_tensor &shape, const Numbers &values) {
    const cox_mx_tensor place = tensor(shape.channels, shape.height, shape.width);
    put(place, values);
    return numbers(place);
  }
  void run() {
    good(cox_mx_run(&stream, 0));
    cox_mx_stream_clear(&stream);
  }
  template <typename Function>
  static Numbers each(const Numbers &a, const Numbers &b, Function function) {
    Numbers result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), function);
    return result;
  }

  cox_mx_stream stream{};
  std::mt19937 random_{1};
  std::normal_distribution<float> normal_;
};

TEST_F(CoxswainMxTest, BeforeInit) {
  refused(cox_mx_open(), "not_ready", "cox_open");
  refused(cox_mx_close(), "not_ready", "cox_mx_open");
  alignas(8) std::byte memory[64];
  refused(cox_mx_stream_init(&stream, memory, sizeof(memory)), "not_ready", "cox_mx_open");
  refused(cox_mx_run(&stream, 0), "not_ready", "cox_mx_open");
}

TEST_F(CoxswainMxTest, ElementwiseKernels) {
  start();
  const cox_mx_tensor a = tensor(), b = tensor(), sum = tensor(), product = tensor(), scaled = tensor(), squashed = tensor();
  const Numbers x = fill(a), y = fill(b);
  good(cox_mx_eladd(&stream, &a, &b, &sum));
  good(cox_mx_elmul(&stream, &a, &b, &product));
  good(cox_mx_smuli(&stream, &a, -1.5F, &scaled));
  good(cox_mx_sigmoid(&stream, &a, &squashed));
  run();
  EXPECT_EQ(numbers(sum), rounded(a, each(x, y, [](float p, float q) { return p + q; })));
  EXPECT_EQ(numbers(product), rounded(a, each(x, y, [](float p, float q) { return p * q; })));
  EXPECT_EQ(numbers(scaled), rounded(a, each(x, y, [](float p, float) { return p * -1.5F; })));
  const Numbers expected = each(x, y, [](float p, float) { return isa::numbers::sigmoid(p); });
  const Numbers actual = numbers(squashed);
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 0x1p-7) << "padded channels would be 0.5 here";
}

TEST_F(CoxswainMxTest, Softmax) {
  start();
  const cox_mx_tensor whole = tensor(32), by_blocks = tensor(32), input = tensor(), over_channels = tensor();
  const Numbers x = fill(whole), y = fill(input);
  good(cox_mx_softmax(&stream, &whole, &by_blocks));
  run();
  good(cox_mx_softmax_channels(&input, &over_channels));
  cox_mx_give(&over_channels);  // the core wrote it, and numbers() drops what the cache holds
  const auto expect = [](const Numbers &from, const Numbers &to, std::size_t first, std::size_t count, std::size_t pixel) {
    double sum = 0;
    for (std::size_t c = first; c < first + count; ++c) sum += std::exp(double{from[c * kPixels + pixel]});
    for (std::size_t c = first; c < first + count; ++c) {
      EXPECT_NEAR(to[c * kPixels + pixel], std::exp(double{from[c * kPixels + pixel]}) / sum, 0x1p-7);
    }
  };
  for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
    expect(x, numbers(by_blocks), 0, 16, pixel);
    expect(x, numbers(by_blocks), 16, 16, pixel);
    expect(y, numbers(over_channels), 0, kChannels, pixel);
  }
}

TEST_F(CoxswainMxTest, Maps) {
  start();
  const cox_mx_tensor a = tensor(), b = tensor(32);
  const Numbers x = fill(a), y = fill(b);
  cox_mx_pool_arguments pool = {
      .input = a, .output = tensor(kChannels, 2, 3), .mode = COX_MX_MAXIMUM, .kernel = 2, .stride = 2, .padding = 0, .scratch = {}};
  std::uint64_t bytes = 1;
  good(cox_mx_pool_scratch_bytes(&pool, &bytes));
  EXPECT_EQ(bytes, 0U);
  good(cox_mx_pool(&stream, &pool));
  cox_mx_upsample_nearest_arguments twice = {.input = a, .output = tensor(kChannels, 2 * kHeight, 2 * kWidth), .factor = 2, .scratch = {}};
  good(cox_mx_upsample_nearest_scratch_bytes(&twice, &bytes));
  twice.scratch = {take(bytes), bytes};
  good(cox_mx_upsample_nearest(&stream, &twice));
  const cox_mx_tensor both = tensor(32 + kChannels);
  const cox_mx_tensor inputs[] = {b, a};
  good(cox_mx_concat(&stream, inputs, 2, &both));
  run();

  const Numbers pooled = numbers(pool.output), larger = numbers(twice.output), joined = numbers(both);
  for (std::size_t c = 0; c < kChannels; ++c) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t at = c * kPixels + 2 * i * kWidth + 2 * j;
        const float largest = std::max(std::max(x[at], x[at + 1]), std::max(x[at + kWidth], x[at + kWidth + 1]));
        EXPECT_NEAR(pooled[c * 6 + i * 3 + j], largest, 0x1p-5 * std::fabs(largest) + 0x1p-6);
      }
    }
    for (std::size_t i = 0; i < std::size_t{4} * kPixels; ++i) {
      const std::size_t row = i / (2 * kWidth), column = i % (2 * kWidth);
      EXPECT_EQ(larger[c * 4 * kPixels + i], x[c * kPixels + row / 2 * kWidth + column / 2]);
    }
  }
  EXPECT_TRUE(std::equal(y.begin(), y.end(), joined.begin()));
  EXPECT_TRUE(std::equal(x.begin(), x.end(), joined.begin() + 32 * kPixels));
}

TEST_F(CoxswainMxTest, Convolution) {
  start();
  std::uint64_t bytes = 0;
  good(cox_mx_packed_weights_bytes(1, kChannels, 20, &bytes));
  cox_mx_conv_act_arguments arguments{};
  arguments.input = tensor();
  arguments.weights = take(bytes);
  arguments.output = tensor(20);
  arguments.kernel = arguments.stride = 1;
  arguments.activation = COX_MX_RELU;
  Numbers matrix(std::size_t{20} * kChannels), biases(20, -0.25F);
  for (std::size_t k = 0; k < 20; ++k) matrix[k * kChannels + 2 * k] = 2;
  good(cox_mx_pack_weights(1, kChannels, 20, matrix.data(), biases.data(), arguments.weights));
  const Numbers x = fill(arguments.input);
  good(cox_mx_conv_act_scratch_bytes(&arguments, &bytes));
  EXPECT_EQ(bytes, 0U);
  good(cox_mx_conv_act(&stream, &arguments));
  run();
  Numbers expected(std::size_t{20} * kPixels);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = std::max(2 * x[i / kPixels * 2 * kPixels + i % kPixels] - 0.25F, 0.0F);
  }
  EXPECT_EQ(numbers(arguments.output), rounded(arguments.output, expected));
}

/// A layer with scratch (padding 3) from arrays of the program.
class ConvActOnce : public CoxswainMxTest {
 protected:
  static constexpr std::uint32_t kOutputs = 20, kOutputHeight = kHeight + 4, kOutputWidth = kWidth + 4;
  ConvActOnce() {
    const cox_options options = COX_OPTIONS;
    good(cox_open(&options));
    layer.input = {1, kChannels, kHeight, kWidth};  // the function ignores addresses
    layer.output = {1, kOutputs, kOutputHeight, kOutputWidth};
    layer.kernel = 3;
    layer.stride = 1;
    layer.padding = 3;
    layer.activation = COX_MX_SILU;
    for (Numbers *numbers : {&weights, &biases, &input}) {
      for (float &value : *numbers) value = normal_(random_);
    }
  }
  cox_status once(const cox_memory &memory) {
    return cox_mx_conv_act_once(&layer, weights.data(), biases.data(), input.data(), output.data(), memory);
  }
  cox_memory memory(std::size_t bytes) { return {at(take(bytes)), bytes}; }

  cox_mx_conv_act_arguments layer{};
  Numbers weights = Numbers(std::size_t{kOutputs} * kChannels * 9), biases = Numbers(kOutputs);
  Numbers input = Numbers(std::size_t{kChannels} * kPixels);
  Numbers output = Numbers(std::size_t{kOutputs} * kOutputHeight * kOutputWidth);
};

TEST_F(ConvActOnce, GivesTheSameNumbersAsTheStream) {
  for (int round = 0; round < 3; ++round) good(once(cox_dram()));
  good(cox_close());  // the engine was closed again

  start();
  cox_mx_conv_act_arguments arguments = layer;
  arguments.input = tensor();
  arguments.output = tensor(kOutputs, kOutputHeight, kOutputWidth);
  std::uint64_t bytes = 0;
  good(cox_mx_packed_weights_bytes(3, kChannels, kOutputs, &bytes));
  arguments.weights = take(bytes);
  good(cox_mx_conv_act_scratch_bytes(&arguments, &bytes));
  EXPECT_GT(bytes, 0U);
  arguments.scratch = {take(bytes), bytes};
  good(cox_mx_pack_weights(3, kChannels, kOutputs, weights.data(), biases.data(), arguments.weights));
  put(arguments.input, input);
  good(cox_mx_conv_act(&stream, &arguments));
  run();
  EXPECT_EQ(output, numbers(arguments.output));

  const Numbers before = output;
  const cox_memory used = memory(0x10000);
  std::memset(used.address, 0xA5, used.bytes);  // the core's cache may hold these bytes until the engine has written its own
  good(once(used));
  EXPECT_EQ(output, before);
  refused(cox_mx_open(), "not_owner", "MX engine");  // it stays open if it was open
}

TEST_F(ConvActOnce, OneArrayForInputAndOutput) {
  layer = {.input = {0, 16, 1, 1},
           .weights = 0,
           .output = {0, 16, 1, 1},
           .split_output = {},
           .kernel = 1,
           .stride = 1,
           .padding = 0,
           .activation = COX_MX_RELU,
           .scratch = {}};
  Numbers values(16), matrix(std::size_t{16} * 16);
  for (std::size_t i = 0; i < 16; ++i) values[i] = static_cast<float>(i) - 8, matrix[17 * i] = 2;
  good(cox_mx_conv_act_once(&layer, matrix.data(), nullptr, values.data(), values.data(), cox_dram()));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(values[i], i < 8 ? 0 : 2 * (static_cast<float>(i) - 8));
}

TEST_F(ConvActOnce, WhatIsRefused) {
  const Numbers before = output;
  refused(once({output.data(), 64}), "invalid_argument", "memory");
  // A program that gives what the last error asked for comes to the place of the instructions.
  std::size_t bytes = 64;
  cox_status status = once(memory(bytes));
  for (; status.what == std::string("memory"); status = once(memory(bytes))) {
    refused(status, "no_room", "memory");
    ASSERT_EQ(status.value, bytes);
    ASSERT_GT(status.limit, status.value);
    bytes = static_cast<std::size_t>(status.limit);
  }
  refused(status, "no_room", "stream");
  layer.split_output = layer.output;
  refused(once(cox_dram()), "invalid_argument", "split_output");
  layer.split_output = {};
  layer.kernel = 2;
  refused(once(cox_dram()), "invalid_argument", "kernel");
  layer.kernel = 3;
  layer.output.height = 1;
  refused(once(cox_dram()), "shape_mismatch", "output");
  layer.output.height = kOutputHeight;
  EXPECT_EQ(output, before);
  good(cox_close());
  refused(once(cox_dram()), "not_ready", "cox_open");
}

TEST_F(CoxswainMxTest, Bytes) {
  const auto conversion = std::make_unique<cox_mx_u8_conversion>();
  const cox_mx_tensor pixels = tensor(16, 3, 5), map = tensor(12, 1, 2);
  std::vector<std::uint8_t> bytes(std::size_t{16} * 3 * 5);
  Numbers planes(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(37 * i + 5);
    planes[i % 16 * 15 + i / 16] = static_cast<float>(bytes[i]) * 0.5F - 3;
  }
  good(cox_mx_u8_conversion_init(conversion.get(), 0.5F, -3));
  good(cox_mx_pack_u8(bytes.data(), conversion.get(), &pixels));
  cox_mx_give(&pixels);
  EXPECT_EQ(numbers(pixels), rounded(pixels, planes));

  // The picture has 2 rows of 4 pixels. Each 2 x 2 pixels become a pixel of the map.
  Numbers depth(24);
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const std::size_t channel = i / 2, pixel = i % 2;
    const std::size_t row = channel / 6, column = 2 * pixel + channel / 3 % 2;
    depth[i] = static_cast<float>(bytes[(4 * row + column) * 3 + channel % 3]) * 0.5F - 3;
  }
  good(cox_mx_pack_u8_space_to_depth(bytes.data(), 3, conversion.get(), &map));
  cox_mx_give(&map);
  EXPECT_EQ(numbers(map), rounded(map, depth));
}

TEST_F(CoxswainMxTest, BytesThatAreRefused) {
  const auto memory = std::make_unique<std::array<cox_mx_u8_conversion, 2>>();
  cox_mx_u8_conversion &conversion = (*memory)[0];
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): an address that no object of this type has
  auto *const misaligned = reinterpret_cast<cox_mx_u8_conversion *>(conversion.opaque + 128);
  const std::array<std::uint8_t, 48> bytes{};
  const cox_mx_tensor map = tensor(12, 1, 2), pixels = tensor(16, 1, 3);
  refused(cox_mx_u8_conversion_init(misaligned, 1, 0), "misaligned_address", "conversion");
  refused(cox_mx_pack_u8(bytes.data(), misaligned, &pixels), "misaligned_address", "conversion");
  refused(cox_mx_pack_u8_space_to_depth(bytes.data(), 3, misaligned, &map), "misaligned_address", "conversion");
  refused(cox_mx_u8_conversion_init(&conversion, INFINITY, 0), "invalid_argument", "scale");
  refused(cox_mx_pack_u8(bytes.data(), &conversion, &pixels), "not_ready", "conversion");
  good(cox_mx_u8_conversion_init(&conversion, 1, 0));
  refused(cox_mx_pack_u8_space_to_depth(bytes.data(), 4, &conversion, &map), "shape_mismatch", "channels");
  good(cox_mx_pack_u8_space_to_depth(bytes.data(), 3, &conversion, &map));
}

TEST_F(CoxswainMxTest, WhatIsRefused) {
  alignas(8) std::byte memory[64];
  start();
  refused(cox_mx_stream_init(&stream, memory + 4, 32), "invalid_argument", "stream address");
  good(cox_mx_stream_init(&stream, memory, sizeof(memory)));
  const cox_mx_tensor a = tensor();
  const cox_mx_tensor other = tensor();
  cox_mx_tensor bad = a;
  bad.address += 1;
  refused(cox_mx_sigmoid(&stream, &a, &bad), "misaligned_address", "OutOffset");
  bad.address = hal::dram_range().address - 2;
  refused(cox_mx_smuli(&stream, &bad, 1, &other), "address_outside_window", "InOffset");
  const std::vector<cox_mx_tensor> many(COX_MX_MOST_INPUTS + 1, a);
  refused(cox_mx_concat(&stream, many.data(), many.size(), &a), "invalid_argument", "inputs");
  cox_mx_pool_arguments pool = {.input = a, .output = a, .mode = 256, .kernel = 1, .stride = 1, .padding = 0, .scratch = {}};
  refused(cox_mx_pool(&stream, &pool), "invalid_argument", "mode");
  cox_mx_conv_act_arguments convolution{};
  convolution.input = convolution.output = a;
  convolution.kernel = convolution.stride = 1;
  convolution.activation = 256;
  refused(cox_mx_conv_act(&stream, &convolution), "invalid_argument", "activation");
  std::uint64_t bytes = 7;
  refused(cox_mx_packed_weights_bytes(2, 16, 16, &bytes), "invalid_argument", "kernel");
  EXPECT_EQ(bytes, 7U);
}

}  // namespace
}  // namespace cox
