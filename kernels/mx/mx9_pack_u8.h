// SPDX-License-Identifier: MIT
// Conversion from bytes to MX9, on the control core and in host tools (docs/kernels/mx.md, mx9_pack_u8). The result has the bits that
// mx9_pack.h gives for the numbers of the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/byte_conversion.h"

namespace cox::kernels::mx {

/// values.size() is 16 * blocks.size(). The functions here return not_ready if the conversion was not initialised, tensor_overlap if values
/// and blocks share memory, and invalid_argument if a size is wrong (`what` names the argument). On an error they write nothing.
Status mx9_pack_u8(std::span<const std::uint8_t> values, const ByteConversion &conversion, std::span<isa::mx::Block> blocks);

/// The largest number of bytes in a row of a picture, width * channels.
inline constexpr std::size_t kMostPictureRowBytes = 0x1FFF8;

/// Converts a picture [row][column][channel], as cameras and decoders write it, to the space-to-depth map that mx9_pack_space_to_depth()
/// makes of a planar image, with the same conditions. The picture's address is even (misaligned_address), and a row has at most
/// kMostPictureRowBytes.
Status mx9_pack_u8_space_to_depth(std::span<const std::uint8_t> picture, std::size_t channels, std::size_t height, std::size_t width,
                                  const ByteConversion &conversion, std::span<isa::mx::Block> blocks);

}  // namespace cox::kernels::mx
