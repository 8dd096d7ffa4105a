// SPDX-License-Identifier: MIT
// Calls every kernel through the C interface, and an engine through C++. The engine is the accelerator's model, with the native board.
#include "coxswain/kernels/pim/coxswain_pim.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/pim/configuration.h"
#include "coxswain/isa/numbers/csd.h"
#include "coxswain/isa/pim/build.h"
#include "coxswain/kernels/pim/engine.h"
#include "tests/kernels/c_interface_test.h"
#include "tests/kernels/device_test.h"
#include "tests/kernels/pim/pim_bench.h"
#include "tests/kernels/pim/requantise.h"

namespace cox::tests::pim::coxswain_pim_test {
namespace {

class CoxswainPimTest : public tests::CInterfaceTest {
 protected:
  CoxswainPimTest() : CInterfaceTest(std::size_t{32} << 20) {}
  ~CoxswainPimTest() override {
    static_cast<void>(cox_pim_close());
    static_cast<void>(cox_close());
  }
  void start(std::uint32_t cores = 2) {
    const cox_options options = COX_OPTIONS;
    good(cox_open(&options));
    good(cox_pim_open());
    constexpr std::size_t kBytes = 65536;
    good(cox_pim_stream_init(&stream, at<void>(take(kBytes)), kBytes, cores));
  }
  std::uint32_t device(std::uint64_t address, std::uint64_t bytes) {
    std::uint32_t result = 0;
    good(cox_pim_address(&stream, address, bytes, &result));
    return result;
  }
  template <typename Element>
  std::uint32_t give(const std::vector<Element> &elements) {
    const std::size_t bytes = elements.size() * sizeof(Element);
    const std::uint64_t address = take(bytes);
    std::memcpy(at<void>(address), elements.data(), bytes);
    cox_pim_give(address, bytes);
    return device(address, bytes);
  }
  void run() {
    good(cox_pim_run(&stream, 0));
    cox_pim_stream_clear(&stream);
  }
  std::vector<std::int8_t> bytes_at(std::uint64_t address, std::size_t count) {
    cox_pim_take(address, count);
    return {at<std::int8_t>(address), at<std::int8_t>(address) + count};
  }

  cox_pim_stream stream{};
  std::mt19937 random_{1};
};

TEST_F(CoxswainPimTest, BeforeOpen) {
  refused(cox_pim_open(), "not_ready", "cox_open");
  refused(cox_pim_close(), "not_ready", "cox_pim_open");
  alignas(8) std::byte memory[64];
  refused(cox_pim_stream_init(&stream, memory, sizeof(memory), 1), "not_ready", "cox_pim_open");
  const cox_pim_conv2d_arguments arguments = cox_pim_conv2d_defaults();
  cox_pim_mapping mapping;
  refused(cox_pim_conv2d_mapping(&arguments, &mapping), "not_ready", "cox_pim_open");
}

TEST_F(CoxswainPimTest, Gemm) {
  start();
  cox_pim_gemm_arguments product = cox_pim_gemm_defaults();
  product.m = 20, product.k = 50, product.n = 30, product.cores = 2, product.zero_point = 1;
  const cox_pim_conv2d_arguments layer = cox_pim_conv2d_of_gemm(&product);
  cox_pim_mapping mapping;
  good(cox_pim_conv2d_mapping(&layer, &mapping));
  std::uint64_t packed_bytes = 0;
  good(cox_pim_packed_bytes(&mapping, &packed_bytes));
  const auto left = random_vector<std::int8_t>(random_, 20 * 50, -128, 127),
             right = random_vector<std::int8_t>(random_, 50 * 30, -128, 127);
  const auto biases = random_vector<std::int32_t>(random_, 30, -1000, 1000);
  const std::vector<std::int32_t> multipliers(30, 1'500'000'000);
  const std::vector<std::int8_t> shifts(30, 9);
  const cox_pim_weights weights = {right.data(), right.size(), 1, 30, false, biases.data(), multipliers.data(), shifts.data()};
  std::vector<std::byte> packed(packed_bytes);
  good(cox_pim_conv2d_pack(&layer, &mapping, &weights, packed.data(), packed.size()));
  refused(cox_pim_conv2d_pack(&layer, &mapping, &weights, packed.data(), packed.size() - 1), "shape_mismatch", "packed");
  product.weights = give(packed), product.left = give(left);
  const std::uint64_t output = take(20 * 30);
  product.output = device(output, 20 * 30);
  good(cox_pim_gemm(&stream, &product, &mapping));
  EXPECT_GT(cox_pim_stream_instructions(&stream), 0U);
  run();
  EXPECT_EQ(cox_pim_stream_instructions(&stream), 0U);
  EXPECT_GT(cox_pim_end_cycle(), 0U);
  std::vector<std::int8_t> expected;
  for (unsigned row = 0; row < 20; ++row) {
    for (unsigned column = 0; column < 30; ++column) {
      std::int32_t sum = biases[column];
      for (unsigned k = 0; k < 50; ++k) sum += left[row * 50 + k] * right[k * 30 + column];
      expected.push_back(static_cast<std::int8_t>(std::clamp(multiplied(sum, 1'500'000'000, 9) + 1, -128, 127)));
    }
  }
  EXPECT_EQ(bytes_at(output, expected.size()), expected);
}

TEST_F(CoxswainPimTest, ThresholdsOfFilters) {
  start(1);
  constexpr unsigned kRows = 6, kInputs = 40, kOutputs = 10;
  cox_pim_gemm_arguments product = cox_pim_gemm_defaults();
  product.m = kRows, product.k = kInputs, product.n = kOutputs;
  product.form = COX_PIM_BIT_SPARSE, product.output_type = COX_PIM_INT32, product.has_bias = false;
  const auto left = random_vector<std::int8_t>(random_, std::size_t{kRows} * kInputs, -128, 127);
  auto right = random_vector<std::int8_t>(random_, std::size_t{kInputs} * kOutputs, -128, 127);
  // One digit is enough for the first four outputs.
  for (unsigned i = 0; i < right.size(); ++i) right[i] = i % kOutputs < 4 ? static_cast<std::int8_t>(1 << i % 7) : right[i];
  const cox_pim_weights weights = {right.data(), right.size(), 1, kOutputs, false, nullptr, nullptr, nullptr};
  cox_pim_conv2d_arguments layer = cox_pim_conv2d_of_gemm(&product);
  std::vector<std::uint8_t> thresholds(kOutputs);
  refused(cox_pim_choose_thresholds(&layer, &weights, 0, thresholds.data()), "field_out_of_range", "bound");
  good(cox_pim_choose_thresholds(&layer, &weights, 64 << 16, thresholds.data()));
  EXPECT_EQ(thresholds, (std::vector<std::uint8_t>{1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
  product.thresholds = thresholds.data();
  layer = cox_pim_conv2d_of_gemm(&product);
  cox_pim_mapping mapping;
  good(cox_pim_conv2d_mapping(&layer, &mapping));
  std::uint64_t packed_bytes = 0;
  good(cox_pim_packed_bytes(&mapping, &packed_bytes));
  std::vector<std::byte> packed(packed_bytes);
  good(cox_pim_conv2d_pack(&layer, &mapping, &weights, packed.data(), packed.size()));
  thresholds[7] = 0;
  refused(cox_pim_conv2d_mapping(&layer, &mapping), "invalid_argument", "thresholds");
  refused(cox_pim_conv2d_pack(&layer, &mapping, &weights, packed.data(), packed.size()), "invalid_argument", "thresholds");
  product.weights = give(packed), product.left = give(left);
  const std::uint64_t output = take(std::size_t{kRows} * kOutputs * 4);
  product.output = device(output, std::uint64_t{kRows} * kOutputs * 4);
  good(cox_pim_gemm(&stream, &product, &mapping));
  run();
  cox_pim_take(output, std::size_t{kRows} * kOutputs * 4);
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kOutputs; ++column) {
      std::int32_t sum = 0;
      for (unsigned k = 0; k < kInputs; ++k)
        sum += left[row * kInputs + k] * isa::numbers::nearest_weight(right[k * kOutputs + column], column < 4 ? 1 : 2);
      EXPECT_EQ(at<std::int32_t>(output)[row * kOutputs + column], sum);
    }
  }
}

TEST_F(CoxswainPimTest, Elementwise) {
  start(1);
  const auto left = random_vector<std::int8_t>(random_, 1000, -128, 127), right = random_vector<std::int8_t>(random_, 1000, -128, 127);
  const std::uint64_t output = take(1000);
  cox_pim_elmul_arguments multiply{};
  multiply.left = give(left), multiply.right = give(right), multiply.output = device(output, 1000), multiply.count = 1000;
  multiply.factor = {1 << 30, 6}, multiply.cores = 1;
  good(cox_pim_elmul(&stream, &multiply));
  run();
  std::vector<std::int8_t> expected;
  for (unsigned i = 0; i < 1000; ++i)
    expected.push_back(static_cast<std::int8_t>(std::clamp(multiplied(left[i] * right[i], 1 << 30, 6), -128, 127)));
  EXPECT_EQ(bytes_at(output, 1000), expected);

  cox_pim_eladd_arguments add{};
  add.left = multiply.left, add.right = multiply.left, add.output = multiply.output, add.count = 1000, add.cores = 1;
  add.left_factor = add.right_factor = {1 << 30, 0}, add.output_factor = {1 << 30, 19};
  good(cox_pim_eladd(&stream, &add));
  cox_pim_pool_arguments pool{};
  pool.mode = COX_PIM_MAXIMUM, pool.input = multiply.output, pool.height = 10, pool.width = 10, pool.channels = 10;
  pool.kernel_height = pool.kernel_width = pool.stride_y = pool.stride_x = 2, pool.output_height = pool.output_width = 5, pool.cores = 1;
  const std::uint64_t pooled = take(250);
  pool.output = device(pooled, 250);
  good(cox_pim_pool(&stream, &pool));
  run();
  for (unsigned i = 0; i < 1000; ++i) expected[i] = left[i];
  std::vector<std::int8_t> most;
  for (unsigned i = 0; i < 250; ++i) {
    const unsigned channel = i % 10, x = i / 10 % 5 * 2, y = i / 50 * 2;
    const auto value = [&](unsigned row, unsigned column) { return expected[(row * 10 + column) * 10 + channel]; };
    most.push_back(std::max(std::max(value(y, x), value(y, x + 1)), std::max(value(y + 1, x), value(y + 1, x + 1))));
  }
  EXPECT_EQ(bytes_at(output, 1000), expected);
  EXPECT_EQ(bytes_at(pooled, 250), most);

  cox_pim_quantise_arguments quantise{};
  std::vector<std::byte> factors(10);
  const std::int32_t multipliers[] = {1 << 30, 1 << 30};
  std::memcpy(factors.data(), multipliers, sizeof(multipliers));
  factors[8] = std::byte{2}, factors[9] = std::byte{3};
  quantise.input = give(std::vector<std::int32_t>{800, -800, 80, 80}), quantise.output = multiply.output, quantise.pixels = 2;
  quantise.channels = 2, quantise.multipliers = give(factors), quantise.cores = 1;
  good(cox_pim_quantise(&stream, &quantise));
  run();
  EXPECT_EQ(bytes_at(output, 4), (std::vector<std::int8_t>{100, -50, 10, 5}));
}

TEST_F(CoxswainPimTest, DefaultsAndRefusals) {
  start();
  cox_pim_conv2d_arguments layer = cox_pim_conv2d_defaults();
  EXPECT_EQ(layer.kernel_height, 1U);
  EXPECT_TRUE(layer.has_bias);
  EXPECT_EQ(layer.cores, 1U);
  cox_pim_mapping mapping;
  good(cox_pim_conv2d_mapping(&layer, &mapping));
  refused(cox_pim_conv2d(&stream, &layer, &mapping), "address_outside_buffer", "weights");
  refused(cox_pim_load_weights(&stream, &layer, &mapping), "address_outside_buffer", "weights");
  layer.output_type = 9;
  refused(cox_pim_conv2d(&stream, &layer, &mapping), "invalid_argument", "output_type");
  layer = cox_pim_conv2d_defaults();
  layer.form = 3;
  refused(cox_pim_conv2d_mapping(&layer, &mapping), "invalid_argument", "form");
}

using PimEngineTest = DeviceTest;

TEST_F(PimEngineTest, NamesWhatFaults) {
  kernels::pim::Engine engine;
  ASSERT_TRUE(engine.init(accelerator, {.windows = windows}).ok());
  isa::pim::Configuration configuration;
  ASSERT_TRUE(hal::pim::read_configuration(configuration).ok());
  kernels::pim::Stream stream;
  constexpr std::size_t kBytes = 4096;
  ASSERT_TRUE(stream.init(board_->core_dram().subspan(kWindowBytes, kBytes), engine.windows(), configuration, 2).ok());
  ASSERT_TRUE(stream.begin_kernel().ok());
  stream.begin_core(0);
  stream.copy(0x300000, 8, 0x200000);
  stream.begin_core(1);
  stream.copy(0x300000, 0x100000, 0x200000);
  ASSERT_TRUE(stream.end_kernel().ok());
  EXPECT_FALSE(engine.run(stream).ok());
  EXPECT_STREQ(engine.fault().name, "trans");
  EXPECT_EQ(isa::pim::Position::unpack(static_cast<std::uint32_t>(engine.fault().instruction)).core, 1U);
  EXPECT_TRUE(engine.close().ok());
}

}  // namespace
}  // namespace cox::tests::pim::coxswain_pim_test
