// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/evaluate.h"

#include <algorithm>
#include <cmath>
#include <dnnl.hpp>
#include <limits>
#include <vector>

namespace cox::yolov5s {
namespace {

void max_pool(const Map &map, std::span<const float> input, std::span<float> output) {
  const auto height = static_cast<std::int64_t>(map.height);
  const auto width = static_cast<std::int64_t>(map.width);
  constexpr std::int64_t kReach = kPoolKernel / 2;
  for (std::int64_t channel = 0; channel < map.channels; ++channel) {
    const float *plane = input.data() + channel * height * width;
    for (std::int64_t row = 0; row < height; ++row) {
      for (std::int64_t column = 0; column < width; ++column) {
        float largest = -std::numeric_limits<float>::infinity();
        for (std::int64_t y = std::max<std::int64_t>(row - kReach, 0); y <= std::min(row + kReach, height - 1); ++y) {
          for (std::int64_t x = std::max<std::int64_t>(column - kReach, 0); x <= std::min(column + kReach, width - 1); ++x) {
            largest = std::max(largest, plane[y * width + x]);
          }
        }
        output[static_cast<std::size_t>((channel * height + row) * width + column)] = largest;
      }
    }
  }
}

void upsample(const Map &map, std::span<const float> input, std::span<float> output) {
  const std::size_t width = std::size_t{map.width} * 2;
  for (std::size_t row = 0; row < std::size_t{map.channels} * map.height * 2; ++row) {
    for (std::size_t column = 0; column < width; ++column) output[row * width + column] = input[row / 2 * map.width + column / 2];
  }
}

std::size_t depth_index(std::size_t channel, std::size_t row, std::size_t column, std::size_t height, std::size_t width) {
  const std::size_t depth = (2 * (row % 2) + column % 2) * kImageChannels + channel;
  return (depth * (height / 2) + row / 2) * (width / 2) + column / 2;
}

}  // namespace

void space_to_depth(std::span<const float> image, std::uint32_t height, std::uint32_t width, std::span<float> map) {
  for (std::size_t channel = 0, at = 0; channel < kImageChannels; ++channel) {
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t column = 0; column < width; ++column) map[depth_index(channel, row, column, height, width)] = image[at++];
    }
  }
}

void depth_to_space(std::span<const float> map, std::uint32_t height, std::uint32_t width, std::span<float> image) {
  for (std::size_t channel = 0, at = 0; channel < kImageChannels; ++channel) {
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t column = 0; column < width; ++column) image[at++] = map[depth_index(channel, row, column, height, width)];
    }
  }
}

void evaluate_simple(const Layer &layer, std::span<const float> input1, std::span<const float> input2, std::span<float> output) {
  switch (layer.kind) {
    case LayerKind::convolution: break;
    case LayerKind::add: std::transform(input1.begin(), input1.end(), input2.begin(), output.begin(), std::plus<>()); break;
    case LayerKind::max_pool: max_pool(layer.input1, input1, output); break;
    case LayerKind::upsample: upsample(layer.input1, input1, output); break;
    case LayerKind::sigmoid:
      std::transform(input1.begin(), input1.end(), output.begin(), [](float x) { return 1.0F / (1.0F + std::exp(-x)); });
      break;
  }
}

struct Evaluator::State {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};

  /// A memory object over `values`. oneDNN does not write to an input.
  dnnl::memory plain(const dnnl::memory::dims &dims, dnnl::memory::format_tag tag, const float *values) const {
    return {{dims, dnnl::memory::data_type::f32, tag}, engine, const_cast<float *>(values)};
  }
  dnnl::memory as(dnnl::memory from, const dnnl::memory::desc &wanted) {
    if (from.get_desc() == wanted) return from;
    dnnl::memory to(wanted, engine);
    dnnl::reorder(from, to).execute(stream, from, to);
    return to;
  }
};

Evaluator::Evaluator() : state_(std::make_unique<State>()) {}
Evaluator::~Evaluator() = default;

void Evaluator::layer(const Layer &layer, std::span<const float> input1, std::span<const float> input2, const ConvolutionWeights *weights,
                      std::span<float> output) {
  if (layer.kind != LayerKind::convolution || weights == nullptr) return evaluate_simple(layer, input1, input2, output);
  using Tag = dnnl::memory::format_tag;
  using Dim = dnnl::memory::dim;
  constexpr auto kType = dnnl::memory::data_type::f32;
  const Convolution &convolution = layer.convolution;
  std::vector<float> image;
  dnnl::memory::dims source_dims{1, convolution.input_channels, layer.input1.height, layer.input1.width};
  Dim stride = convolution.stride;
  Dim padding = convolution.padding;
  if (convolution.space_to_depth) {
    source_dims = {1, kImageChannels, 2 * Dim{layer.input1.height}, 2 * Dim{layer.input1.width}};
    image.resize(input1.size());
    depth_to_space(input1, 2 * layer.input1.height, 2 * layer.input1.width, image);
    input1 = image;
    stride = padding = 2;
  }
  const std::vector<std::uint64_t> shape = file_shape(convolution);
  const dnnl::memory::dims weight_dims(shape.begin(), shape.end());
  const dnnl::memory::dims bias_dims{convolution.output_channels};
  const dnnl::memory::dims output_dims{1, convolution.output_channels, layer.output.height, layer.output.width};
  dnnl::primitive_attr attributes;
  if (convolution.activation != Activation::None) {
    dnnl::post_ops activation;
    const bool silu = convolution.activation == Activation::SiLU;
    activation.append_eltwise(1.0F, silu ? dnnl::algorithm::eltwise_swish : dnnl::algorithm::eltwise_relu, silu ? 1.0F : 0.0F, 0.0F);
    attributes.set_post_ops(activation);
  }
  const dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                                    {source_dims, kType, Tag::any}, {weight_dims, kType, Tag::any},
                                                    {bias_dims, kType, Tag::x}, {output_dims, kType, Tag::any}, {stride, stride},
                                                    {padding, padding}, {padding, padding});
  const dnnl::convolution_forward::primitive_desc primitive(description, attributes, state_->engine);
  const dnnl::memory source = state_->as(state_->plain(source_dims, Tag::nchw, input1.data()), primitive.src_desc());
  const dnnl::memory kernels = state_->as(state_->plain(weight_dims, Tag::oihw, weights->weights.data()), primitive.weights_desc());
  const dnnl::memory biases = state_->plain(bias_dims, Tag::x, weights->biases.data());
  const dnnl::memory result(primitive.dst_desc(), state_->engine);
  dnnl::convolution_forward(primitive).execute(
      state_->stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, kernels}, {DNNL_ARG_BIAS, biases}, {DNNL_ARG_DST, result}});
  dnnl::memory flat = state_->plain(output_dims, Tag::nchw, output.data());
  dnnl::memory from = result;
  dnnl::reorder(from, flat).execute(state_->stream, from, flat);
  state_->stream.wait();
}

void Evaluator::network(const LayerList &layers, const Weights &weights, Activations &activations) {
  std::size_t convolution = 0;
  for (const Layer &layer : layers.layers()) {
    const bool convolves = layer.kind == LayerKind::convolution;
    const bool two = layer.kind == LayerKind::add;
    this->layer(layer, activations.of(layer.input1), two ? activations.of(layer.input2) : std::span<float>(),
                convolves ? &weights[convolution++] : nullptr, activations.of(layer.output));
  }
}

}  // namespace cox::yolov5s
