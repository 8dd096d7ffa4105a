// SPDX-License-Identifier: MIT
// Groups the kernels of each layer into tiles. A core loads its kernels of a tile with one instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/plan/plan.h"
#include "tools/lower/weights/weights.h"

namespace cox::lower {

/// A range of kernels; `kernels` is 0 if the range is empty.
struct Slice {
  std::uint32_t first_kernel = 0, kernels = 0;
};

/// Some kernels of a layer. Each core loads its slice of them with one instruction.
struct WeightTile {
  std::size_t layer = 0;
  std::uint32_t number = 0;   ///< number among the layer's tiles
  std::vector<Slice> slices;  ///< kernels for each core: the same for all cores, unless the plan has Division::kernels
  std::int64_t bytes = 0;     ///< bytes of the longest slice
};

/// Returns the kernels of a layer that each core computes.
[[nodiscard]] std::vector<Slice> slices_of(const Network &network, const Layer &layer, const Plan &plan);

/// Returns the tiles of each layer: as few as possible, each at most plan.tile_bytes and half of WL0. A tile may exceed plan.tile_bytes if
/// a layer allows no smaller one. Throws NetworkError if the smallest tile of a layer does not fit half of WL0.
[[nodiscard]] std::vector<std::vector<WeightTile>> tile_weights(const Network &network, const WeightImage &image, const Plan &plan);

}  // namespace cox::lower
