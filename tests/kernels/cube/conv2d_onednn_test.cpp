// SPDX-License-Identifier: MIT
// Compares conv2d() with oneDNN's FP32 convolution of the same numbers. The two add in different orders, so they round FP32 sums
// differently.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <dnnl.hpp>
#include <unordered_map>

#include "tests/kernels/cube/conv2d_problem.h"

namespace cox::tests {
namespace {

using isa::cube::OutputType;
using isa::cube::ScaleMode;
using isa::cube::Type;
using Tag = dnnl::memory::format_tag;
using Dim = dnnl::memory::dim;

class Onednn {
 public:
  Onednn() {
    omp_set_num_threads(1);
    (void)dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx2);
  }

  /// Computes the sums of a convolution in NHWC, with weights in OHWI.
  std::vector<float> convolve(const Conv2dArguments &a, std::vector<float> input, std::vector<float> weights) {
    const auto type = dnnl::memory::data_type::f32;
    const Dim groups = a.groups, inputs = a.channels / a.groups, outputs = a.output_channels / a.groups;
    const dnnl::memory::desc source({a.batch, a.channels, a.height, a.width}, type, Tag::nhwc);
    const dnnl::memory::desc matrix({groups, outputs, inputs, a.kernel_height, a.kernel_width}, type, Tag::gohwi);
    const dnnl::memory::desc result({a.batch, a.output_channels, a.output_height, a.output_width}, type, Tag::nhwc);
    std::vector<float> output(std::size_t{a.batch} * a.output_height * a.output_width * a.output_channels);
    const dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source,
                                                      matrix, result, {a.stride_y, a.stride_x}, {a.dilation_y - 1, a.dilation_x - 1},
                                                      {a.pad_top, a.pad_left}, {a.pad_bottom, a.pad_right});
    const dnnl::convolution_forward::primitive_desc primitive(description, engine_);
    dnnl::convolution_forward(primitive).execute(stream_, {{DNNL_ARG_SRC, {source, engine_, input.data()}},
                                                           {DNNL_ARG_WEIGHTS, {matrix, engine_, weights.data()}},
                                                           {DNNL_ARG_DST, {result, engine_, output.data()}}});
    stream_.wait();
    return output;
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

std::vector<float> floats(const std::vector<double> &values) { return {values.begin(), values.end()}; }
std::vector<float> magnitudes(std::vector<float> values) {
  for (float &value : values) value = std::fabs(value);
  return values;
}

TEST(Conv2dBesideOnednn, RandomProblems) {
  Onednn onednn;
  std::mt19937 random(21);
  const auto number = [&](std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < 250; ++i) {
    Conv2dArguments a;
    a.type = static_cast<Type>(number(0, 3));
    a.output_type = a.type == Type::int8 ? OutputType::int32 : static_cast<OutputType>(number(0, 2));
    a.batch = number(1, 2);
    a.groups = number(0, 2) == 0 ? number(2, 3) : 1;
    a.channels = a.groups * number(1, 36);
    a.output_channels = a.groups * number(1, 36);
    a.kernel_height = number(1, 3);
    a.kernel_width = number(1, 3);
    a.dilation_y = number(1, 2);
    a.dilation_x = number(1, 2);
    a.height = number(5, 14);
    a.width = number(5, 14);
    a.stride_y = number(1, 3);
    a.stride_x = number(1, 3);
    a.pad_top = number(0, 2);
    a.pad_left = number(0, 2);
    a.pad_bottom = number(0, 2);
    a.pad_right = number(0, 2);
    a.bias = number(0, 1);
    a.residual = a.type == Type::int8 ? 0 : number(0, 1);
    a.scale_mode = a.type == Type::int8 ? ScaleMode::none : static_cast<ScaleMode>(number(0, 2));
    a.scale = 0.5F;
    Conv2dProblem problem(a, random);
    problem.run();
    // FP32 holds the INT8 sums exactly: 324 products of at most 2^14 are less than 2^24.
    const std::vector<float> input = floats(problem.input_values()), weights = floats(problem.weight_values());
    const std::vector<float> sums = onednn.convolve(problem.arguments, input, weights);
    const std::vector<float> sizes = onednn.convolve(problem.arguments, magnitudes(input), magnitudes(weights));
    const double depth = a.kernel_height * a.kernel_width * (a.channels / a.groups);
    problem.expect_output_of({{sums.begin(), sums.end()}, {sizes.begin(), sizes.end()}},
                             a.type == Type::int8 ? 0 : std::ldexp(2 * depth, -24));
    ASSERT_FALSE(HasFailure()) << "problem " << i;
  }
}

}  // namespace
}  // namespace cox::tests
