// SPDX-License-Identifier: MIT
// Convolutions of random odd shapes: dense and value-sparse kernels give the same numbers for the same pruned weights, and bit-sparse
// kernels give those of the projected weights, in both orders of the array. The judge adds up each input's products by plain loops, and
// projects weights by trying all canonical digits. The arrays are the default one and others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

#include "tests/kernels/pim/conv2d_problem.h"

namespace cox::tests::pim::sparsity_test {
namespace {

using isa::pim::Configuration;
using kernels::pim::Conv2dArguments;
using kernels::pim::LayerShape;
using kernels::pim::Mapping;
using kernels::pim::ResultType;
using kernels::pim::WeightForm;

std::uint32_t between(std::mt19937 &random, std::uint32_t first, std::uint32_t last) {
  return first + static_cast<std::uint32_t>(random() % (last - first + 1));
}

Conv2dArguments random_layer(std::mt19937 &random) {
  Conv2dArguments a;
  a.height = between(random, 3, 8), a.width = between(random, 3, 9);
  a.channels = between(random, 1, 140), a.output_channels = between(random, 1, 70);
  a.kernel_height = between(random, 1, 3), a.kernel_width = between(random, 1, 3);
  a.stride_y = between(random, 1, 2), a.stride_x = between(random, 1, 2);
  a.pad_top = between(random, 0, 1), a.pad_bottom = between(random, 0, 1), a.pad_left = between(random, 0, 1),
  a.pad_right = between(random, 0, 1);
  a.pad_value = static_cast<std::int32_t>(between(random, 0, 20)) - 10;
  a.output_type = ResultType::int32;
  a.has_bias = random() % 2 == 0;
  return a;
}

/// Each input of the padded map adds its products to the results that it reaches.
std::vector<std::int32_t> convolve(const Conv2dProblem &problem, const std::vector<int> &weights) {
  const Conv2dArguments &a = problem.arguments;
  std::vector<std::int64_t> sums(std::size_t{a.output_height} * a.output_width * a.output_channels);
  for (std::uint32_t y = 0; y < a.height + a.pad_top + a.pad_bottom; ++y) {
    for (std::uint32_t x = 0; x < a.width + a.pad_left + a.pad_right; ++x) {
      const bool inside = y >= a.pad_top && y < a.pad_top + a.height && x >= a.pad_left && x < a.pad_left + a.width;
      for (std::uint32_t ky = 0; ky < a.kernel_height && ky <= y; ++ky) {
        for (std::uint32_t kx = 0; kx < a.kernel_width && kx <= x; ++kx) {
          const std::uint32_t row = (y - ky) / a.stride_y, column = (x - kx) / a.stride_x;
          if ((y - ky) % a.stride_y != 0 || (x - kx) % a.stride_x != 0 || row >= a.output_height || column >= a.output_width) continue;
          for (std::uint32_t c = 0; c < a.channels; ++c) {
            const std::int64_t input = inside ? problem.input[((y - a.pad_top) * a.width + x - a.pad_left) * a.channels + c] : a.pad_value;
            for (std::uint32_t o = 0; o < a.output_channels; ++o)
              sums[(row * a.output_width + column) * a.output_channels + o] +=
                  input * weights[((o * a.kernel_height + ky) * a.kernel_width + kx) * a.channels + c];
          }
        }
      }
    }
  }
  std::vector<std::int32_t> results;
  for (std::size_t i = 0; i < sums.size(); ++i)
    results.push_back(static_cast<std::int32_t>(sums[i] + (a.has_bias ? problem.biases[i % a.output_channels] : 0)));
  return results;
}

std::vector<std::int32_t> run(const Conv2dProblem &problem, const Mapping &mapping, const Configuration &configuration) {
  Conv2dArguments a = problem.arguments;
  Bench bench(1, 24U << 20, 1U << 20, configuration);
  std::vector<std::byte> packed(mapping.bytes(configuration.array));
  Status status = pack_weights(conv2d_layer(a).value(), mapping, configuration, problem.packed_weights(),
                               {.biases = problem.biases, .multipliers = problem.multipliers, .shifts = problem.shifts}, packed);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
  a.weights = bench.put(packed);
  a.input = bench.put(problem.input);
  const std::size_t count = std::size_t{a.output_height} * a.output_width * a.output_channels;
  a.output = bench.allocate(count * 4);
  status = conv2d(bench.builder, a, mapping);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
  if (!status.ok()) return {};
  bench.run();
  return bench.get<std::int32_t>(a.output, count);
}

/// Arrays of several sizes, in both orders. `number` is any number.
Configuration configuration_of(unsigned number) {
  struct Size {
    std::uint32_t macros, compartments, elements, rows;
    std::vector<std::uint32_t> groups;
  };
  const Size sizes[] = {{256, 32, 8, 16, {16, 8, 32, 64, 128, 256}},
                        {64, 32, 8, 72, {4, 8, 16, 32, 64}},
                        {96, 16, 4, 40, {24, 96, 8}},
                        {40, 64, 16, 25, {10, 20, 40}},
                        {256, 32, 8, 9, {32, 256}}};
  const Size &size = sizes[number / 2 % std::size(sizes)];
  Configuration configuration = isa::pim::default_configuration();
  isa::pim::Array &array = configuration.array;
  array.order = number % 2 != 0 ? isa::pim::ArrayOrder::inside_group : isa::pim::ArrayOrder::between_groups;
  array.macros = size.macros, array.compartments = size.compartments, array.elements = size.elements, array.rows = size.rows;
  array.group_sizes_count = static_cast<unsigned>(size.groups.size());
  std::copy(size.groups.begin(), size.groups.end(), array.group_sizes.begin());
  // The array may be larger than the default one.
  for (unsigned i = 0; i < configuration.memories_count; ++i) configuration.memories[i].first = (i + 2) << 20;
  EXPECT_TRUE(check(configuration).ok());
  return configuration;
}

TEST(PimLayers, ArePrunedToTheSameNumbersDenseAndSparse) {
  std::mt19937 random(7);
  for (unsigned layer = 0; layer < 20; ++layer) {
    SCOPED_TRACE("layer " + std::to_string(layer));
    const Configuration configuration = configuration_of(layer);
    Conv2dProblem problem;
    problem.arguments = random_layer(random);
    problem.arguments.form = WeightForm::value_sparse;
    problem.arguments.window_inputs = between(random, configuration.array.compartments + 1, 128);
    problem.fill(random);
    const Result<Mapping> sparse = choose_mapping(conv2d_layer(problem.arguments).value(), configuration);
    ASSERT_TRUE(sparse.ok()) << sparse.status().what();
    ASSERT_TRUE(
        prune_weights(conv2d_layer(problem.arguments).value(), sparse.value(), configuration, problem.weights, problem.packed_weights())
            .ok());
    const std::vector<std::int32_t> expected = convolve(problem, {problem.weights.begin(), problem.weights.end()});
    ASSERT_EQ(run(problem, sparse.value(), configuration), expected);

    problem.arguments.form = WeightForm::dense;
    problem.arguments.window_inputs = 0;
    const Result<Mapping> dense = choose_mapping(conv2d_layer(problem.arguments).value(), configuration);
    ASSERT_TRUE(dense.ok()) << dense.status().what();
    ASSERT_EQ(run(problem, dense.value(), configuration), expected);
  }
}

/// The number nearest to a weight that has at most `threshold` pairs of canonical digits other than 0; of two the smaller magnitude. One
/// column cannot hold 0, so 0 becomes 1.
int projected(int weight, unsigned threshold) {
  if (weight == 0) return threshold == 1 ? 1 : 0;
  int best = 1000;
  for (unsigned string = 0; string < 6561; ++string) {
    int digits[8], value = 0;
    unsigned rest = string, pairs = 0;
    bool canonical = true;
    for (unsigned i = 0; i < 8; ++i, rest /= 3) {
      digits[i] = static_cast<int>(rest % 3) - 1;
      value += digits[i] * (1 << i);
      if (i > 0 && digits[i] != 0 && digits[i - 1] != 0) canonical = false;
      if (i % 2 == 1 && (digits[i] != 0 || digits[i - 1] != 0)) ++pairs;
    }
    if (!canonical || pairs > threshold || (value == 0 && threshold == 1)) continue;
    const int change = std::abs(value - weight), least = std::abs(best - weight);
    if (change < least || (change == least && std::abs(value) < std::abs(best))) best = value;
  }
  return best;
}

TEST(PimLayers, AreProjectedToOneAndTwoColumns) {
  std::mt19937 random(8);
  for (const unsigned threshold : {1U, 2U}) {
    std::vector<int> near;
    for (int weight = -128; weight <= 127; ++weight) near.push_back(projected(weight, threshold));
    for (unsigned layer = 0; layer < 20; ++layer) {
      SCOPED_TRACE("threshold " + std::to_string(threshold) + ", layer " + std::to_string(layer));
      const Configuration configuration = configuration_of(layer);
      Conv2dProblem problem;
      problem.arguments = random_layer(random);
      problem.arguments.form = WeightForm::bit_sparse;
      problem.arguments.threshold = threshold;
      problem.fill(random);
      // A share of the weights is 0, as in networks.
      for (std::int8_t &weight : problem.weights) weight = random() % 4 == 0 ? std::int8_t{0} : weight;
      std::vector<int> weights;
      for (const std::int8_t weight : problem.weights) weights.push_back(near[static_cast<unsigned>(weight + 128)]);
      const Result<Mapping> mapping = choose_mapping(conv2d_layer(problem.arguments).value(), configuration);
      ASSERT_TRUE(mapping.ok()) << mapping.status().what();
      ASSERT_EQ(run(problem, mapping.value(), configuration), convolve(problem, weights));
    }
  }
}

/// Thresholds of the filters of a layer, in several patterns.
std::vector<std::uint8_t> random_thresholds(std::mt19937 &random, unsigned pattern, std::uint32_t filters) {
  std::vector<std::uint8_t> thresholds(filters, 1);
  const std::uint32_t run = between(random, 1, filters), single = between(random, 0, filters - 1);
  for (std::uint32_t i = 0; i < filters; ++i) {
    bool two = true;                           // all
    if (pattern == 1) two = false;             // none
    if (pattern == 2) two = i == single;       // one
    if (pattern == 3) two = i != single;       // all but one
    if (pattern == 4) two = i % 2 == 0;        // every other one
    if (pattern == 5) two = i / run % 2 == 0;  // runs
    if (pattern == 6) two = i % 20 == 3;       // more runs than a mapping holds, if there are many filters
    if (pattern == 7) two = random() % 3 == 0;
    thresholds[i] = two ? 2 : 1;
  }
  return thresholds;
}

TEST(PimLayers, HaveFiltersOfBothThresholds) {
  std::mt19937 random(9);
  std::vector<std::vector<int>> near;
  for (unsigned threshold = 0; threshold <= 2; ++threshold) {
    near.emplace_back();
    for (int weight = -128; weight <= 127; ++weight) near[threshold].push_back(threshold == 0 ? 0 : projected(weight, threshold));
  }
  for (unsigned layer = 0; layer < 40; ++layer) {
    SCOPED_TRACE("layer " + std::to_string(layer));
    const Configuration configuration = configuration_of(layer / 8);
    Conv2dProblem problem;
    Conv2dArguments &a = problem.arguments;
    a = random_layer(random);
    if (layer % 3 == 0) a.output_channels = between(random, 71, 400);
    if (layer % 8 == 6) a.output_channels = between(random, 401, 500);
    a.form = WeightForm::bit_sparse;
    a.relu = random() % 4 == 0;
    const std::vector<std::uint8_t> thresholds = random_thresholds(random, layer % 8, a.output_channels);
    a.thresholds = thresholds;
    problem.fill(random);
    for (std::int8_t &weight : problem.weights) weight = random() % 4 == 0 ? std::int8_t{0} : weight;
    std::vector<int> weights;
    const std::size_t filter = problem.weights.size() / a.output_channels;
    for (std::size_t i = 0; i < problem.weights.size(); ++i)
      weights.push_back(near[thresholds[i / filter]][static_cast<unsigned>(problem.weights[i] + 128)]);
    const Result<Mapping> mapping = choose_mapping(conv2d_layer(a).value(), configuration);
    ASSERT_TRUE(mapping.ok()) << mapping.status().what();
    std::vector<std::int32_t> expected = convolve(problem, weights);
    for (std::int32_t &sum : expected) sum = a.relu ? std::max(sum, 0) : sum;
    ASSERT_EQ(run(problem, mapping.value(), configuration), expected);
    ASSERT_EQ(run(problem, side_by_side(mapping.value(), configuration.array, thresholds), configuration), expected);
  }
}

TEST(PimThresholds, AreTheLeastBelowABound) {
  LayerShape shape;
  shape.form = WeightForm::bit_sparse, shape.run_inputs = 4, shape.outputs = 3;
  // One column holds 64, -1, 8, 2; two columns hold 96, 0, 7, 3; 91 is 64 + 32 - 4 - 1, of which two columns hold 92 as 128 - 32 - 4.
  const std::vector<std::int8_t> weights = {64, -1, 8, 2, 96, 0, 7, 3, 91, 1, 1, 1};
  std::vector<std::uint8_t> thresholds(3);
  const kernels::pim::Weights layer{.values = weights, .output_stride = 4};
  auto error = choose_thresholds(shape, layer, 0, thresholds);
  EXPECT_EQ(error.status().code(), ErrorCode::field_out_of_range);
  EXPECT_EQ(error.status().index(), 2);
  error = choose_thresholds(shape, layer, 64 << 16, thresholds);
  ASSERT_TRUE(error.ok());
  EXPECT_EQ(thresholds, (std::vector<std::uint8_t>{1, 2, 2}));
  std::uint64_t squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const int change = projected(weights[i], thresholds[i / 4]) - weights[i];
    squares += static_cast<std::uint64_t>(change * change);
  }
  EXPECT_EQ(error.value().squares, squares);
  EXPECT_EQ(error.value().weights, 12U);
  EXPECT_EQ(choose_thresholds(shape, layer, 1, std::span(thresholds).first(2)).status().code(), ErrorCode::shape_mismatch);
  shape.run_inputs = 5;
  EXPECT_EQ(choose_thresholds(shape, layer, 1, thresholds).status().code(), ErrorCode::shape_mismatch);
}

TEST(PimThresholds, AreChecked) {
  const Configuration configuration = isa::pim::default_configuration();
  LayerShape shape;
  shape.form = WeightForm::bit_sparse, shape.run_inputs = 4, shape.outputs = 3;
  std::vector<std::uint8_t> thresholds = {1, 2, 1};
  shape.thresholds = thresholds;
  EXPECT_TRUE(choose_mapping(shape, configuration).ok());
  thresholds[1] = 3;
  Status status = choose_mapping(shape, configuration).status();
  EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(status.what(), "thresholds");
  EXPECT_EQ(status.index(), 1);
  thresholds[1] = 0;
  EXPECT_EQ(choose_mapping(shape, configuration).status().code(), ErrorCode::invalid_argument);
  shape.thresholds = shape.thresholds.first(2);
  status = choose_mapping(shape, configuration).status();
  EXPECT_EQ(status.code(), ErrorCode::shape_mismatch);
  EXPECT_STREQ(status.what(), "thresholds");
}

}  // namespace
}  // namespace cox::tests::pim::sparsity_test
