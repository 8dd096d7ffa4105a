// SPDX-License-Identifier: MIT
// Which kernels of which layer are in WL0 at once.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/network.h"
#include "tools/lower/weights.h"

namespace cox::lower {

/// A run of kernels of one layer. Tiles take turns in the two halves of WL0, so that one is loaded while the other is used.
struct WeightTile {
  std::size_t layer = 0;
  std::uint32_t first_kernel = 0, kernels = 0;
  std::uint32_t records_offset = 0;  ///< bytes, in the weight image
  std::uint32_t unit = 0;            ///< WL0 address, in units of 64 bytes
  std::int64_t bytes = 0;
};

/// The tiles of all layers, in the order in which they are used. Throws NetworkError where too few kernels fit half of WL0.
[[nodiscard]] std::vector<WeightTile> tile_weights(const Network &network, const WeightImage &image);

}  // namespace cox::lower
