// SPDX-License-Identifier: MIT
#include "tools/lower/emit/grid.h"

namespace cox::lower {

using isa::tile::CutMode;

const GridCut &GridCuts::best(const isa::tile::Convolution &tile) {
  const auto [entry, is_new] = known_.try_emplace({tile.batch, tile.kernels, tile.channels, tile.height, tile.width, tile.kernel_height,
                                                   tile.kernel_width, tile.groups, static_cast<std::uint32_t>(tile.source.format.format),
                                                   static_cast<std::uint32_t>(tile.weight_format.format)});
  GridCut &best = entry->second;
  if (!is_new) return best;
  best.cycles = model::kNever;
  constexpr CutMode kCuts[] = {CutMode::CUT_K, CutMode::CUT_H, CutMode::CUT_W, CutMode::CUT_N, CutMode::CUT_C};
  for (const CutMode x : kCuts) {
    for (const CutMode y : kCuts) {
      const model::Cycle cycles = model::duration_of(tile, x, y, geometry_).fixed;
      if (cycles < best.cycles) best = {x, y, cycles};
    }
  }
  return best;
}

}  // namespace cox::lower
