// SPDX-License-Identifier: MIT
// The network of examples/digits (network.json) as a list of MX kernels. The application appends it to a stream, and the weight packer
// takes the shapes from it (README.md, The network).
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/kernels/mx/pack_weights.h"

namespace cox::digits_mx {

inline constexpr std::uint32_t kSide = 8;     ///< side of an image
inline constexpr std::uint32_t kDigits = 10;  ///< number of classes

/// Convolutions in the order of their packed weights, which lie one behind the other.
enum class Convolution : std::uint8_t { conv1, conv2, conv3, rectify, logits };
inline constexpr std::array<kernels::mx::WeightShape, 5> kConvolutions = {{
    {.kernel = 3, .input_channels = 1, .output_channels = 16},
    {.kernel = 3, .input_channels = 16, .output_channels = 32},
    {.kernel = 3, .input_channels = 32, .output_channels = 32},
    // Only a convolution has an activation, so ReLU of a sum is a convolution with the identity and ReLU.
    {.kernel = 1, .input_channels = 32, .output_channels = 32},
    // The fully connected layer has an input of 2x2 pixels with 32 channels, stored as [channel block][pixel]. It reads these bytes as one
    // pixel with 128 channels: channel c of the pixel (row, column) is channel 64 * (c / 16) + 16 * (2 * row + column) + c % 16.
    {.kernel = 1, .input_channels = 128, .output_channels = kDigits},
}};
constexpr const kernels::mx::WeightShape &shape_of(Convolution convolution) { return kConvolutions[static_cast<std::size_t>(convolution)]; }

}  // namespace cox::digits_mx
