// SPDX-License-Identifier: MIT
// Compares kernels with oneDNN in FP32 on the values of the same blocks. The tolerance is the format's rounding bound plus a bound for FP32
// sums, which oneDNN adds in a different order.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <dnnl.hpp>
#include <random>
#include <vector>

#include "coxswain/kernels/mx/conv_act.h"
#include "coxswain/kernels/mx/eladd.h"
#include "coxswain/kernels/mx/elmul.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "coxswain/kernels/mx/pack_weights.h"
#include "coxswain/kernels/mx/pool.h"
#include "coxswain/kernels/mx/sigmoid.h"
#include "coxswain/kernels/mx/softmax.h"
#include "tests/kernels/mx/dram.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::kBlockElements;
using tests::Dram;
using Tag = dnnl::memory::format_tag;
using Dims = dnnl::memory::dims;
using Dim = dnnl::memory::dim;

constexpr auto kType = dnnl::memory::data_type::f32;
constexpr int kShapes = 200;

/// Tensors in oneDNN's form: [1][channel][row][column], in FP32.
class Onednn {
 public:
  /// The shapes are small and tests run side by side, so threads would only wait for each other.
  Onednn() { omp_set_num_threads(1); }

  dnnl::memory memory(const Dims &dims, Tag tag, std::vector<float> &values) { return {{dims, kType, tag}, engine_, values.data()}; }
  template <typename Primitive, typename Description>
  void run(const Description &description, const std::unordered_map<int, dnnl::memory> &memories,
           const dnnl::primitive_attr &attributes = {}) {
    const typename Primitive::primitive_desc primitive(description, attributes, engine_);
    Primitive(primitive).execute(stream_, memories);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

Dims dims_of(const Tensor &tensor) { return {1, tensor.channels, tensor.height, tensor.width}; }

std::vector<float> planes_of(const Dram &dram, const Tensor &tensor) {
  std::vector<float> planes(tensor.channels * tensor.plane());
  EXPECT_TRUE(mx9_unpack_planes(dram.blocks(tensor), tensor.channels, tensor.plane(), planes).ok());
  return planes;
}

/// Blocks of numbers of similar magnitude, so that the order of sums makes little difference.
void fill(std::span<isa::mx::Block> blocks, std::mt19937 &random) {
  std::normal_distribution<float> normal;
  for (isa::mx::Block &block : blocks) {
    std::array<float, kBlockElements> values{};
    for (float &value : values) value = normal(random);
    block = isa::mx::quantise(values);
  }
}

/// `reassociation`: largest difference between two FP32 sums of the same numbers that are added in different orders.
void expect_near(const Dram &dram, const Tensor &tensor, const std::vector<float> &expected, double reassociation, const char *what) {
  const std::span<isa::mx::Block> blocks = dram.blocks(tensor);
  const std::size_t plane = tensor.plane();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::array<float, kBlockElements> actual = tests::values_of(blocks[i]);
    const std::size_t first = i / plane * kBlockElements;
    std::array<double, kBlockElements> numbers{};
    const std::size_t channels = std::min<std::size_t>(kBlockElements, tensor.channels - first);
    for (std::size_t k = 0; k < channels; ++k) numbers[k] = expected[(first + k) * plane + i % plane];
    for (unsigned k = 0; k < channels; ++k) {
      // The bound is doubled: near a power of two, the kernel may quantise with twice the unit that format_bound() assumes.
      const double bound = 2 * tests::format_bound(numbers, k) + reassociation;
      ASSERT_NEAR(actual[k], numbers[k], bound) << what << ", block " << i << ", element " << k;
    }
  }
}

/// Returns the values of the packed weights. A block has 16 input channels of one output channel and position.
std::vector<float> quantised(const WeightShape &shape, const std::vector<float> &weights) {
  std::vector<float> result(weights.size());
  const std::size_t positions = std::size_t{shape.kernel} * shape.kernel;
  for (std::size_t output = 0; output < shape.output_channels; ++output) {
    for (std::size_t position = 0; position < positions; ++position) {
      const auto at = [&](std::size_t channel) { return (output * shape.input_channels + channel) * positions + position; };
      for (std::size_t channel = 0; channel < shape.input_channels; channel += kBlockElements) {
        const std::size_t count = std::min<std::size_t>(kBlockElements, shape.input_channels - channel);
        std::array<float, kBlockElements> values{};
        for (std::size_t k = 0; k < count; ++k) values[k] = weights[at(channel + k)];
        values = tests::values_of(isa::mx::quantise(values));
        for (std::size_t k = 0; k < count; ++k) result[at(channel + k)] = values[k];
      }
    }
  }
  return result;
}

dnnl::primitive_attr attributes_of(Activation activation) {
  dnnl::primitive_attr attributes;
  if (activation == Activation::None) return attributes;
  dnnl::post_ops operations;
  const bool silu = activation == Activation::SiLU;
  operations.append_eltwise(1.0F, silu ? dnnl::algorithm::eltwise_swish : dnnl::algorithm::eltwise_relu, silu ? 1.0F : 0.0F, 0.0F);
  attributes.set_post_ops(operations);
  return attributes;
}

TEST(BesideOnednn, ConvActOfRandomShapes) {
  Dram dram(1U << 20);
  Onednn onednn;
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  const auto number = [&](std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < kShapes; ++i) {
    dram.clear();
    ConvActArguments call;
    const WeightShape shape{2 * number(0, 1) + 1, number(1, 50), number(1, 50)};
    call.kernel = shape.kernel;
    call.stride = number(1, 2);
    call.padding = number(0, 3);
    call.activation = static_cast<Activation>(number(0, 2));
    call.input = dram.tensor(shape.input_channels, number(3, 12), number(3, 12));
    const auto side = [&](std::uint32_t input) { return isa::mx::output_side(input, call.kernel, call.stride, call.padding); };
    call.output = dram.tensor(shape.output_channels, side(call.input.height), side(call.input.width));
    fill(dram.blocks(call.input), random);
    const Dim kernel = shape.kernel;
    std::vector<float> weights(std::size_t{shape.output_channels} * shape.input_channels * shape.kernel * shape.kernel);
    std::vector<float> biases(shape.output_channels);
    for (float &weight : weights) weight = normal(random) / static_cast<float>(shape.kernel);
    for (float &bias : biases) bias = normal(random);
    const Scratch packed = dram.scratch(packed_weights_bytes(shape).value());
    call.weights = packed.address;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the test's bus addresses are pointers
    const std::span memory(reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(packed.address)),
                           static_cast<std::size_t>(packed.bytes));
    ASSERT_TRUE(pack_weights(shape, weights, biases, memory).ok());
    call.scratch = dram.scratch(conv_act_scratch_bytes(call).value());
    ASSERT_TRUE(conv_act(dram.stream(), call).ok());
    dram.run();

    std::vector<float> input = planes_of(dram, call.input), values = quantised(shape, weights);
    std::vector<float> expected(call.output.channels * call.output.plane());
    const Dims weight_dims{shape.output_channels, shape.input_channels, kernel, kernel}, bias_dims{shape.output_channels};
    const Dims stride{call.stride, call.stride}, padding{call.padding, call.padding};
    const dnnl::convolution_forward::desc description(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, {dims_of(call.input), kType, Tag::nchw},
        {weight_dims, kType, Tag::oihw}, {bias_dims, kType, Tag::x}, {dims_of(call.output), kType, Tag::nchw}, stride, padding, padding);
    onednn.run<dnnl::convolution_forward>(description,
                                          {{DNNL_ARG_SRC, onednn.memory(dims_of(call.input), Tag::nchw, input)},
                                           {DNNL_ARG_WEIGHTS, onednn.memory(weight_dims, Tag::oihw, values)},
                                           {DNNL_ARG_BIAS, onednn.memory(bias_dims, Tag::x, biases)},
                                           {DNNL_ARG_DST, onednn.memory(dims_of(call.output), Tag::nchw, expected)}},
                                          attributes_of(call.activation));
    // A sum has at most 450 products of numbers of about 1. Each addition is rounded by at most 2^-24 of the partial sum.
    ASSERT_NO_FATAL_FAILURE(expect_near(dram, call.output, expected, 1e-4, "conv_act")) << "shape " << i;
  }
}

TEST(BesideOnednn, PoolOfRandomShapes) {
  Dram dram(1U << 20);
  Onednn onednn;
  std::mt19937 random(12);
  const auto number = [&](std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < kShapes; ++i) {
    dram.clear();
    PoolArguments call;
    call.mode = static_cast<PoolMode>(number(0, 1));
    call.kernel = number(2, 13);
    call.stride = number(1, 3);
    // oneDNN refuses windows of which more than half is padding.
    call.padding = number(0, std::min(call.kernel / 2, 7U));
    // The channels fill whole blocks. In a partial block, the unused elements would be random. A large one would raise the exponent that
    // all elements of the block share, which makes their rounding coarser.
    call.input = dram.tensor(16 * number(1, 3), number(call.kernel, 20), number(call.kernel, 20));
    const auto side = [&](std::uint32_t input) { return isa::mx::output_side(input, call.kernel, call.stride, call.padding); };
    call.output = dram.tensor(call.input.channels, side(call.input.height), side(call.input.width));
    fill(dram.blocks(call.input), random);
    ASSERT_TRUE(pool(dram.stream(), call).ok());
    dram.run();

    std::vector<float> input = planes_of(dram, call.input), expected(call.output.channels * call.output.plane());
    const auto algorithm = call.mode == PoolMode::Average ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_max;
    const Dims stride{call.stride, call.stride}, kernel{call.kernel, call.kernel}, padding{call.padding, call.padding};
    const dnnl::pooling_forward::desc description(dnnl::prop_kind::forward_inference, algorithm, {dims_of(call.input), kType, Tag::nchw},
                                                  {dims_of(call.output), kType, Tag::nchw}, stride, kernel, padding, padding);
    onednn.run<dnnl::pooling_forward>(description, {{DNNL_ARG_SRC, onednn.memory(dims_of(call.input), Tag::nchw, input)},
                                                    {DNNL_ARG_DST, onednn.memory(dims_of(call.output), Tag::nchw, expected)}});
    ASSERT_NO_FATAL_FAILURE(expect_near(dram, call.output, expected, 1e-5, "pool")) << "shape " << i;
  }
}

TEST(BesideOnednn, ElementwiseOfRandomShapes) {
  Dram dram(1U << 20);
  Onednn onednn;
  std::mt19937 random(13);
  const auto number = [&](std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < kShapes; ++i) {
    for (const int function : {0, 1, 2, 3}) {
      dram.clear();
      const Tensor input1 = dram.tensor(16 * number(1, 4), number(1, 9), number(1, 9));
      const Tensor input2 = dram.tensor(input1.channels, input1.height, input1.width);
      const Tensor output = dram.tensor(input1.channels, input1.height, input1.width);
      fill(dram.blocks(input1), random);
      fill(dram.blocks(input2), random);
      std::vector<float> values1 = planes_of(dram, input1), values2 = planes_of(dram, input2), expected(values1.size());
      // The MX engine takes the softmax of each block of 16 channels. For oneDNN these blocks are the first dimension.
      const auto groups = static_cast<Dim>(input1.blocks());
      const Dims dims = {groups, kBlockElements, input1.height, input1.width};
      const dnnl::memory::desc shape(dims, kType, Tag::nchw);
      std::unordered_map<int, dnnl::memory> memories{{DNNL_ARG_SRC_0, onednn.memory(dims, Tag::nchw, values1)},
                                                     {DNNL_ARG_DST, onednn.memory(dims, Tag::nchw, expected)}};
      Status status;
      if (function < 2) {
        status = function == 0 ? eladd(dram.stream(), input1, input2, output) : elmul(dram.stream(), input1, input2, output);
        const auto algorithm = function == 0 ? dnnl::algorithm::binary_add : dnnl::algorithm::binary_mul;
        memories[DNNL_ARG_SRC_1] = onednn.memory(dims, Tag::nchw, values2);
        onednn.run<dnnl::binary>(dnnl::binary::desc(algorithm, shape, shape, shape), memories);
      } else if (function == 2) {
        status = sigmoid(dram.stream(), input1, output);
        const dnnl::eltwise_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_logistic, shape);
        onednn.run<dnnl::eltwise_forward>(description, memories);
      } else {
        status = softmax(dram.stream(), input1, output);
        onednn.run<dnnl::softmax_forward>(dnnl::softmax_forward::desc(dnnl::prop_kind::forward_inference, shape, 1), memories);
      }
      ASSERT_TRUE(status.ok()) << status.what();
      dram.run();
      ASSERT_NO_FATAL_FAILURE(expect_near(dram, output, expected, 1e-6, "element-wise")) << "shape " << i << ", function " << function;
    }
  }
}

}  // namespace
}  // namespace cox::kernels::mx
