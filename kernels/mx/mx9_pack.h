// SPDX-License-Identifier: MIT
// Between FP32 or BF16 and MX9, on the control core and in host tools (docs/mx9.md). Same bits everywhere: isa/numbers/mx9_block.h is the
// rule, and no floating-point mode of the core has a say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "isa/numbers/mx9_block.h"

namespace cox::kernels::mx {

/// values.size() is a multiple of 16, blocks.size() a 16th of it; else invalid_argument (`what` the argument, `value` its size, `limit` the
/// right one or its multiple). tensor_overlap: values and blocks share memory. In either case nothing is written; so below.
Status mx9_pack(std::span<const float> values, std::span<isa::mx::Block> blocks);
/// The same from BF16 bits.
Status mx9_pack_bf16(std::span<const std::uint16_t> values, std::span<isa::mx::Block> blocks);

/// From planes of a channel each, [channel][pixel], as images and reference networks have them, to a tensor [channel block][pixel];
/// channels past `channels` in the last block become zero. values.size() is channels * pixels, blocks.size() blocks_of(channels) * pixels,
/// neither is 0.
Status mx9_pack_planes(std::span<const float> values, std::size_t channels, std::size_t pixels, std::span<isa::mx::Block> blocks);

/// A planar image [channel][row][column] to the space-to-depth map that the 6x6 stride 2 convolution of YOLOv5 becomes a 3x3 stride 1
/// convolution of (docs/kernels/mx.md, space to depth): channel (2 * (row % 2) + column % 2) * channels + c of pixel (row / 2, column / 2).
/// channels at most 4 (one block); height and width are even.
Status mx9_pack_space_to_depth(std::span<const float> image, std::size_t channels, std::size_t height, std::size_t width,
                               std::span<isa::mx::Block> blocks);

}  // namespace cox::kernels::mx
