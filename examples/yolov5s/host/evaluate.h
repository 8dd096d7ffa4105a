// SPDX-License-Identifier: MIT
// The network's layers in FP32: oneDNN computes convolutions and activations, plain loops the rest.
#pragma once

#include <memory>
#include <span>

#include "examples/yolov5s/host/activations.h"
#include "examples/yolov5s/host/weights.h"
#include "examples/yolov5s/layers.h"

namespace cox::yolov5s {

/// Converts a planar image of height * width to the space-to-depth map (network.h, kInputTensor), and back.
void space_to_depth(std::span<const float> image, std::uint32_t height, std::uint32_t width, std::span<float> map);
void depth_to_space(std::span<const float> map, std::uint32_t height, std::uint32_t width, std::span<float> image);

/// Computes each kind of layer except convolutions. Spans are maps as in Activations.
void evaluate_simple(const Layer &layer, std::span<const float> input1, std::span<const float> input2, std::span<float> output);

class Evaluator {
 public:
  Evaluator();
  ~Evaluator();
  Evaluator(const Evaluator &) = delete;
  Evaluator &operator=(const Evaluator &) = delete;

  /// Computes any layer; only convolutions use `weights`. The first layer is computed as the 6x6 convolution of the weight file.
  void layer(const Layer &layer, std::span<const float> input1, std::span<const float> input2, const ConvolutionWeights *weights,
             std::span<float> output);

  /// Computes the whole network. `activations` must hold the image.
  void network(const LayerList &layers, const Weights &weights, Activations &activations);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cox::yolov5s
