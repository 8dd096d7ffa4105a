// SPDX-License-Identifier: MIT
// The network's weights in FP32, batch normalisation folded in, from a weight file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/yolov5s/host/safetensors.h"
#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

struct ConvolutionWeights {
  std::vector<float> weights;  ///< [output][input][row][column] as the file has them: the first layer's are 6x6 over 3 channels
  std::vector<float> biases;   ///< [output]
};

/// In the order of network.h's convolutions.
using Weights = std::vector<ConvolutionWeights>;

/// What the file holds for this convolution: [output][input][row][column].
std::vector<std::uint64_t> file_shape(const Convolution &convolution);

inline constexpr float kBatchNormalisationEpsilon = 1e-3F;

/// Weights and biases that do what convolution and batch normalisation do: weights * gamma / sqrt(variance + epsilon), and so on. `biases`
/// of the convolution itself may be empty.
ConvolutionWeights fold(ConvolutionWeights convolution, const std::vector<float> &gamma, const std::vector<float> &beta,
                        const std::vector<float> &mean, const std::vector<float> &variance);

/// Of one convolution: NAME.weight with NAME.bias, or NAME.weight with the batch normalisation beside it. Throws FileError: tensors that
/// are missing, of other shapes, or hold numbers that are not finite; a variance below 0.
ConvolutionWeights read_convolution(const Safetensors &file, const Convolution &convolution);

/// Of the whole network.
Weights read_weights(const Safetensors &file);

/// As the device wants them, all convolutions one behind the other (network.h, Builder). Throws FileError where it cannot be.
std::vector<std::byte> pack(const Weights &weights);

/// The network's convolutions in order.
std::vector<Convolution> convolutions();

}  // namespace cox::yolov5s
