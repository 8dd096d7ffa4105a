// SPDX-License-Identifier: MIT
// Which kernels of which layer are loaded at once.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/network.h"
#include "tools/lower/weights.h"

namespace cox::lower {

/// A run of kernels of one layer.
struct WeightTile {
  std::size_t layer = 0;
  std::uint32_t first_kernel = 0, kernels = 0;
  std::uint32_t records_offset = 0;  ///< bytes, in the weight image
  std::int64_t bytes = 0;
};

/// For each layer its tiles: as few as possible of at most `tile_bytes`, and of half of WL0. Throws NetworkError where eight kernels of a
/// layer do not fit half of WL0.
[[nodiscard]] std::vector<std::vector<WeightTile>> tile_weights(const Network &network, const WeightImage &image, std::int64_t tile_bytes);

}  // namespace cox::lower
