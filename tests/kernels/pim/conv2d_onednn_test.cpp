// SPDX-License-Identifier: MIT
// Compares conv2d() with oneDNN's FP32 convolution of the same numbers. Sums below 2^24 are exact in FP32.
#include <gtest/gtest.h>
#include <omp.h>

#include <dnnl.hpp>
#include <unordered_map>

#include "tests/kernels/pim/conv2d_problem.h"

namespace cox::tests::pim::conv2d_onednn_test {
namespace {

using kernels::pim::Conv2dArguments;
using kernels::pim::LayerShape;
using kernels::pim::Mapping;
using kernels::pim::ResultType;
using Tag = dnnl::memory::format_tag;
using Dim = dnnl::memory::dim;

std::vector<std::int32_t> convolve(const Conv2dProblem &problem) {
  const Conv2dArguments &a = problem.arguments;
  const auto type = dnnl::memory::data_type::f32;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  std::vector<float> input(problem.input.begin(), problem.input.end()), weights(problem.weights.begin(), problem.weights.end());
  std::vector<float> output(std::size_t{a.output_height} * a.output_width * a.output_channels);
  const Dim groups = a.groups, inputs = a.channels / a.groups, outputs = a.output_channels / a.groups;
  const dnnl::memory::desc source({1, a.channels, a.height, a.width}, type, Tag::nhwc);
  const dnnl::memory::desc matrix({groups, outputs, inputs, a.kernel_height, a.kernel_width}, type, Tag::gohwi);
  const dnnl::memory::desc result({1, a.output_channels, a.output_height, a.output_width}, type, Tag::nhwc);
  const dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source, matrix,
                                                    result, {a.stride_y, a.stride_x}, {a.dilation_y - 1, a.dilation_x - 1},
                                                    {a.pad_top, a.pad_left}, {a.pad_bottom, a.pad_right});
  const dnnl::convolution_forward::primitive_desc primitive(description, engine);
  dnnl::convolution_forward(primitive).execute(stream, {{DNNL_ARG_SRC, {source, engine, input.data()}},
                                                        {DNNL_ARG_WEIGHTS, {matrix, engine, weights.data()}},
                                                        {DNNL_ARG_DST, {result, engine, output.data()}}});
  stream.wait();
  return {output.begin(), output.end()};
}

TEST(PimConv2dBesideOnednn, RandomProblems) {
  omp_set_num_threads(1);
  std::mt19937 random(7);
  const auto number = [&](std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < 40; ++i) {
    Conv2dProblem problem;
    Conv2dArguments &a = problem.arguments;
    a.height = number(1, 14), a.width = number(1, 14);
    a.groups = i % 4 == 0 ? number(1, 4) : 1;
    a.channels = a.groups * number(1, 40), a.output_channels = a.groups * number(1, 40);
    if (i % 8 == 4) a.groups = a.output_channels = a.channels;
    a.kernel_height = number(1, 4), a.kernel_width = number(1, 4);
    a.stride_y = number(1, 3), a.stride_x = number(1, 3), a.dilation_y = number(1, 2), a.dilation_x = number(1, 2);
    a.pad_top = number(3, 6), a.pad_left = number(3, 6), a.pad_bottom = number(3, 6), a.pad_right = number(3, 6);
    a.output_type = ResultType::int32, a.has_bias = false;
    a.cores = number(1, 3);
    problem.fill(random);
    Bench bench(a.cores);
    const LayerShape layer = conv2d_layer(a).value();
    const Mapping mapping = choose_mapping(layer, bench.configuration).value();
    std::vector<std::byte> packed(mapping.bytes(bench.configuration.array));
    ASSERT_TRUE(pack_weights(layer, mapping, bench.configuration, problem.packed_weights(), {}, packed).ok());
    a.weights = bench.put(packed), a.input = bench.put(problem.input);
    const std::size_t count = std::size_t{a.output_height} * a.output_width * a.output_channels;
    a.output = bench.allocate(count * 4);
    const Status status = conv2d(bench.builder, a, mapping);
    ASSERT_TRUE(status.ok()) << status.what();
    bench.run();
    EXPECT_EQ(bench.get<std::int32_t>(a.output, count), convolve(problem)) << i;
  }
}

}  // namespace
}  // namespace cox::tests::pim::conv2d_onednn_test
