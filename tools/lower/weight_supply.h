// SPDX-License-Identifier: MIT
// Weights on their way: DRAM, a ring in L2 where they wait, WL0 (docs/lowering.md, Weights).
#pragma once

#include "tools/lower/emission.h"
#include "tools/lower/ring.h"
#include "tools/lower/weight_tiles.h"

namespace cox::lower {

class WeightSupply {
 public:
  /// The ring lies behind `first_byte` of L2.
  WeightSupply(const Work &work, std::vector<std::vector<WeightTile>> tiles, std::int64_t first_byte);

  [[nodiscard]] const std::vector<WeightTile> &tiles_of(std::size_t layer) const { return tiles_[layer]; }

  /// Emits what brings a tile into WL0 on every core, as far as it is not there; the unit of WL0 where it is.
  [[nodiscard]] std::int64_t fetch(const WeightTile &tile, const GridCut &cut);

 private:
  void stage(const WeightTile &tile, const Origin &origin, std::int64_t address);

  const Work &work_;
  std::vector<std::vector<WeightTile>> tiles_;
  Ring buffer_;   ///< WL0
  Ring staging_;  ///< in L2
};

}  // namespace cox::lower
