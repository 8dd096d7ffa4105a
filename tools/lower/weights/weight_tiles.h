// SPDX-License-Identifier: MIT
// Which kernels of which layer are loaded at once.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/plan/plan.h"
#include "tools/lower/weights/weights.h"

namespace cox::lower {

/// A run of kernels; none: 0.
struct Slice {
  std::uint32_t first_kernel = 0, kernels = 0;
};

/// What is loaded at once of one layer.
struct WeightTile {
  std::size_t layer = 0;
  std::uint32_t number = 0;   ///< among those of the layer
  std::vector<Slice> slices;  ///< of each core; all the same where cores share images and not kernels
  std::int64_t bytes = 0;     ///< of the longest
};

/// The kernels of a layer that each core computes.
[[nodiscard]] std::vector<Slice> slices_of(const Network &network, const Layer &layer, const Plan &plan);

/// For each layer its tiles: as few as possible of at most plan.tile_bytes, and of half of WL0. Throws NetworkError where the
/// fewest kernels of a layer that can be loaded at once (eight, or whole groups) do not fit half of WL0.
[[nodiscard]] std::vector<std::vector<WeightTile>> tile_weights(const Network &network, const WeightImage &image, const Plan &plan);

}  // namespace cox::lower
