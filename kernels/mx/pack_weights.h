// SPDX-License-Identifier: MIT
// Weights and biases of a convolution as conv_act() wants them (docs/mx9.md, Weights).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace cox::kernels::mx {

struct WeightShape {
  std::uint32_t kernel = 1;  ///< 1 or 3
  std::uint32_t input_channels = 0, output_channels = 0;
};

/// Bytes of packed weights. Input channels over 1,024 are packed in parts of 1,024, one behind the other, each with biases of its own: the
/// layer's in the first part, zeros in the others.
Result<std::uint64_t> packed_weights_bytes(const WeightShape &shape);

/// From [output channel][input channel][row][column] FP32 weights and one FP32 bias an output channel (or none: zeros). Channels that fill
/// up blocks get zero weights and biases. invalid_argument: sizes of spans that do not fit the shape, which is checked before anything is
/// written.
Status pack_weights(const WeightShape &shape, std::span<const float> weights, std::span<const float> biases, std::span<std::byte> packed);

/// The weights of a 6x6 stride 2 padding 2 convolution, [output][input][6][6], as those of the 3x3 stride 1 padding 1 convolution over the
/// space-to-depth map (mx9_pack.h) that has the same result: [output][4 * input][3][3]. invalid_argument: sizes.
Status space_to_depth_weights(std::uint32_t input_channels, std::uint32_t output_channels, std::span<const float> weights,
                              std::span<float> transformed);

}  // namespace cox::kernels::mx
