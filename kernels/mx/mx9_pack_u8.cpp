// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/mx9_pack_u8.h"

#include "coxswain/kernels/mx/byte_blocks.h"
#include "coxswain/kernels/mx/conversion_arguments.h"

namespace cox::kernels::mx {

using isa::mx::Block;

namespace {

Status check_ready(const ByteConversion &conversion) {
  return conversion.is_ready() ? Status() : Status(ErrorCode::not_ready, "conversion");
}

}  // namespace

Status mx9_pack_u8(std::span<const std::uint8_t> values, const ByteConversion &conversion, std::span<Block> blocks) {
  Status status = check_ready(conversion);
  if (status) status = check_contiguous(values.size(), blocks.size());
  if (status) status = check_apart(values, blocks, "blocks");
  if (status) pack_bytes(values.data(), conversion, blocks);
  return status;
}

Status mx9_pack_u8_space_to_depth(std::span<const std::uint8_t> picture, std::size_t channels, std::size_t height, std::size_t width,
                                  const ByteConversion &conversion, std::span<Block> blocks) {
  Status status = check_ready(conversion);
  if (status) status = check_space_to_depth(channels, height, width, "picture", picture.size(), blocks.size());
  if (status) status = check_apart(picture, blocks, "blocks");
  if (!status) return status;
  if (width > kMostPictureRowBytes / channels) return refused("width", width, kMostPictureRowBytes / channels);
  const auto address = reinterpret_cast<std::uintptr_t>(picture.data());
  if (address % 2 != 0) return {ErrorCode::misaligned_address, "picture", -1, signed_of(address), 2};

  // A block has two pixels of a row, and the two pixels below them. The bytes of two neighbours in a row are contiguous.
  const std::size_t row_bytes = width * channels;
  ByteSpread spread;
  spread.step = 2 * channels;
  for (std::size_t pair = 0; pair < 2 * channels; ++pair) {
    spread.pair_offsets[pair] = static_cast<std::uint16_t>(pair < channels ? pair : row_bytes / 2 + pair - channels);
    spread.present[2 * pair] = spread.present[2 * pair + 1] = 0xFF;
  }
  for (std::size_t row = 0; row < height; row += 2) {
    pack_byte_spread(picture.subspan(row * row_bytes).data(), spread, conversion, blocks.subspan(row / 2 * (width / 2), width / 2));
  }
  return {};
}

}  // namespace cox::kernels::mx
