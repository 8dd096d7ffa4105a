// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/kernels/mx/dram.h"
#include "tests/kernels/mx/refusal.h"

namespace cox::kernels::mx {
namespace pool_test {

using tests::Block;
using tests::Dram;
using Values = std::array<float, 16>;

/// Computes each output pixel from the inputs inside the map.
std::vector<Block> expected_pool(const PoolArguments &arguments, std::span<const Block> input) {
  const std::int64_t height = arguments.input.height, width = arguments.input.width;
  std::vector<Values> values;
  for (const Block &block : input) values.push_back(tests::values_of(block));
  std::vector<Block> result;
  for (std::int64_t c = 0; c < arguments.input.blocks(); ++c) {
    for (std::int64_t y = 0; y < arguments.output.height; ++y) {
      const std::int64_t top = y * arguments.stride - arguments.padding;
      for (std::int64_t x = 0; x < arguments.output.width; ++x) {
        const std::int64_t left = x * arguments.stride - arguments.padding;
        Values maximum{}, sum{};
        std::array<double, 16> real{};
        maximum.fill(-INFINITY);
        int count = 0;
        bool nan = false;
        for (std::int64_t i = std::max<std::int64_t>(top, 0); i < std::min<std::int64_t>(top + arguments.kernel, height); ++i) {
          for (std::int64_t j = std::max<std::int64_t>(left, 0); j < std::min<std::int64_t>(left + arguments.kernel, width); ++j) {
            const Values &one = values[static_cast<std::size_t>((c * height + i) * width + j)];
            nan = nan || std::isnan(one[0]);
            for (unsigned k = 0; k < 16; ++k) {
              maximum[k] = std::max(maximum[k], one[k]);
              sum[k] = sum[k] + one[k];
              real[k] += one[k];
            }
            ++count;
          }
        }
        Values pooled = maximum;
        if (arguments.mode == PoolMode::Average) {
          for (unsigned k = 0; k < 16; ++k) pooled[k] = sum[k] / static_cast<float>(count);
        }
        if (nan) pooled[0] = NAN;
        result.push_back(isa::mx::quantise(pooled));
        if (arguments.mode != PoolMode::Average) std::copy(maximum.begin(), maximum.end(), real.begin());
        for (unsigned k = 0; k < 16 && arguments.mode == PoolMode::Average; ++k) real[k] /= count;
        // Numbers of both signs may cancel in a sum, which makes its relative error larger.
        const double slack = arguments.mode == PoolMode::Average ? 1e-3 : 0;
        if (!nan) tests::expect_within_format(result.back(), real, slack, "beside real numbers");
      }
    }
  }
  return result;
}

PoolArguments arguments_of(std::uint32_t kernel, std::uint32_t stride, std::uint32_t padding, PoolMode mode) {
  PoolArguments arguments;
  arguments.kernel = kernel;
  arguments.stride = stride;
  arguments.padding = padding;
  arguments.mode = mode;
  return arguments;
}

/// Runs the pool and compares its output. Returns the number of instructions.
unsigned expect_right(Dram &dram, PoolArguments arguments, const Tensor &shape, std::mt19937 &random, bool nan) {
  dram.clear();
  arguments.input = dram.tensor(shape.channels, shape.height, shape.width);
  arguments.output = dram.tensor(shape.channels, isa::mx::output_side(shape.height, arguments.kernel, arguments.stride, arguments.padding),
                                 isa::mx::output_side(shape.width, arguments.kernel, arguments.stride, arguments.padding));
  const Result<std::uint64_t> scratch = pool_scratch_bytes(arguments);
  EXPECT_TRUE(scratch.ok());
  EXPECT_EQ(scratch.value() != 0, shape.height > 1024 || shape.width > 1024);
  arguments.scratch = dram.scratch(scratch.value());
  tests::fill(dram.blocks(arguments.input), random, nan);
  const std::vector<Block> expected = expected_pool(arguments, dram.blocks(arguments.input));
  EXPECT_TRUE(pool(dram.stream(), arguments).ok());
  const unsigned instructions = dram.run();
  const auto actual = dram.blocks(arguments.output);
  const auto [wrong, other] = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
  EXPECT_TRUE(wrong == expected.end() && other == actual.end())
      << "block " << wrong - expected.begin() << " of " << shape.channels << " channels, " << shape.height << " x " << shape.width
      << ", kernel " << arguments.kernel << ", stride " << arguments.stride << ", padding " << arguments.padding;
  return instructions;
}

TEST(Pool, RandomShapes) {
  std::mt19937 random(12);
  const auto some = [&](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  Dram dram(500'000);
  for (int round = 0; round < 250; ++round) {
    const std::uint32_t kernel = some(1, 15), padding = some(0, std::min(kernel - 1, 7U));
    const std::uint32_t least = kernel - std::min(kernel - 1, 2 * padding);
    const PoolArguments arguments = arguments_of(kernel, some(1, 3), padding, round % 2 == 0 ? PoolMode::Maximum : PoolMode::Average);
    const Tensor shape{0, some(1, 70), some(least, least + 10), some(least, least + 10)};
    EXPECT_EQ(expect_right(dram, arguments, shape, random, round % 5 == 0), 1U);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(Pool, EveryKernelStrideAndPadding) {
  std::mt19937 random(13);
  Dram dram(100'000);
  for (std::uint32_t kernel = 2; kernel <= 13; ++kernel) {
    for (std::uint32_t padding = 0; padding < std::min(kernel, 8U); ++padding) {
      for (std::uint32_t stride = 1; stride <= 3; ++stride) {
        for (const PoolMode mode : {PoolMode::Maximum, PoolMode::Average}) {
          EXPECT_EQ(expect_right(dram, arguments_of(kernel, stride, padding, mode), {0, 16, 14, 13}, random, false), 1U);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

TEST(Pool, MoreChannelsThanAnInstructionTakes) {
  std::mt19937 random(14);
  Dram dram(3'000'000);
  EXPECT_EQ(expect_right(dram, arguments_of(3, 2, 1, PoolMode::Maximum), {0, 1024, 5, 6}, random, true), 1U);
  EXPECT_EQ(expect_right(dram, arguments_of(3, 2, 1, PoolMode::Maximum), {0, 1025, 5, 6}, random, true), 2U);
  EXPECT_EQ(expect_right(dram, arguments_of(2, 2, 0, PoolMode::Average), {0, 2100, 5, 6}, random, true), 3U);
}

TEST(Pool, MapsLargerThanAnInstructionTakes) {
  std::mt19937 random(15);
  Dram dram(60'000'000);
  EXPECT_EQ(expect_right(dram, arguments_of(5, 1, 2, PoolMode::Maximum), {0, 16, 1024, 3}, random, true), 1U);
  struct Case {
    std::uint32_t kernel, stride, padding;
    Tensor shape;
  };
  const Case cases[] = {
      {5, 1, 2, {0, 16, 1025, 3}},  {5, 1, 2, {0, 48, 3, 1025}},    {13, 1, 6, {0, 32, 2100, 2}},  {13, 3, 6, {0, 16, 2, 2100}},
      {15, 3, 7, {0, 17, 1030, 9}}, {2, 2, 0, {0, 16, 1025, 1100}}, {3, 2, 1, {0, 32, 1100, 257}}, {2, 3, 1, {0, 16, 2100, 40}},
      {1, 3, 0, {0, 16, 2100, 3}},  {3, 1, 1, {0, 1040, 1030, 1}},
  };
  for (const Case &one : cases) {
    for (const PoolMode mode : {PoolMode::Maximum, PoolMode::Average}) {
      EXPECT_GT(expect_right(dram, arguments_of(one.kernel, one.stride, one.padding, mode), one.shape, random, true), 6U);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(Pool, BadArguments) {
  constexpr std::uint64_t kBase = 0x6000'0000, kWindow = 0x800'0000;
  for (const std::uint32_t height : {20U, 1100U}) {
    tests::RefusingStream refusing({{.base = kBase, .bytes = kWindow, .read = true, .write = true},
                                    {.base = kBase + kWindow, .bytes = kWindow, .read = false, .write = true}});
    PoolArguments good = arguments_of(3, 2, 1, PoolMode::Maximum);
    good.input = {kBase, 40, height, 7};
    good.output = {kBase + 0x100'0000, 40, height / 2, 4};
    good.scratch = {kBase + 0x200'0000, pool_scratch_bytes(good).value()};
    const auto call = [](const PoolArguments &arguments) { return [=](Stream &stream) { return pool(stream, arguments); }; };
    const auto expect_shape_refused = [&](const PoolArguments &arguments, ErrorCode code, const char *what, std::uint64_t value,
                                          std::int64_t limit) {
      refusing.expect(call(arguments), code, what, value, limit);
      EXPECT_EQ(pool_scratch_bytes(arguments).status().code(), code);
    };
    refusing.expect_taken(call(good));
    for (const auto size : {&Tensor::channels, &Tensor::height, &Tensor::width}) {
      PoolArguments bad = good;
      bad.input.*size = 0;
      expect_shape_refused(bad, ErrorCode::invalid_argument, "input", 0, 1);
      bad = good;
      bad.output.*size += 1;
      expect_shape_refused(bad, ErrorCode::shape_mismatch, "output", bad.output.*size, good.output.*size);
    }
    PoolArguments bad = good;
    bad.kernel = 0;
    expect_shape_refused(bad, ErrorCode::invalid_argument, "kernel", 0, 1);
    bad.kernel = 16;
    expect_shape_refused(bad, ErrorCode::invalid_argument, "kernel", 16, 15);
    bad = good;
    bad.stride = 0;
    expect_shape_refused(bad, ErrorCode::invalid_argument, "stride", 0, 1);
    bad.stride = 4;
    expect_shape_refused(bad, ErrorCode::invalid_argument, "stride", 4, 3);
    bad = good;
    bad.padding = 8;
    expect_shape_refused(bad, ErrorCode::invalid_argument, "padding", 8, 7);
    bad.padding = 3;
    expect_shape_refused(bad, ErrorCode::invalid_argument, "padding", 3, 2);
    bad = good;
    bad.mode = static_cast<PoolMode>(2);
    expect_shape_refused(bad, ErrorCode::invalid_argument, "mode", 2, 1);
    bad = good;
    bad.kernel = 10;
    bad.output.height = isa::mx::output_side(height, 10, 2, 1);
    expect_shape_refused(bad, ErrorCode::shape_mismatch, "input", 9, 10);
    bad = good;
    bad.input.address += 1;
    refusing.expect(call(bad), ErrorCode::misaligned_address, "InOffset", bad.input.address, 2);
    bad.input.address = kBase - 18;
    refusing.expect(call(bad), ErrorCode::address_outside_window, "InOffset", bad.input.address);
    bad = good;
    bad.output.address = kBase + 1;
    refusing.expect(call(bad), ErrorCode::misaligned_address, "OutOffset1", bad.output.address, 2);
    bad.output.address = kBase;
    refusing.expect(call(bad), ErrorCode::tensor_overlap, "OutOffset1", kBase, kBase);
    bad.output.address = kBase + 2 * kWindow - 2;
    refusing.expect(call(bad), ErrorCode::address_outside_window, "OutOffset1", bad.output.address);
    refusing.expect_full_stream_refused(call(good));
    if (height <= 1024) continue;
    bad = good;
    bad.scratch.bytes -= 1;
    refusing.expect(call(bad), ErrorCode::no_room, "scratch", bad.scratch.bytes, static_cast<std::int64_t>(good.scratch.bytes));
    bad = good;
    bad.scratch.address += 2;
    refusing.expect(call(bad), ErrorCode::misaligned_address, "scratch", bad.scratch.address, 4);
    bad.scratch.address = kBase + kWindow;
    refusing.expect(call(bad), ErrorCode::address_outside_window, "scratch", bad.scratch.address);
    bad.scratch.address = good.input.address;
    refusing.expect(call(bad), ErrorCode::tensor_overlap, "scratch", bad.scratch.address);
  }
}

}  // namespace pool_test
}  // namespace cox::kernels::mx
