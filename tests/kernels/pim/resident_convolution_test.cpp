// SPDX-License-Identifier: MIT
// Convolutions with resident weights against plain loops, with their weights at different places of the array.
#include "coxswain/kernels/pim/resident_convolution.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/kernels/pim/pim_bench.h"

namespace cox::tests::pim::resident_convolution_test {
namespace {

using kernels::pim::ResidentCode;
using kernels::pim::ResidentConvolution;
using kernels::pim::ResidentMap;
using kernels::pim::ResidentMemories;
using kernels::pim::ResidentPlace;
using kernels::pim::ResidentWeights;

constexpr std::uint32_t kKernel = 3, kFilters = 32, kConstantsBytes = 16384;
constexpr std::int32_t kInputZero = -128;

struct Case {
  const char *name;
  std::uint32_t channels, block, stride, column_step;
  ResidentPlace place;
  std::uint32_t side = 8;
};

std::int64_t saturate(std::int64_t value, std::int64_t most) { return std::clamp(value, -most - 1, most); }

/// MUL (docs/isa/pim.md, SIMD) with a shift to the right.
std::int64_t multiply(std::int64_t value, std::int64_t multiplier, int shift) {
  const std::int64_t high = (value * multiplier + (std::int64_t{1} << 30)) >> 31, half = (std::int64_t{1} << shift) >> 1;
  return high < 0 ? -((-high + half) >> shift) : (high + half) >> shift;
}

class ResidentConvolutions : public testing::TestWithParam<Case> {};

TEST_P(ResidentConvolutions, EqualPlainLoops) {
  const Case &param = GetParam();
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  ResidentConvolution convolution;
  convolution.input = {param.side, param.side, param.channels, param.block, 1};
  convolution.kernel = kKernel;
  convolution.stride = param.stride;
  convolution.padding = 1;
  convolution.column_step = param.column_step;
  convolution.filters = kFilters;
  convolution.place = param.place;
  const ResidentMap &map = convolution.input;
  const std::uint32_t rows = param.side / param.stride, columns = rows / param.column_step;

  std::mt19937 random(7);
  const auto number = [&random](std::int32_t most) { return std::uniform_int_distribution(-most, most)(random); };
  std::vector<std::int8_t> values(kFilters * kKernel * kKernel * param.channels), shifts;
  for (std::int8_t &value : values) value = static_cast<std::int8_t>(number(127));
  std::vector<std::int32_t> biases, multipliers;
  for (std::uint32_t i = 0; i < kFilters; ++i) {
    biases.push_back(number(100'000));
    multipliers.push_back((1 << 30) + number(1 << 20));
    shifts.push_back(static_cast<std::int8_t>(10 + i % 3));
  }
  Bench bench(1, 4 << 20, 1 << 20);
  const auto bytes_at = [&](std::uint32_t address) { return bench.dram.bytes().subspan(address - configuration.dram_first); };
  const std::uint32_t array = bench.allocate(configuration.array.bytes()), constants = bench.allocate(kConstantsBytes);
  const std::uint32_t input = bench.allocate(map.bytes()), output = bench.allocate(rows * columns * kFilters);
  ResidentWeights weights = {values, biases, multipliers, shifts};
  weights.input_zero_point = kInputZero;
  weights.output_zero_point = 3;
  pack_resident(convolution, configuration.array, weights, 0, bytes_at(array).first(configuration.array.bytes()),
                bytes_at(constants).first(kConstantsBytes));
  for (std::byte &byte : bytes_at(input).first(map.bytes())) byte = std::byte{0x80};
  for (std::uint32_t channel = 0; channel < param.channels; ++channel) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(param.side * param.side); ++i) {
      const auto side = static_cast<std::int32_t>(param.side);
      const std::uint32_t place = map.offset(channel / map.block, i / side, i % side) + channel % map.block;
      bytes_at(input)[place] = static_cast<std::byte>(number(127));
    }
  }

  const auto memory = [&](const char *name) { return configuration.memories[configuration.find_memory(name)].first; };
  const ResidentMemories memories = {.results = {memory("output_buffer"), memory("mask_buffer")},
                                     .sums = {memory("input"), memory("data")}};
  ASSERT_TRUE(bench.builder.begin_kernel().ok());
  bench.builder.begin_core(0);
  bench.builder.copy(array, static_cast<std::uint32_t>(configuration.array.bytes()), configuration.array.first);
  bench.builder.copy(constants, kConstantsBytes, memory("input_buffer"));
  bench.builder.copy(input, map.bytes(), memory("meta_buffer"));
  ResidentCode code(bench.builder, memories);
  code.begin(convolution, memory("input_buffer"));
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t first = map.offset(0, static_cast<std::int32_t>(row * param.stride) - 1, -1);
    code.row(memory("meta_buffer") + first, memory("output") + row * columns * kFilters, columns);
  }
  bench.builder.copy(memory("output"), rows * columns * kFilters, output);
  ASSERT_TRUE(bench.builder.end_kernel().ok());
  bench.run();

  for (std::uint32_t i = 0; i < rows * columns * kFilters; ++i) {
    const std::uint32_t filter = i % kFilters, pixel = i / kFilters;
    std::int64_t sum = biases[filter];
    for (std::uint32_t w = 0; w < kKernel * kKernel * param.channels; ++w) {
      const std::uint32_t channel = w % param.channels, tap = w / param.channels;
      const auto y = static_cast<std::int32_t>(pixel / columns * param.stride + tap / kKernel) - 1;
      const auto x = static_cast<std::int32_t>(pixel % columns * param.stride * param.column_step + tap % kKernel) - 1;
      const auto value = static_cast<std::int8_t>(bytes_at(input)[map.offset(channel / map.block, y, x) + channel % map.block]);
      sum += (value - kInputZero) * values[filter * kKernel * kKernel * param.channels + w];
    }
    ASSERT_EQ(static_cast<std::int8_t>(bytes_at(output)[i]), saturate(multiply(sum, multipliers[filter], shifts[filter]) + 3, 127)) << i;
  }
}

// Places: parts 1, 2, 3, 6 and 8; one and several pixels; groups and columns before the first; 1 to 5, 7 and 8 tiles.
INSTANTIATE_TEST_SUITE_P(
    All, ResidentConvolutions,
    testing::Values(Case{"WindowsAreRows", 3, 3, 1, 1, {.first_row = 4, .pixels = 8}}, Case{"SecondColumns", 3, 3, 1, 2, {.pixels = 4}},
                    Case{
                        "RowsOfTheKernelAreParts", 64, 64, 1, 1, {.first_group = 8, .first_row = 9, .kernel_row_parts = true, .pixels = 8}},
                    Case{"SixParts", 128, 128, 2, 1, {.group_macros = 16, .first_group = 4, .channel_parts = 2, .kernel_row_parts = true}},
                    Case{"SixPartsTwoPixels",
                         128,
                         128,
                         2,
                         1,
                         {.group_macros = 16, .first_group = 4, .channel_parts = 2, .kernel_row_parts = true, .pixels = 2}},
                    Case{"ColumnsBefore", 256, 32, 1, 1, {.first_group = 16, .first_column = 32, .channel_parts = 8}},
                    Case{"ColumnsBeforeTwoPixels", 256, 128, 1, 1, {.first_column = 32, .channel_parts = 8, .pixels = 2}},
                    Case{"OnePart", 32, 32, 2, 1, {.group_macros = 8, .pixels = 4}}, Case{"ThreeTiles", 32, 32, 2, 1, {}, 6},
                    Case{"FiveTiles", 32, 32, 1, 1, {}, 5}, Case{"SevenTilesOfThreeParts", 32, 32, 1, 1, {.kernel_row_parts = true}, 7}),
    [](const auto &instance) { return instance.param.name; });

}  // namespace
}  // namespace cox::tests::pim::resident_convolution_test
