// SPDX-License-Identifier: MIT
// Operators of many shapes, each as a model of its own, beside the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "coxswain/kernels/unity/elementwise.h"
#include "tests/kernels/unity/network.h"
#include "tests/kernels/unity/unity_bench.h"
#include "tests/tflite/reference/operators.h"

namespace cox::tests::unity::operators_test {
namespace {

using tflite_models::ElementType;
using tflite_models::ModelParts;
using tflite_models::OperatorCode;
using tflite_models::Options;
using Type = tflite_models::schema::BuiltinOptions;
using Shape = std::vector<std::int32_t>;
namespace schema = tflite_models::schema;

constexpr std::int8_t kSame = 0, kValid = 1;
constexpr std::int8_t kNone = 0, kRelu6 = 3;
constexpr float kInputScale = 0.05F, kOutputScale = 0.1F;

template <typename Create, typename... Arguments>
Options options_of(const Create &create, Arguments... arguments) {
  return [=](flatbuffers::FlatBufferBuilder &builder) { return create(builder, arguments...).Union(); };
}

/// A model with one operator.
struct Single {
  ModelParts parts;
  std::mt19937 random{3};

  std::int32_t number(std::int32_t least, std::int32_t most) { return std::uniform_int_distribution(least, most)(random); }
  std::int32_t input(const Shape &shape, std::int64_t zero = -9, float scale = kInputScale) {
    parts.inputs.push_back(parts.tensor(shape, scale, zero));
    return parts.inputs.back();
  }
  std::int32_t output(const Shape &shape, std::int64_t zero = 5, float scale = kOutputScale) {
    parts.outputs.push_back(parts.tensor(shape, scale, zero));
    return parts.outputs.back();
  }
  std::int32_t words(const std::vector<std::int32_t> &values) {
    return parts.constant<std::int32_t>({static_cast<std::int32_t>(values.size())}, values, ElementType::int32);
  }
  /// Random weights whose products of `depth` terms fill the output's range. One scale for each index of `dimension`; -1: one scale.
  std::int32_t weights(const Shape &shape, std::int32_t dimension, std::int32_t depth, std::int64_t zero = 0) {
    std::size_t count = 1;
    for (const std::int32_t size : shape) count *= static_cast<std::size_t>(size);
    std::vector<std::int8_t> values(count);
    for (std::int8_t &value : values) value = static_cast<std::int8_t>(number(-127, 127));
    const float scale = 0.018F / std::sqrt(static_cast<float>(depth));
    const std::int32_t index = parts.constant<std::int8_t>(shape, values, ElementType::int8, scale, zero);
    if (dimension < 0) return index;
    const auto channels = static_cast<std::size_t>(shape[static_cast<std::size_t>(dimension)]);
    parts.tensors.back().scales.clear();
    for (std::size_t i = 0; i < channels; ++i) parts.tensors.back().scales.push_back(scale * static_cast<float>(1 + i % 5) / 3);
    parts.tensors.back().zero_points.assign(channels, 0);
    parts.tensors.back().dimension = dimension;
    return index;
  }
  std::int32_t bias(std::int32_t channels) {
    std::vector<std::int32_t> values;
    for (std::int32_t i = 0; i < channels; ++i) values.push_back(number(-20000, 20000));
    return words(values);
  }
  void compare() const { compare_with_reference(parts, 7); }
};

/// The output's side of a window.
std::int32_t side(std::int32_t size, std::int32_t kernel, std::int32_t stride, std::int32_t dilation, std::int8_t padding) {
  return padding == kSame ? (size + stride - 1) / stride : (size - (kernel - 1) * dilation - 1) / stride + 1;
}

struct Layer {
  std::int32_t batch = 1, height = 7, width = 6, channels = 5, outputs = 6;
  std::int32_t kernel_height = 3, kernel_width = 3, stride_y = 1, stride_x = 1, dilation_y = 1, dilation_x = 1, groups = 1;
  std::int8_t padding = kSame, activation = kNone;
};

void convolve(const Layer &l) {
  Single s;
  const std::int32_t channels = l.channels / l.groups;
  const std::int32_t out_height = side(l.height, l.kernel_height, l.stride_y, l.dilation_y, l.padding);
  const std::int32_t out_width = side(l.width, l.kernel_width, l.stride_x, l.dilation_x, l.padding);
  const std::int32_t input = s.input({l.batch, l.height, l.width, l.channels});
  const std::int32_t weights =
      s.weights({l.outputs, l.kernel_height, l.kernel_width, channels}, 0, l.kernel_height * l.kernel_width * channels);
  const std::int32_t bias = s.bias(l.outputs), output = s.output({l.batch, out_height, out_width, l.outputs});
  s.parts.op(OperatorCode::conv_2d, {input, weights, bias}, {output}, Type::Conv2DOptions,
             options_of(schema::CreateConv2DOptions, l.padding, l.stride_x, l.stride_y, l.activation, l.dilation_x, l.dilation_y));
  s.compare();
}

TEST(UnityOperators, Convolutions) {
  convolve({});
  convolve({.batch = 3, .stride_y = 2, .stride_x = 3, .activation = kRelu6});
  convolve({.kernel_height = 1, .kernel_width = 1, .padding = kValid});
  convolve({.height = 20, .width = 18, .kernel_height = 17, .kernel_width = 16, .padding = kValid});
  convolve({.height = 40, .width = 38, .channels = 2, .kernel_height = 35, .kernel_width = 33});
  convolve({.height = 12, .width = 15, .dilation_y = 2, .dilation_x = 3});
  convolve({.channels = 6, .outputs = 9, .groups = 3});
  convolve({.channels = 6, .outputs = 8, .stride_y = 2, .dilation_x = 1, .groups = 2, .padding = kValid});
}

void convolve_depthwise(const Layer &l, std::int32_t multiplier) {
  Single s;
  const std::int32_t outputs = l.channels * multiplier;
  const std::int32_t out_height = side(l.height, l.kernel_height, l.stride_y, l.dilation_y, l.padding);
  const std::int32_t out_width = side(l.width, l.kernel_width, l.stride_x, l.dilation_x, l.padding);
  const std::int32_t input = s.input({l.batch, l.height, l.width, l.channels});
  const std::int32_t weights = s.weights({1, l.kernel_height, l.kernel_width, outputs}, 3, l.kernel_height * l.kernel_width);
  const std::int32_t bias = s.bias(outputs), output = s.output({l.batch, out_height, out_width, outputs});
  s.parts.op(OperatorCode::depthwise_conv_2d, {input, weights, bias}, {output}, Type::DepthwiseConv2DOptions,
             options_of(schema::CreateDepthwiseConv2DOptions, l.padding, l.stride_x, l.stride_y, multiplier, l.activation, l.dilation_x,
                        l.dilation_y));
  s.compare();
}

TEST(UnityOperators, DepthwiseConvolutions) {
  convolve_depthwise({}, 1);
  convolve_depthwise({.batch = 2, .stride_y = 2, .stride_x = 2, .activation = kRelu6}, 3);
  convolve_depthwise({.height = 12, .width = 15, .dilation_y = 3, .dilation_x = 2}, 2);
  convolve_depthwise({.height = 1, .width = 30, .channels = 3, .kernel_height = 1, .kernel_width = 20, .padding = kValid}, 1);
}

void convolve_transposed(const Layer &l) {
  Single s;
  const std::int32_t out_height = l.padding == kSame ? l.height * l.stride_y : (l.height - 1) * l.stride_y + l.kernel_height;
  const std::int32_t out_width = l.padding == kSame ? l.width * l.stride_x : (l.width - 1) * l.stride_x + l.kernel_width;
  const Shape shape = {l.batch, out_height, out_width, l.outputs};
  const std::int32_t input = s.input({l.batch, l.height, l.width, l.channels});
  const std::int32_t weights =
      s.weights({l.outputs, l.kernel_height, l.kernel_width, l.channels}, 0, l.kernel_height * l.kernel_width * l.channels);
  const std::int32_t size = s.words(shape), output = s.output(shape);
  s.parts.op(OperatorCode::transpose_conv, {size, weights, input}, {output}, Type::TransposeConvOptions,
             options_of(schema::CreateTransposeConvOptions, l.padding, l.stride_x, l.stride_y, kNone));
  s.compare();
}

TEST(UnityOperators, TransposedConvolutions) {
  convolve_transposed({});
  convolve_transposed({.batch = 2, .stride_y = 2, .stride_x = 3});
  convolve_transposed({.kernel_height = 4, .kernel_width = 2, .stride_y = 2, .stride_x = 2, .padding = kValid});
  convolve_transposed({.kernel_height = 1, .kernel_width = 5, .stride_y = 1, .stride_x = 4});
}

void multiply(std::int32_t rows, std::int32_t depth, std::int32_t columns, std::int64_t weights_zero, bool has_bias) {
  Single s;
  const std::int32_t input = s.input({rows, depth});
  const std::int32_t weights = s.weights({columns, depth}, -1, depth, weights_zero);
  const std::int32_t bias = has_bias ? s.bias(columns) : -1, output = s.output({rows, columns});
  s.parts.op(OperatorCode::fully_connected, {input, weights, bias}, {output}, Type::FullyConnectedOptions,
             options_of(schema::CreateFullyConnectedOptions, kNone, std::int8_t{0}, false, false));
  s.compare();
}

TEST(UnityOperators, FullyConnectedLayers) {
  multiply(1, 30, 12, 0, true);
  multiply(3, 17, 5, 4, false);
  multiply(2, 9000, 3, 0, true);
  multiply(2, 6, 5000, -3, true);
}

void pool(OperatorCode code, const Layer &l) {
  Single s;
  const std::int32_t out_height = side(l.height, l.kernel_height, l.stride_y, 1, l.padding);
  const std::int32_t out_width = side(l.width, l.kernel_width, l.stride_x, 1, l.padding);
  const std::int32_t input = s.input({l.batch, l.height, l.width, l.channels});
  const std::int32_t output = s.output({l.batch, out_height, out_width, l.channels}, -9, kInputScale);
  s.parts.op(code, {input}, {output}, Type::Pool2DOptions,
             options_of(schema::CreatePool2DOptions, l.padding, l.stride_x, l.stride_y, l.kernel_width, l.kernel_height, l.activation));
  s.compare();
}

TEST(UnityOperators, Pools) {
  for (const OperatorCode code : {OperatorCode::average_pool_2d, OperatorCode::max_pool_2d}) {
    pool(code, {.batch = 2, .stride_y = 2, .stride_x = 2});
    pool(code, {.stride_y = 3, .activation = kRelu6});
    pool(code, {.height = 25, .width = 5, .kernel_height = 25, .kernel_width = 5, .stride_y = 25, .stride_x = 5, .padding = kValid});
    pool(code, {.height = 30, .width = 9, .kernel_height = 17, .kernel_width = 2, .stride_y = 2, .padding = kValid});
    pool(code, {.height = 50, .width = 4, .channels = 2, .kernel_height = 40, .kernel_width = 3});
  }
}

void combine(OperatorCode code, const Shape &first, const Shape &second) {
  Single s;
  Shape shape(std::max(first.size(), second.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto size = [&](const Shape &of) { return i + of.size() < shape.size() ? 1 : of[i + of.size() - shape.size()]; };
    shape[i] = std::max(size(first), size(second));
  }
  const bool extremum = code == OperatorCode::maximum || code == OperatorCode::minimum;
  const std::int32_t a = s.input(first), b = extremum ? s.input(second) : s.input(second, 20, 0.07F);
  const std::int32_t output = extremum ? s.output(shape, -9, kInputScale) : s.output(shape);
  switch (code) {
    case OperatorCode::add: s.parts.op(code, {a, b}, {output}, Type::AddOptions, options_of(schema::CreateAddOptions, kNone, true)); break;
    case OperatorCode::sub: s.parts.op(code, {a, b}, {output}, Type::SubOptions, options_of(schema::CreateSubOptions, kNone, true)); break;
    case OperatorCode::mul: s.parts.op(code, {a, b}, {output}, Type::MulOptions, options_of(schema::CreateMulOptions, kRelu6)); break;
    default: s.parts.op(code, {a, b}, {output}); break;
  }
  s.compare();
}

TEST(UnityOperators, BinaryOperators) {
  for (const OperatorCode code : {OperatorCode::add, OperatorCode::sub, OperatorCode::mul, OperatorCode::maximum, OperatorCode::minimum}) {
    combine(code, {2, 3, 4, 5}, {2, 3, 4, 5});
    combine(code, {2, 3, 4, 5}, {1});
    combine(code, {2, 3, 4, 5}, {5});
    combine(code, {2, 3, 4, 1}, {2, 3, 4, 5});
    combine(code, {1, 1, 1, 5}, {2, 3, 4, 1});
    combine(code, {2, 3, 4, 5}, {2, 1, 1, 5});
  }
}

void average(const Shape &shape, const std::vector<std::int32_t> &axes) {
  Single s;
  Shape kept = shape;
  for (const std::int32_t axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
  const std::int32_t input = s.input(shape), over = s.words(axes), output = s.output(kept, 5, kInputScale / 3);
  s.parts.op(OperatorCode::mean, {input, over}, {output}, Type::ReducerOptions, options_of(schema::CreateReducerOptions, true));
  s.compare();
}

TEST(UnityOperators, Means) {
  average({1, 7, 7, 20}, {1, 2});
  average({2, 5, 6, 3}, {1, 2});
  average({1, 17, 4, 3}, {1});
  average({2, 3, 4, 5}, {3});
  average({3, 4}, {0, 1});
}

TEST(UnityOperators, Softmaxes) {
  // From 8 on the multiplier's shift is 30, from 16 on 31; from 32 on TensorFlow Lite takes the largest multiplier.
  for (const float scale : {0.001F, 0.02F, 0.7F, 9.0F, 16.0F, 20.0F, 32.0F, 400.0F}) {
    Single s;
    const std::int32_t input = s.input({9, 33}, 3, scale), output = s.output({9, 33}, -128, 1.0F / 256);
    s.parts.op(OperatorCode::softmax, {input}, {output}, Type::SoftmaxOptions, options_of(schema::CreateSoftmaxOptions, 1.0F));
    s.compare();
  }
}

/// The kernel by itself, because models have no multiplier of at most 1.
TEST(UnityOperators, SoftmaxesHaveShiftsUpTo31) {
  constexpr unsigned kIntegerBits = 5;
  std::vector<std::int8_t> values(9 * 33);
  std::mt19937 random(7);
  for (std::int8_t &value : values) value = static_cast<std::int8_t>(std::uniform_int_distribution(-128, 127)(random));
  for (std::size_t i = 0; i < 33; ++i) values[i] = static_cast<std::int8_t>(i % 3 == 0 ? 5 : 4);  // differences of 0 and 1
  for (const std::int32_t shift : {0, 1, 29, 30, 31}) {
    for (const std::int32_t multiplier : {1, 1 << 30, INT32_MAX}) {
      tflite::Softmax n;
      n.rows = 9, n.depth = 33;
      n.multiplier = {multiplier, shift};
      n.least_difference = std::max(-tflite::input_radius(kIntegerBits, shift), std::int32_t{INT16_MIN});
      Bench bench;
      const std::uint64_t output = bench.put(std::vector<std::int8_t>(values.size()));
      ASSERT_TRUE(kernels::unity::softmax(bench.builder, {bench.put(values), output, 9, 33, {multiplier, shift}, n.least_difference}).ok());
      bench.run();
      EXPECT_EQ(Bench::get<std::int8_t>(output, values.size()), tflite_reference::softmax(n, values)) << multiplier << " " << shift;
    }
  }
  for (const std::int32_t shift : {-1, 32}) {
    const Status status = kernels::unity::check_softmax({.multiplier = {1 << 30, shift}});
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), "shift");
  }
}

TEST(UnityOperators, Sigmoids) {
  for (const float scale : {0.002F, 0.03F, 0.11F}) {
    Single s;
    const std::int32_t input = s.input({5000}, 11, scale);
    s.parts.op(OperatorCode::logistic, {input}, {s.output({5000}, -128, 1.0F / 256)});
    s.parts.op(OperatorCode::tanh, {input}, {s.output({5000}, 0, 1.0F / 128)});
    s.compare();
  }
}

TEST(UnityOperators, Pads) {
  for (const std::vector<std::int32_t> &pads :
       std::vector<std::vector<std::int32_t>>{{0, 0, 1, 2, 3, 4, 0, 0}, {1, 2, 0, 20, 17, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 3}}) {
    Single s;
    Shape shape = {2, 3, 4, 5};
    const std::int32_t input = s.input(shape);
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] += pads[2 * i] + pads[2 * i + 1];
    const std::int32_t amounts = s.parts.constant<std::int32_t>({4, 2}, pads, ElementType::int32);
    s.parts.op(OperatorCode::pad, {input, amounts}, {s.output(shape, -9, kInputScale)});
    s.compare();
  }
}

TEST(UnityOperators, Transposes) {
  Shape order = {0, 1, 2, 3};
  do {
    Single s;
    const Shape shape = {2, 3, 4, 5};
    Shape turned;
    for (const std::int32_t axis : order) turned.push_back(shape[static_cast<std::size_t>(axis)]);
    const std::int32_t input = s.input(shape), axes = s.words(order);
    s.parts.op(OperatorCode::transpose, {input, axes}, {s.output(turned, -9, kInputScale)});
    s.compare();
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(UnityOperators, Resizes) {
  for (const bool bilinear : {false, true}) {
    for (const auto &[corners, centres] : {std::pair(false, false), {true, false}, {false, true}}) {
      for (const Shape &size : {Shape{9, 13}, Shape{3, 2}, Shape{5, 7}}) {
        Single s;
        const std::int32_t input = s.input({2, 5, 7, 3}), sides = s.words(size);
        const std::int32_t output = s.output({2, size[0], size[1], 3}, -9, kInputScale);
        if (bilinear) {
          s.parts.op(OperatorCode::resize_bilinear, {input, sides}, {output}, Type::ResizeBilinearOptions,
                     options_of(schema::CreateResizeBilinearOptions, 0, 0, corners, centres));
        } else {
          s.parts.op(OperatorCode::resize_nearest_neighbor, {input, sides}, {output}, Type::ResizeNearestNeighborOptions,
                     options_of(schema::CreateResizeNearestNeighborOptions, corners, centres));
        }
        s.compare();
      }
    }
  }
}

}  // namespace
}  // namespace cox::tests::unity::operators_test
