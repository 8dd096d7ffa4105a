// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/mx9_pack.h"

#include <algorithm>

#include "coxswain/kernels/mx/block_conversion.h"
#include "coxswain/kernels/mx/conversion_arguments.h"

namespace cox::kernels::mx {

using isa::mx::Block;
using isa::mx::kBlockElements;

namespace {

template <typename Value>
Status pack_contiguous(std::span<const Value> values, std::span<Block> blocks) {
  Status status = check_contiguous(values.size(), blocks.size());
  if (status) status = check_apart(values, blocks, "blocks");
  if (status) pack_blocks(values.data(), blocks);
  return status;
}

}  // namespace

Status mx9_pack(std::span<const float> values, std::span<Block> blocks) { return pack_contiguous(values, blocks); }

Status mx9_pack_bf16(std::span<const std::uint16_t> values, std::span<Block> blocks) { return pack_contiguous(values, blocks); }

Status mx9_pack_planes(std::span<const float> values, std::size_t channels, std::size_t pixels, std::span<Block> blocks) {
  Status status = check_planes(channels, pixels, values.size(), blocks.size());
  if (status) status = check_apart(values, blocks, "blocks");
  if (!status) return status;
  for (std::size_t channel = 0; channel < channels; channel += kBlockElements) {
    const std::size_t rest = std::min<std::size_t>(channels - channel, kBlockElements);
    pack_spread(values.subspan(channel * pixels).data(), planes(pixels, rest), blocks.subspan(channel / kBlockElements * pixels, pixels));
  }
  return {};
}

Status mx9_pack_space_to_depth(std::span<const float> image, std::size_t channels, std::size_t height, std::size_t width,
                               std::span<Block> blocks) {
  Status status = check_space_to_depth(channels, height, width, "image", image.size(), blocks.size());
  if (status) status = check_apart(image, blocks, "blocks");
  if (!status) return status;

  Spread spread{.offsets = {}, .elements = 4 * channels, .step = 2};
  for (std::size_t i = 0; i < 4 * channels; ++i) {
    const std::size_t position = i / channels;
    spread.offsets[i] = i % channels * height * width + position / 2 * width + position % 2;
  }
  for (std::size_t row = 0; row < height; row += 2) {
    pack_spread(image.subspan(row * width).data(), spread, blocks.subspan(row / 2 * (width / 2), width / 2));
  }
  return {};
}

}  // namespace cox::kernels::mx
