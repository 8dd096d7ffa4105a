// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/weights.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include "coxswain/kernels/mx/pack_weights.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/layers.h"

namespace cox::yolov5s {
namespace {

constexpr std::string_view kConvolutionEnding = ".conv";

void want_finite(const std::vector<float> &values, const std::string &name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) throw FileError(fmt::format("weight file: {}[{}] is not finite", name, i));
  }
}

std::vector<float> finite_values(const Safetensors &file, const std::string &name, std::span<const std::uint64_t> shape) {
  std::vector<float> values = file.values(name, shape);
  want_finite(values, name);
  return values;
}

}  // namespace

std::vector<Convolution> convolutions() {
  const auto list = std::make_unique<LayerList>();
  std::vector<Convolution> result;
  if (!build(*list, kSizeMultiple, kSizeMultiple).ok()) return result;
  for (const Layer &layer : list->layers()) {
    if (layer.kind == LayerKind::convolution) result.push_back(layer.convolution);
  }
  return result;
}

std::vector<std::uint64_t> file_shape(const Convolution &convolution) {
  if (convolution.space_to_depth) return {convolution.output_channels, kImageChannels, 6, 6};
  return {convolution.output_channels, convolution.input_channels, convolution.kernel, convolution.kernel};
}

ConvolutionWeights fold(ConvolutionWeights convolution, const std::vector<float> &gamma, const std::vector<float> &beta,
                        const std::vector<float> &mean, const std::vector<float> &variance) {
  const std::size_t outputs = gamma.size();
  const std::size_t each = convolution.weights.size() / outputs;
  convolution.biases.resize(outputs);
  for (std::size_t output = 0; output < outputs; ++output) {
    const float scale = gamma[output] / std::sqrt(variance[output] + kBatchNormalisationEpsilon);
    for (std::size_t i = output * each; i < (output + 1) * each; ++i) convolution.weights[i] *= scale;
    convolution.biases[output] = (convolution.biases[output] - mean[output]) * scale + beta[output];
  }
  return convolution;
}

ConvolutionWeights read_convolution(const Safetensors &file, const Convolution &convolution) {
  const std::string name(convolution.name.view());
  const std::array<std::uint64_t, 1> vector_shape{convolution.output_channels};
  ConvolutionWeights result;
  result.weights = finite_values(file, name + ".weight", file_shape(convolution));
  const bool has_bias = file.contains(name + ".bias");
  if (has_bias) result.biases = finite_values(file, name + ".bias", vector_shape);
  if (!name.ends_with(kConvolutionEnding)) {
    if (!has_bias) throw FileError(fmt::format("weight file: there is no tensor {}.bias", name));
    return result;
  }
  const std::string normalisation = name.substr(0, name.size() - kConvolutionEnding.size()) + ".bn";
  if (!file.contains(normalisation + ".running_mean")) {
    if (has_bias) return result;
    throw FileError(fmt::format("weight file: there is neither {}.bias nor {}.running_mean", name, normalisation));
  }
  const auto gamma = finite_values(file, normalisation + ".weight", vector_shape);
  const auto beta = finite_values(file, normalisation + ".bias", vector_shape);
  const auto mean = finite_values(file, normalisation + ".running_mean", vector_shape);
  const auto variance = finite_values(file, normalisation + ".running_var", vector_shape);
  for (const float value : variance) {
    if (value < 0) throw FileError(fmt::format("weight file: {}.running_var has a negative variance", normalisation));
  }
  result = fold(std::move(result), gamma, beta, mean, variance);
  want_finite(result.weights, name + ".weight, folded");
  want_finite(result.biases, name + ".bias, folded");
  return result;
}

Weights read_weights(const Safetensors &file) {
  Weights weights;
  for (const Convolution &convolution : convolutions()) weights.push_back(read_convolution(file, convolution));
  return weights;
}

std::vector<std::byte> pack(const Weights &weights) {
  const std::vector<Convolution> list = convolutions();
  std::vector<std::byte> packed;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Convolution &convolution = list[i];
    const auto refuse = [&convolution](const Status &status) {
      return FileError(fmt::format("{}: {} cannot be packed: {}", convolution.name.view(), status.what(), error_name(status.code())));
    };
    std::vector<float> values = weights[i].weights;
    if (convolution.space_to_depth) {
      values.resize(std::size_t{convolution.output_channels} * convolution.input_channels * convolution.kernel * convolution.kernel);
      const Status status = kernels::mx::space_to_depth_weights(kImageChannels, convolution.output_channels, weights[i].weights, values);
      if (!status.ok()) throw refuse(status);
    }
    const kernels::mx::WeightShape shape{convolution.kernel, convolution.input_channels, convolution.output_channels};
    const Result<std::uint64_t> bytes = kernels::mx::packed_weights_bytes(shape);
    if (!bytes) throw refuse(bytes.status());
    const std::size_t at = packed.size();
    packed.resize(at + bytes.value());
    const Status status = kernels::mx::pack_weights(shape, values, weights[i].biases, std::span(packed).subspan(at));
    if (!status.ok()) throw refuse(status);
  }
  return packed;
}

}  // namespace cox::yolov5s
