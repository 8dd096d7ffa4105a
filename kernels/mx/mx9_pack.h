// SPDX-License-Identifier: MIT
// Conversion from FP32 or BF16 to MX9, on the control core and in host tools (docs/mx9.md). All versions give the bits of
// isa/numbers/mx9_block.h, whatever floating-point mode the core has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/numbers/mx9_block.h"

namespace cox::kernels::mx {

/// values.size() is 16 * blocks.size(). All functions here return tensor_overlap if values and blocks share memory, and invalid_argument
/// if a size is wrong (`what` names the argument). On an error they write nothing.
Status mx9_pack(std::span<const float> values, std::span<isa::mx::Block> blocks);
/// Does the same as mx9_pack() for values given as BF16 bit patterns.
Status mx9_pack_bf16(std::span<const std::uint16_t> values, std::span<isa::mx::Block> blocks);

/// Converts planes of one channel each, [channel][pixel], as images and reference networks have them, to a tensor [channel block][pixel].
/// Channels past `channels` in the last block become zero. values.size() is channels * pixels, and blocks.size() is blocks_of(channels) *
/// pixels; neither is 0.
Status mx9_pack_planes(std::span<const float> values, std::size_t channels, std::size_t pixels, std::span<isa::mx::Block> blocks);

/// Converts a planar image [channel][row][column] to a space-to-depth map (docs/kernels/mx.md, space to depth). On that map, the 6x6 stride
/// 2 convolution of YOLOv5 becomes a 3x3 stride 1 convolution. The value of channel c at (row, column) becomes channel (2 * (row % 2) +
/// column % 2) * channels + c of pixel (row / 2, column / 2). There are at most 4 channels (one block); height and width are even.
Status mx9_pack_space_to_depth(std::span<const float> image, std::size_t channels, std::size_t height, std::size_t width,
                               std::span<isa::mx::Block> blocks);

}  // namespace cox::kernels::mx
