// SPDX-License-Identifier: MIT
// Brings weights from DRAM to WL0. Until WL0 has room, they wait in L2 (docs/lowering.md, Weights).
#pragma once

#include <map>

#include "tools/lower/emit/emission.h"
#include "tools/lower/program/links.h"
#include "tools/lower/weights/ring.h"
#include "tools/lower/weights/staging.h"
#include "tools/lower/weights/weight_tiles.h"

namespace cox::lower {

class WeightSupply {
 public:
  WeightSupply(const Work &work, const WeightImage &weights);

  /// Called before the instructions of the next step. Gives up weights in L2 whose bytes the maps of this step are about to overwrite.
  void begin_step(const Origin &origin);

  [[nodiscard]] const std::vector<WeightTile> &tiles_of(std::size_t layer) const { return tiles_[layer]; }

  /// Emits the instructions that bring a tile into WL0 of every core that does not have it. Returns the tile's first unit of WL0.
  [[nodiscard]] std::int64_t fetch(const WeightTile &tile, const GridCut &cut);

 private:
  [[nodiscard]] std::int64_t record_bytes(const WeightTile &tile) const { return weights_.layers[tile.layer].record_bytes; }
  /// Returns the offset of the tile's bytes in the weight image.
  [[nodiscard]] std::int64_t offset(const WeightTile &tile, unsigned core) const;

  void release(const Ring::Entry &evicted, const Origin &origin);
  void stage(const WeightTile &tile, const Origin &origin, const Ring::Place &place);
  void load(const WeightTile &tile, unsigned core, const Origin &origin, std::int64_t address);
  void copy(const WeightTile &tile, unsigned core, const Link &link, const Origin &origin);
  void move_to_buffer(const WeightTile &tile, unsigned core, const GridCut &cut, const Origin &origin, std::int64_t source,
                      std::int64_t unit);

  const Work &work_;
  const WeightImage &weights_;
  std::vector<std::vector<WeightTile>> tiles_;
  Ring buffer_;  ///< the weights that are in WL0
  Staging staging_;
  std::map<Ring::Key, Link> links_;  ///< for each tile that one core has loaded for all: the link over which the other cores fetch it
  unsigned next_owner_ = 0;
};

}  // namespace cox::lower
