// SPDX-License-Identifier: MIT
// How a convolution's tile is spread over the grid of processing elements.
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

/// The cut with which the device takes the fewest cycles.
class GridCuts {
 public:
  explicit GridCuts(const model::TileGeometry &geometry) : geometry_(geometry) {}

  /// Of `tile` its extents, its kernel's, its groups and the formats of source and weights count.
  [[nodiscard]] const GridCut &best(const isa::tile::Convolution &tile);

 private:
  model::TileGeometry geometry_;
  std::map<std::array<std::uint32_t, 10>, GridCut> known_;
};

}  // namespace cox::lower
