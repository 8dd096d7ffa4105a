// SPDX-License-Identifier: MIT
// Division of a convolution's tile over the grid of processing elements.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "sim/model/tile/duration.h"

namespace cox::lower {

struct GridCut {
  isa::tile::CutMode x = isa::tile::CutMode::CUT_K, y = isa::tile::CutMode::CUT_H;
  model::Cycle cycles = 0;
};

/// Chooses the two dimensions along which the processing elements divide a convolution's tile, for the fewest cycles.
class GridCuts {
 public:
  explicit GridCuts(const model::TileGeometry &geometry) : geometry_(geometry) {}

  /// The result depends on the extents of the tile and of its kernel, on the number of groups, and on the formats of source and weights.
  [[nodiscard]] const GridCut &best(const isa::tile::Convolution &tile);

 private:
  model::TileGeometry geometry_;
  std::map<std::array<std::uint32_t, 10>, GridCut> known_;
};

}  // namespace cox::lower
