// SPDX-License-Identifier: MIT
// Checks of arguments that the conversions to and from MX9 share.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/block_conversion.h"

namespace cox::kernels::mx {

constexpr Status refused(const char *what, std::uint64_t value, std::uint64_t limit) {
  return {ErrorCode::invalid_argument, what, -1, static_cast<std::int64_t>(value), static_cast<std::int64_t>(limit)};
}

/// Returns a * b, or the largest number if the product does not fit. No tensor has that size, so the comparison with a size then fails.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

template <typename Input, typename Output>
Status check_apart(std::span<const Input> input, std::span<Output> output, const char *what) {
  const auto first_input = reinterpret_cast<std::uintptr_t>(input.data());
  const auto first_output = reinterpret_cast<std::uintptr_t>(output.data());
  const bool apart = first_output >= first_input + input.size_bytes() || first_input >= first_output + output.size_bytes();
  return apart ? Status() : Status(ErrorCode::tensor_overlap, what);
}

constexpr Status check_contiguous(std::size_t values, std::size_t blocks) {
  if (values % isa::mx::kBlockElements != 0) return refused("values", values, isa::mx::kBlockElements);
  if (blocks != values / isa::mx::kBlockElements) return refused("blocks", blocks, values / isa::mx::kBlockElements);
  return {};
}

constexpr Status check_planes(std::size_t channels, std::size_t pixels, std::size_t values, std::size_t blocks) {
  if (channels == 0) return refused("channels", 0, 1);
  if (pixels == 0) return refused("pixels", 0, 1);
  if (const std::uint64_t wanted = product(channels, pixels); values != wanted) return refused("values", values, wanted);
  const std::uint64_t wanted = product((channels - 1) / isa::mx::kBlockElements + 1, pixels);
  return blocks == wanted ? Status() : refused("blocks", blocks, wanted);
}

/// Checks an image of `elements` elements that is packed as a space-to-depth map. `what` names the image.
constexpr Status check_space_to_depth(std::size_t channels, std::size_t height, std::size_t width, const char *what, std::size_t elements,
                                      std::size_t blocks) {
  constexpr std::size_t kMostChannels = isa::mx::kBlockElements / 4;
  if (channels == 0 || channels > kMostChannels) return refused("channels", channels, kMostChannels);
  if (height == 0 || height % 2 != 0) return refused("height", height, 2);
  if (width == 0 || width % 2 != 0) return refused("width", width, 2);
  const std::uint64_t plane = product(height, width);
  if (const std::uint64_t wanted = product(plane, channels); elements != wanted) return refused(what, elements, wanted);
  return blocks == plane / 4 ? Status() : refused("blocks", blocks, plane / 4);
}

/// Returns the positions of a block's elements in `channels` planes.
constexpr Spread planes(std::size_t pixels, std::size_t channels) {
  Spread spread{.offsets = {}, .elements = channels, .step = 1};
  for (std::size_t i = 0; i < channels; ++i) spread.offsets[i] = i * pixels;
  return spread;
}

}  // namespace cox::kernels::mx
