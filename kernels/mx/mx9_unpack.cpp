// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/mx9_unpack.h"

#include <algorithm>

#include "coxswain/kernels/mx/block_conversion.h"
#include "coxswain/kernels/mx/conversion_arguments.h"

namespace cox::kernels::mx {

using isa::mx::Block;
using isa::mx::kBlockElements;

namespace {

template <typename Value>
Status unpack_contiguous(std::span<const Block> blocks, std::span<Value> values) {
  Status status = check_contiguous(values.size(), blocks.size());
  if (status) status = check_apart(blocks, values, "values");
  if (status) unpack_blocks(blocks, values.data());
  return status;
}

}  // namespace

Status mx9_unpack(std::span<const Block> blocks, std::span<float> values) { return unpack_contiguous(blocks, values); }

Status mx9_unpack_bf16(std::span<const Block> blocks, std::span<std::uint16_t> values) { return unpack_contiguous(blocks, values); }

Status mx9_unpack_planes(std::span<const Block> blocks, std::size_t channels, std::size_t pixels, std::span<float> values) {
  Status status = check_planes(channels, pixels, values.size(), blocks.size());
  if (status) status = check_apart(blocks, values, "values");
  if (!status) return status;
  for (std::size_t channel = 0; channel < channels; channel += kBlockElements) {
    const std::size_t rest = std::min<std::size_t>(channels - channel, kBlockElements);
    unpack_spread(blocks.subspan(channel / kBlockElements * pixels, pixels), planes(pixels, rest), values.subspan(channel * pixels).data());
  }
  return {};
}

}  // namespace cox::kernels::mx
