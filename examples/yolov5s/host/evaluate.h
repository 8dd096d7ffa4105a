// SPDX-License-Identifier: MIT
// The network's layers in FP32: convolutions and activations by oneDNN, the rest in plain loops.
#pragma once

#include <memory>
#include <span>

#include "examples/yolov5s/host/activations.h"
#include "examples/yolov5s/host/weights.h"
#include "examples/yolov5s/layers.h"

namespace cox::yolov5s {

/// The space-to-depth map (network.h, kInputTensor) of a planar image of height * width, and back.
void space_to_depth(std::span<const float> image, std::uint32_t height, std::uint32_t width, std::span<float> map);
void depth_to_space(std::span<const float> map, std::uint32_t height, std::uint32_t width, std::span<float> image);

/// All layers but convolutions. Spans are maps as in Activations.
void evaluate_simple(const Layer &layer, std::span<const float> input1, std::span<const float> input2, std::span<float> output);

class Evaluator {
 public:
  Evaluator();
  ~Evaluator();
  Evaluator(const Evaluator &) = delete;
  Evaluator &operator=(const Evaluator &) = delete;

  /// Any layer; `weights` of convolutions alone. The first layer is done as the 6x6 convolution that the weight file holds.
  void layer(const Layer &layer, std::span<const float> input1, std::span<const float> input2, const ConvolutionWeights *weights,
             std::span<float> output);

  /// The whole network; the image is in `activations` already.
  void network(const LayerList &layers, const Weights &weights, Activations &activations);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cox::yolov5s
