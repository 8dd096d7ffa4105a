// SPDX-License-Identifier: MIT
// Weights on their way: DRAM, a ring in L2 where they wait, WL0 (docs/lowering.md, Weights).
#pragma once

#include <map>

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
  /// One core loads a tile from DRAM, the others fetch it from there.
  struct Share {
    unsigned owner = 0;
    std::int64_t number = 0;  ///< of the link
  };

  void stage(const WeightTile &tile, const Origin &origin, const Ring::Place &place);
  void load(const WeightTile &tile, const Origin &origin, std::int64_t address);
  void announce(const Share &share, const Origin &origin, std::int64_t address, std::int64_t bytes);
  void release(const Ring::Entry &evicted, const Origin &origin);
  void copy(const WeightTile &tile, const Share &share, const Origin &origin, std::int64_t address);

  const Work &work_;
  std::vector<std::vector<WeightTile>> tiles_;
  Ring buffer_;   ///< WL0
  Ring staging_;  ///< in L2
  std::map<Ring::Key, Share> shares_;
  std::int64_t staged_ = 0;
};

}  // namespace cox::lower
