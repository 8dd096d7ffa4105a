// SPDX-License-Identifier: MIT
#include "tests/kernels/pim/conv2d_problem.h"

#include <algorithm>
#include <cstring>

#include "coxswain/isa/numbers/csd.h"
#include "tests/kernels/pim/requantise.h"

namespace cox::tests::pim {

using kernels::pim::conv2d_output_side;
using kernels::pim::Conv2dArguments;
using kernels::pim::LayerShape;
using kernels::pim::Mapping;
using kernels::pim::ResultType;
using kernels::pim::WeightForm;

namespace {

template <typename Element>
std::vector<Element> elements(const std::byte *bytes, std::size_t count) {
  std::vector<Element> result(count);
  std::memcpy(result.data(), bytes, count * sizeof(Element));
  return result;
}

}  // namespace

void Conv2dProblem::fill(std::mt19937 &random) {
  Conv2dArguments &a = arguments;
  a.output_height = conv2d_output_side(a.height, a.pad_top, a.pad_bottom, a.kernel_height, a.dilation_y, a.stride_y);
  a.output_width = conv2d_output_side(a.width, a.pad_left, a.pad_right, a.kernel_width, a.dilation_x, a.stride_x);
  input = random_vector<std::int8_t>(random, std::size_t{a.height} * a.width * a.channels, -128, 127);
  weights = random_vector<std::int8_t>(random, std::size_t{a.output_channels} * a.kernel_height * a.kernel_width * (a.channels / a.groups),
                                       -128, 127);
  for (std::int8_t &weight : weights) weight = static_cast<std::int8_t>(weight >> (8 - a.weight_bits));
  biases = random_vector<std::int32_t>(random, a.output_channels, -100000, 100000);
  multipliers = random_vector<std::int32_t>(random, a.output_channels, 1 << 30, (std::int64_t{1} << 31) - 1);
  shifts = random_vector<std::int8_t>(random, a.output_channels, 8, 14);
}

kernels::pim::Weights Conv2dProblem::packed_weights() const {
  const Conv2dArguments &a = arguments;
  return {.values = weights,
          .output_stride = a.kernel_height * a.kernel_width * (a.channels / a.groups),
          .depthwise = kernels::pim::is_depthwise(a)};
}

std::vector<std::int32_t> Conv2dProblem::sums() const {
  const Conv2dArguments &a = arguments;
  const std::uint32_t group_inputs = a.channels / a.groups, group_outputs = a.output_channels / a.groups;
  std::vector<std::int32_t> sums;
  for (std::uint32_t y = 0; y < a.output_height; ++y) {
    for (std::uint32_t x = 0; x < a.output_width; ++x) {
      for (std::uint32_t o = 0; o < a.output_channels; ++o) {
        std::int64_t sum = a.has_bias ? biases[o] : 0;
        for (std::uint32_t ky = 0; ky < a.kernel_height; ++ky) {
          for (std::uint32_t kx = 0; kx < a.kernel_width; ++kx) {
            const std::int64_t iy = std::int64_t{y} * a.stride_y + ky * a.dilation_y - a.pad_top;
            const std::int64_t ix = std::int64_t{x} * a.stride_x + kx * a.dilation_x - a.pad_left;
            const bool is_inside = iy >= 0 && iy < a.height && ix >= 0 && ix < a.width;
            const std::size_t pixel = is_inside ? (static_cast<std::size_t>(iy) * a.width + static_cast<std::size_t>(ix)) * a.channels : 0;
            const std::int8_t *const weight = &weights[((std::size_t{o} * a.kernel_height + ky) * a.kernel_width + kx) * group_inputs];
            for (std::uint32_t c = 0; c < group_inputs; ++c)
              sum += (is_inside ? input[pixel + o / group_outputs * group_inputs + c] : a.pad_value) * weight[c];
          }
        }
        sums.push_back(static_cast<std::int32_t>(sum));
        if (a.relu) sums.back() = std::max(sums.back(), 0);
      }
    }
  }
  return sums;
}

std::vector<std::int8_t> Conv2dProblem::results() const {
  std::vector<std::int8_t> results;
  for (const std::int32_t sum : sums()) {
    const std::size_t channel = results.size() % arguments.output_channels;
    const std::int32_t scaled = multiplied(sum, multipliers[channel], shifts[channel]);
    results.push_back(static_cast<std::int8_t>(std::clamp(scaled + arguments.zero_point, -128, 127)));
  }
  return results;
}

void Conv2dProblem::make_sparse(const isa::pim::Configuration &configuration) {
  const Result<LayerShape> layer = conv2d_layer(arguments);
  ASSERT_TRUE(layer.ok()) << layer.status().what();
  if (arguments.form == WeightForm::value_sparse) {
    const Result<Mapping> mapping = choose_mapping(layer.value(), configuration);
    ASSERT_TRUE(mapping.ok()) << mapping.status().what();
    const Status status = prune_weights(layer.value(), mapping.value(), configuration, weights, packed_weights());
    ASSERT_TRUE(status.ok()) << status.what();
  }
  if (arguments.form == WeightForm::bit_sparse) {
    // 128 is no int8; only weights near 127 become it.
    const std::size_t filter = weights.size() / arguments.output_channels;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const unsigned threshold = arguments.thresholds.empty() ? arguments.threshold : arguments.thresholds[i / filter];
      weights[i] = static_cast<std::int8_t>(std::min(isa::numbers::nearest_weight(std::min<int>(weights[i], 95), threshold), 127));
    }
  }
}

std::uint64_t Conv2dProblem::expect_equal(Bench &bench) {
  if (input_memory != nullptr) {
    const auto local = bench.configuration.local_memories();
    arguments.input = local[bench.configuration.find_memory(input_memory)].first;
    arguments.output = local[bench.configuration.find_memory("output")].first;
  }
  const Result<LayerShape> layer = conv2d_layer(arguments);
  EXPECT_TRUE(layer.ok()) << layer.status().what();
  if (!layer) return 0;
  const Result<Mapping> mapping = choose_mapping(layer.value(), bench.configuration);
  EXPECT_TRUE(mapping.ok()) << mapping.status().what();
  return mapping ? expect_equal(bench, mapping.value()) : 0;
}

std::uint64_t Conv2dProblem::expect_equal(Bench &bench, const Mapping &mapping) {
  Conv2dArguments a = arguments;
  std::vector<std::byte> packed(mapping.bytes(bench.configuration.array));
  Status status = pack_weights(conv2d_layer(a).value(), mapping, bench.configuration, packed_weights(),
                               {.biases = biases, .multipliers = multipliers, .shifts = shifts}, packed);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
  a.weights = bench.put(packed);
  const std::size_t count = std::size_t{a.output_height} * a.output_width * a.output_channels;
  const std::byte *output = nullptr;
  if (input_memory != nullptr) {
    std::memcpy(bench.machine.memory(0, bench.configuration.find_memory(input_memory)).data(), input.data(), input.size());
    output = bench.machine.memory(0, bench.configuration.find_memory("output")).data();
  } else {
    a.input = bench.put(input);
    a.output = bench.allocate(count * 4);
    output = bench.at(a.output);
  }
  status = conv2d(bench.builder, a, mapping);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what() << " " << status.value() << " " << status.limit();
  if (!status.ok()) return 0;
  const std::uint64_t cycles = bench.run();
  if (a.output_type == ResultType::int8) {
    EXPECT_EQ(elements<std::int8_t>(output, count), results());
  } else {
    EXPECT_EQ(elements<std::int32_t>(output, count), sums());
  }
  return cycles;
}

Mapping side_by_side(Mapping mapping, const isa::pim::Array &array, std::span<const std::uint8_t> thresholds) {
  mapping.threshold = 1;
  mapping.seconds = kernels::pim::SecondColumns(thresholds);
  mapping.second_columns = mapping.seconds.most_columns(mapping.pass_outputs, mapping.outputs);
  mapping.slot_macros = (mapping.block_outputs + mapping.second_columns + array.line_bits() - 1) / array.line_bits();
  return mapping;
}

}  // namespace cox::tests::pim
