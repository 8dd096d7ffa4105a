// SPDX-License-Identifier: MIT
// eladd(), elmul(), quantise() and pool() beside loops over their definitions.
#include <gtest/gtest.h>

#include "coxswain/kernels/pim/elementwise.h"
#include "coxswain/kernels/pim/pool.h"
#include "tests/kernels/pim/pim_bench.h"
#include "tests/kernels/pim/requantise.h"

namespace cox::tests::pim::elementwise_test {
namespace {

using kernels::pim::EladdArguments;
using kernels::pim::ElmulArguments;
using kernels::pim::PoolArguments;
using kernels::pim::PoolMode;
using kernels::pim::QuantiseArguments;

std::int8_t int8(std::int64_t value) { return static_cast<std::int8_t>(std::clamp<std::int64_t>(value, -128, 127)); }

void expect_ok(const Status &status) {
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what() << " " << status.value();
}

TEST(PimElementwise, Eladd) {
  std::mt19937 random(1);
  for (const std::uint32_t count : {1U, 77U, 65'536U, 65'537U, 300'000U}) {
    for (const unsigned cores : {1U, 3U}) {
      Bench bench(cores);
      const auto left = random_vector<std::int8_t>(random, count, -128, 127), right = random_vector<std::int8_t>(random, count, -128, 127);
      EladdArguments a;
      a.left = bench.put(left), a.right = bench.put(right), a.output = bench.allocate(count), a.count = count, a.cores = cores;
      a.left_zero_point = 3, a.right_zero_point = -20, a.zero_point = 7;
      a.left_factor = {1'900'000'000, 1}, a.right_factor = {1'200'000'000, 2}, a.output_factor = {1'300'000'000, 18};
      expect_ok(eladd(bench.builder, a));
      bench.run();
      std::vector<std::int8_t> expected(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::int32_t first = multiplied((left[i] - 3) * (1 << 20), 1'900'000'000, 1);
        const std::int32_t second = multiplied((right[i] + 20) * (1 << 20), 1'200'000'000, 2);
        expected[i] = int8(std::int64_t{multiplied(saturated(std::int64_t{first} + second), 1'300'000'000, 18)} + 7);
      }
      EXPECT_EQ(bench.get<std::int8_t>(a.output, count), expected) << count;
    }
  }
}

TEST(PimElementwise, EladdInPlaceAndInLocalMemories) {
  std::mt19937 random(2);
  constexpr std::uint32_t kCount = 150'000, kInput = 0x100000, kOutput = 0x200000;
  Bench bench;
  const auto left = random_vector<std::int8_t>(random, kCount, -128, 127), right = random_vector<std::int8_t>(random, kCount, -128, 127);
  EladdArguments a;
  a.left = bench.put(left), a.right = bench.put(right), a.output = a.left, a.count = kCount;
  a.left_factor = a.right_factor = {1 << 30, 0}, a.output_factor = {1 << 30, 19};
  expect_ok(eladd(bench.builder, a));
  bench.run();
  std::vector<std::int8_t> expected(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i)
    expected[i] = int8(multiplied(multiplied(left[i] * (1 << 20), 1 << 30, 0) + multiplied(right[i] * (1 << 20), 1 << 30, 0), 1 << 30, 19));
  EXPECT_EQ(bench.get<std::int8_t>(a.output, kCount), expected);

  std::memcpy(bench.machine.memory(0, 0).data(), right.data(), kCount);
  a.left = bench.put(left), a.right = kInput, a.output = kOutput;
  expect_ok(eladd(bench.builder, a));
  bench.run();
  EXPECT_EQ(std::memcmp(bench.machine.memory(0, 1).data(), expected.data(), kCount), 0);
}

TEST(PimElementwise, KernelsOnDifferentCoresDoNotWaitForEachOther) {
  std::mt19937 random(6);
  constexpr std::uint32_t kCount = 1000;
  Bench bench(5);
  const auto left = random_vector<std::int8_t>(random, kCount, -128, 127);
  EladdArguments a;
  a.left = a.right = bench.put(left), a.count = kCount;
  a.left_factor = a.right_factor = {1 << 30, 0}, a.output_factor = {1 << 30, 19};
  a.output = bench.allocate(kCount), a.cores = 2;
  expect_ok(eladd(bench.builder, a));
  EladdArguments b = a;
  b.output = bench.allocate(kCount), b.first_core = 2, b.cores = 3;
  expect_ok(eladd(bench.builder, b));
  bench.run();
  EXPECT_EQ(bench.get<std::int8_t>(a.output, kCount), left);
  EXPECT_EQ(bench.get<std::int8_t>(b.output, kCount), left);
}

TEST(PimElementwise, Elmul) {
  std::mt19937 random(3);
  constexpr std::uint32_t kCount = 70'001;
  Bench bench;
  const auto left = random_vector<std::int8_t>(random, kCount, -128, 127), right = random_vector<std::int8_t>(random, kCount, -128, 127);
  ElmulArguments a;
  a.left = bench.put(left), a.right = bench.put(right), a.output = bench.allocate(kCount), a.count = kCount;
  a.left_zero_point = -1, a.right_zero_point = 5, a.zero_point = -9, a.factor = {1'500'000'000, 6};
  expect_ok(elmul(bench.builder, a));
  bench.run();
  std::vector<std::int8_t> expected(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) expected[i] = int8(multiplied((left[i] + 1) * (right[i] - 5), 1'500'000'000, 6) - 9);
  EXPECT_EQ(bench.get<std::int8_t>(a.output, kCount), expected);
}

TEST(PimElementwise, Quantise) {
  std::mt19937 random(4);
  for (const std::uint32_t channels : {1U, 20U, 1'000U}) {
    for (const bool relu : {false, true}) {
      constexpr std::uint32_t kPixels = 301;
      Bench bench(2);
      const auto input = random_vector<std::int32_t>(random, kPixels * channels, -1'000'000, 1'000'000);
      const auto multipliers = random_vector<std::int32_t>(random, channels, 1 << 30, (std::int64_t{1} << 31) - 1);
      const auto shifts = random_vector<std::int8_t>(random, channels, 10, 16);
      QuantiseArguments a;
      a.input = bench.put(input), a.output = bench.allocate(kPixels * channels), a.pixels = kPixels, a.channels = channels;
      a.multipliers = bench.allocate(channels * std::size_t{5});
      std::memcpy(bench.at(a.multipliers), multipliers.data(), channels * std::size_t{4});
      std::memcpy(bench.at(a.multipliers + channels * 4), shifts.data(), channels);
      a.zero_point = 4, a.relu = relu, a.cores = 2;
      expect_ok(quantise(bench.builder, a));
      bench.run();
      std::vector<std::int8_t> expected(input.size());
      for (std::size_t i = 0; i < input.size(); ++i) {
        const std::int32_t sum = relu ? std::max(input[i], 0) : input[i];
        expected[i] = int8(std::int64_t{multiplied(sum, multipliers[i % channels], shifts[i % channels])} + 4);
      }
      EXPECT_EQ(bench.get<std::int8_t>(a.output, input.size()), expected) << channels;
    }
  }
}

std::vector<std::int8_t> pooled(const PoolArguments &a, const std::vector<std::int8_t> &input) {
  std::vector<std::int8_t> results;
  for (std::uint32_t y = 0; y < a.output_height; ++y) {
    for (std::uint32_t x = 0; x < a.output_width; ++x) {
      for (std::uint32_t c = 0; c < a.channels; ++c) {
        std::int32_t most = -128, sum = 0;
        for (std::uint32_t ky = 0; ky < a.kernel_height; ++ky) {
          for (std::uint32_t kx = 0; kx < a.kernel_width; ++kx) {
            const std::uint32_t iy = y * a.stride_y + ky - a.pad_top, ix = x * a.stride_x + kx - a.pad_left;
            if (iy >= a.height || ix >= a.width) continue;
            const std::int32_t value = input[(std::size_t{iy} * a.width + ix) * a.channels + c];
            most = std::max(most, value);
            sum += value;
          }
        }
        const auto count = static_cast<std::int32_t>(a.kernel_height * a.kernel_width);
        results.push_back(int8(a.mode == PoolMode::maximum ? most : (sum + (sum < 0 ? -(count / 2) : count / 2)) / count));
      }
    }
  }
  return results;
}

TEST(PimPool, Pools) {
  std::mt19937 random(5);
  struct Case {
    std::uint32_t height, width, channels, kernel_height, kernel_width, stride, pad;
  };
  for (const Case &c : {Case{8, 8, 16, 2, 2, 2, 0}, Case{112, 112, 64, 3, 3, 2, 1}, Case{7, 7, 100, 7, 7, 1, 0}, Case{5, 9, 3, 1, 4, 1, 0},
                        Case{9, 5, 3, 4, 1, 3, 0}, Case{6, 6, 33, 3, 2, 1, 1}, Case{1, 1, 1, 1, 1, 1, 0}, Case{13, 11, 7, 5, 5, 3, 2}}) {
    for (const PoolMode mode : {PoolMode::maximum, PoolMode::average}) {
      for (const unsigned cores : {1U, 2U}) {
        PoolArguments a;
        a.mode = mode;
        a.height = c.height, a.width = c.width, a.channels = c.channels;
        a.kernel_height = c.kernel_height, a.kernel_width = c.kernel_width, a.stride_y = a.stride_x = c.stride;
        if (mode == PoolMode::maximum) a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = c.pad;
        a.output_height = (a.height + a.pad_top + a.pad_bottom - a.kernel_height) / a.stride_y + 1;
        a.output_width = (a.width + a.pad_left + a.pad_right - a.kernel_width) / a.stride_x + 1;
        a.cores = cores;
        Bench bench(cores);
        const auto input = random_vector<std::int8_t>(random, std::size_t{a.height} * a.width * a.channels, -128, 127);
        a.input = bench.put(input);
        const std::size_t count = std::size_t{a.output_height} * a.output_width * a.channels;
        a.output = bench.allocate(count);
        expect_ok(pool(bench.builder, a));
        bench.run();
        EXPECT_EQ(bench.get<std::int8_t>(a.output, count), pooled(a, input)) << c.height << " " << c.kernel_height << " " << cores;
      }
    }
  }
}

}  // namespace
}  // namespace cox::tests::pim::elementwise_test
