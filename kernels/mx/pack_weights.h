// SPDX-License-Identifier: MIT
// Packing of a convolution's weights and biases for conv_act() (docs/mx9.md, Weights).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"

namespace cox::kernels::mx {

struct WeightShape {
  std::uint32_t kernel = 1;  ///< 1 or 3
  std::uint32_t input_channels = 0, output_channels = 0;
};

/// Returns the bytes of packed weights. More than 1,024 input channels are packed in contiguous parts of 1,024. Each part has its own
/// biases: the first part has the layer's, the others have zeros.
Result<std::uint64_t> packed_weights_bytes(const WeightShape &shape);

/// Packs FP32 weights [output channel][input channel][row][column] and one FP32 bias for each output channel. Without biases, zeros are
/// used. The channels that only fill up a block get zero weights and biases. On an error nothing is written. Errors: invalid_argument for a
/// kernel other than 1 and 3, for 0 channels, or if the size of a span does not fit the shape; tensor_overlap if `packed` shares memory
/// with an input.
Status pack_weights(const WeightShape &shape, std::span<const float> weights, std::span<const float> biases, std::span<std::byte> packed);

/// Transforms the weights of a 6x6 stride 2 padding 2 convolution, [output][input][6][6], to weights [output][4 * input][3][3]. A 3x3
/// stride 1 padding 1 convolution of the space-to-depth map (mx9_pack.h) with the transformed weights has the same result. On an error
/// nothing is written. Errors: invalid_argument if a number of channels is 0 or a span's size does not fit; tensor_overlap if the spans
/// share memory.
Status space_to_depth_weights(std::uint32_t input_channels, std::uint32_t output_channels, std::span<const float> weights,
                              std::span<float> transformed);

}  // namespace cox::kernels::mx
