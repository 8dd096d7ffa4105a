// SPDX-License-Identifier: MIT
// The network of examples/digits (network.json) as MX kernels compute it, once: the application appends it to a stream, the weight packer
// takes its shapes (README.md, The network).
#pragma once

#include <array>
#include <cstdint>

#include "kernels/mx/pack_weights.h"

namespace cox::digits_mx {

inline constexpr std::uint32_t kSide = 8;     ///< of an image
inline constexpr std::uint32_t kDigits = 10;  ///< classes

/// Convolutions in the order in which their packed weights stand, one behind the other.
enum class Convolution : std::uint8_t { conv1, conv2, conv3, rectify, logits };
inline constexpr std::array<kernels::mx::WeightShape, 5> kConvolutions = {{
    {.kernel = 3, .input_channels = 1, .output_channels = 16},
    {.kernel = 3, .input_channels = 16, .output_channels = 32},
    {.kernel = 3, .input_channels = 32, .output_channels = 32},
    // No instruction but a convolution has an activation: ReLU of a sum is the identity with ReLU.
    {.kernel = 1, .input_channels = 32, .output_channels = 32},
    // The fully connected layer over 2x2 pixels of 32 channels. In memory these are [channel block][pixel] blocks, which is as well a map
    // of one pixel and 128 channels: channel 64 * (c / 16) + 16 * (2 * row + column) + c % 16.
    {.kernel = 1, .input_channels = 128, .output_channels = kDigits},
}};
constexpr const kernels::mx::WeightShape &shape_of(Convolution convolution) { return kConvolutions[static_cast<std::size_t>(convolution)]; }

}  // namespace cox::digits_mx
