// SPDX-License-Identifier: MIT
// The network's weights in FP32 from a weight file, with batch normalisation folded in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/yolov5s/host/safetensors.h"
#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

struct ConvolutionWeights {
  std::vector<float> weights;  ///< [output][input][row][column] as in the file: those of the first layer are 6x6 over 3 channels
  std::vector<float> biases;   ///< [output]
};

/// One entry for each convolution, in the order of network.h.
using Weights = std::vector<ConvolutionWeights>;

/// Returns the shape of this convolution's weights in the file: [output][input][row][column].
std::vector<std::uint64_t> file_shape(const Convolution &convolution);

inline constexpr float kBatchNormalisationEpsilon = 1e-3F;

/// Returns a convolution with the effect of `convolution` and the batch normalisation behind it. With factor = gamma / sqrt(variance +
/// epsilon), its weights are weights * factor, and its biases are (biases - mean) * factor + beta. `convolution.biases` may be empty.
ConvolutionWeights fold(ConvolutionWeights convolution, const std::vector<float> &gamma, const std::vector<float> &beta,
                        const std::vector<float> &mean, const std::vector<float> &variance);

/// Returns the weights of one convolution. The file has NAME.weight with NAME.bias, or NAME.weight with a batch normalisation. Throws
/// FileError if tensors are missing, have other shapes or numbers that are not finite, or if a variance is below 0.
ConvolutionWeights read_convolution(const Safetensors &file, const Convolution &convolution);

/// Returns the weights of the whole network.
Weights read_weights(const Safetensors &file);

/// Packs the weights for the device, all convolutions one after the other (network.h, Builder). Throws FileError if that is not possible.
std::vector<std::byte> pack(const Weights &weights);

/// Returns the network's convolutions in order.
std::vector<Convolution> convolutions();

}  // namespace cox::yolov5s
