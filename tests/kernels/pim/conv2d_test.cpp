// SPDX-License-Identifier: MIT
// conv2d() beside a loop over the definition of a convolution.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernels/pim/conv2d_problem.h"

namespace cox::tests::pim::conv2d_test {
namespace {

using kernels::pim::Conv2dArguments;
using kernels::pim::ResultType;
using kernels::pim::Split;
using kernels::pim::WeightForm;

std::uint64_t check(const Conv2dArguments &arguments, const char *input_memory = nullptr) {
  std::mt19937 random(arguments.height * 7 + arguments.channels);
  Conv2dProblem problem;
  problem.arguments = arguments;
  problem.input_memory = input_memory;
  problem.fill(random);
  problem.make_sparse(isa::pim::default_configuration());
  Bench bench(arguments.first_core + arguments.cores);
  return problem.expect_equal(bench);
}

/// A layer of `kernel` x `kernel` whose output has the size of its input.
Conv2dArguments same(std::uint32_t height, std::uint32_t width, std::uint32_t channels, std::uint32_t outputs, std::uint32_t kernel = 3) {
  Conv2dArguments a;
  a.height = height, a.width = width, a.channels = channels, a.output_channels = outputs;
  a.kernel_height = a.kernel_width = kernel;
  a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = kernel / 2;
  a.pad_value = -7;
  return a;
}

TEST(PimConv2d, OnePixel) { check({.channels = 5, .output_channels = 3}); }

TEST(PimConv2d, PointwiseLayers) {
  check({.height = 5, .width = 7, .channels = 40, .output_channels = 24});
  check({.height = 9, .width = 3, .channels = 600, .output_channels = 100, .zero_point = -5});
  check({.height = 1, .width = 17, .channels = 3, .output_channels = 1});
}

TEST(PimConv2d, SameLayers) {
  check(same(6, 6, 32, 64));
  check(same(7, 5, 3, 10));
  check(same(14, 14, 64, 32, 1));
  check(same(9, 9, 16, 24, 5));
  check(same(5, 13, 96, 130));
}

TEST(PimConv2d, StridesAndDilations) {
  Conv2dArguments a = same(15, 13, 12, 20);
  a.stride_y = 2, a.stride_x = 3;
  check(a);
  a.dilation_x = 2, a.pad_left = 3;
  check(a);
  a.dilation_y = 3, a.pad_top = 0, a.pad_bottom = 5;
  check(a);
  check({.height = 20,
         .width = 20,
         .channels = 3,
         .kernel_height = 7,
         .kernel_width = 7,
         .stride_y = 2,
         .stride_x = 2,
         .pad_top = 3,
         .pad_left = 3,
         .pad_bottom = 2,
         .pad_right = 2,
         .output_channels = 64});
}

TEST(PimConv2d, GroupsAndDepthwise) {
  Conv2dArguments a = same(8, 9, 64, 64);
  a.groups = 64;
  check(a);
  a = same(7, 7, 48, 48), a.groups = 48, a.stride_x = a.stride_y = 2;
  check(a);
  a = same(6, 10, 24, 36), a.groups = 3;
  check(a);
  a = same(4, 4, 8, 8), a.groups = 8;
  check(a);
}

TEST(PimConv2d, Results) {
  Conv2dArguments a = same(6, 7, 20, 33);
  a.output_type = ResultType::int32;
  check(a);
  a.relu = true;
  check(a);
  a.output_type = ResultType::int8, a.zero_point = 11;
  check(a);
  a.zero_point = -128;
  check(a);
  a.has_bias = false;
  check(a);
  a = {.height = 6, .width = 6, .channels = 32, .output_channels = 16, .output_type = ResultType::int32, .has_bias = false};
  check(a);
}

TEST(PimConv2d, SeveralPasses) {
  check({.height = 3, .width = 4, .channels = 1200, .output_channels = 700});
  check(same(4, 4, 512, 200));
}

TEST(PimConv2d, SeveralStrips) { check(same(40, 120, 64, 16)); }

TEST(PimConv2d, ValueSparse) {
  Conv2dArguments a = same(6, 7, 128, 40);
  a.form = WeightForm::value_sparse, a.window_inputs = 64;
  check(a);
  a.window_inputs = 128;
  check(a);
  a = same(5, 5, 70, 9), a.form = WeightForm::value_sparse, a.window_inputs = 50;
  check(a);
}

TEST(PimConv2d, BitSparse) {
  for (const std::uint32_t threshold : {1U, 2U}) {
    Conv2dArguments a = same(6, 7, 64, 40);
    a.form = WeightForm::bit_sparse, a.threshold = threshold;
    check(a);
    a = same(5, 4, 33, 100), a.form = WeightForm::bit_sparse, a.threshold = threshold;
    check(a);
  }
}

TEST(PimConv2d, WeightsOfFewBits) {
  for (const std::uint32_t bits : {1U, 2U, 4U}) {
    SCOPED_TRACE(std::to_string(bits) + " bits");
    Conv2dArguments a = same(5, 6, 70, 150);
    a.weight_bits = bits;
    check(a);
    a.cores = 2, a.split = Split::outputs;
    check(a);
    a = same(5, 6, 40, 40), a.weight_bits = bits, a.groups = 40;
    check(a);
    a.groups = 4;
    check(a);
    a = same(5, 6, 128, 50), a.weight_bits = bits, a.form = WeightForm::value_sparse, a.window_inputs = 96;
    check(a);
  }
}

/// Filters of both thresholds side by side, with one and with several partial sums, passes and cores.
TEST(PimConv2d, ThresholdsOfFilters) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  std::mt19937 random(3);
  for (const std::uint32_t channels : {40U, 300U}) {
    for (const std::uint32_t outputs : {1U, 50U, 500U}) {
      std::vector<std::uint8_t> thresholds(outputs);
      for (std::uint32_t i = 0; i < outputs; ++i) thresholds[i] = i / 45 % 2 == 0 ? 2 : 1;
      for (const bool has_bias : {true, false}) {
        SCOPED_TRACE(std::to_string(channels) + " to " + std::to_string(outputs) + (has_bias ? " with biases" : ""));
        Conv2dProblem problem;
        problem.arguments = same(3, 5, channels, outputs);
        problem.arguments.form = WeightForm::bit_sparse, problem.arguments.thresholds = thresholds;
        problem.arguments.has_bias = has_bias, problem.arguments.zero_point = 3, problem.arguments.relu = outputs != 50;
        if (outputs > 50) problem.arguments.cores = 2, problem.arguments.split = Split::outputs;
        problem.fill(random);
        problem.make_sparse(configuration);
        Bench bench(2);
        problem.expect_equal(bench);
        const auto mapping = choose_mapping(conv2d_layer(problem.arguments).value(), configuration);
        ASSERT_TRUE(mapping.ok());
        problem.expect_equal(bench, side_by_side(mapping.value(), configuration.array, thresholds));
      }
    }
  }
}

/// Layers with 1 to 17 partial sums of each result, which instructions of the SIMD unit add in several ways.
TEST(PimConv2d, PartialSums) {
  for (const WeightForm form : {WeightForm::dense, WeightForm::value_sparse, WeightForm::bit_sparse}) {
    for (const std::uint32_t channels : {512U, 520U, 1300U, 2000U, 2900U, 4100U, 8500U}) {
      SCOPED_TRACE("form " + std::to_string(static_cast<unsigned>(form)) + ", channels " + std::to_string(channels));
      Conv2dArguments a{.height = 2, .width = 5, .channels = channels, .output_channels = 9};
      a.form = form, a.window_inputs = 32;
      check(a);
      a.has_bias = false;
      check(a);
      a.output_type = ResultType::int32, a.relu = true;
      check(a);
    }
  }
}

/// Maps without padding in local memories: pim-compute reads them there, or a copy.
TEST(PimConv2d, LocalMaps) {
  for (const char *memory : {"input", "meta_buffer"}) {
    for (const WeightForm form : {WeightForm::dense, WeightForm::value_sparse, WeightForm::bit_sparse}) {
      for (const std::uint32_t channels : {3U, 32U, 70U, 256U}) {
        SCOPED_TRACE(std::string(memory) + ", form " + std::to_string(static_cast<unsigned>(form)) + ", channels " +
                     std::to_string(channels));
        Conv2dArguments a{.height = 7, .width = 16, .channels = channels, .kernel_height = 3, .kernel_width = 2};
        a.output_channels = 40, a.stride_y = 2;
        a.form = form, a.window_inputs = 64, a.threshold = 2;
        check(a, memory);
        a.has_bias = false, a.stride_y = 1;
        check(a, memory);
      }
    }
  }
}

TEST(PimConv2d, SeveralCores) {
  Conv2dArguments a = same(14, 9, 32, 48);
  a.cores = 4;
  check(a);
  a = same(2, 11, 32, 48), a.cores = 5;
  check(a);
  a = same(6, 6, 64, 96), a.cores = 3, a.split = Split::outputs, a.first_core = 1;
  check(a);
}

}  // namespace
}  // namespace cox::tests::pim::conv2d_test
