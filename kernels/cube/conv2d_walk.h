// SPDX-License-Identifier: MIT
// The order in which a convolution's tiles are computed, chunk by chunk of k. Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/kernels/cube/conv2d_grid.h"

namespace cox::kernels::cube {

class Conv2dWalk {
 public:
  Conv2dWalk(const Conv2dShape &shape, const Conv2dTiles &tiles, const Conv2dGrid &grid)
      : grid_(&grid),
        images_(shape.batch),
        blocks_(tiles.blocks(shape)),
        chunks_(tiles.chunks(shape)),
        weights_outside_(tiles.weights_outside),
        tiles_of_strip_(grid.tiles_of(0)) {}

  std::uint32_t image = 0, strip = 0, block = 0, tile = 0, chunk = 0;
  std::uint64_t tiles_made = 0;

  [[nodiscard]] bool done() const { return image == images_ || block == blocks_; }
  [[nodiscard]] std::uint32_t chunks() const { return chunks_; }
  [[nodiscard]] std::uint32_t blocks() const { return blocks_; }
  [[nodiscard]] std::uint32_t images() const { return images_; }
  [[nodiscard]] std::uint32_t tiles_of_strip() const { return tiles_of_strip_; }
  /// Returns the number of chunks before this one. Conv2dLoader calls this number the chunk's time.
  [[nodiscard]] std::uint64_t time() const { return tiles_made * chunks_ + chunk; }

  void next() {
    if (++chunk < chunks_) return;
    chunk = 0;
    ++tiles_made;
    if (++tile < tiles_of_strip_) return;
    tile = 0;
    if (!weights_outside_ && ++block < blocks_) return;
    if (!weights_outside_) block = 0;
    next_strip();
  }

 private:
  void next_strip() {
    if (++strip == grid_->strips()) {
      strip = 0;
      ++image;
      if (weights_outside_ && image == images_ && ++block < blocks_) image = 0;
    }
    tiles_of_strip_ = grid_->tiles_of(strip);
  }

  const Conv2dGrid *grid_;
  std::uint32_t images_, blocks_, chunks_;
  bool weights_outside_;
  std::uint32_t tiles_of_strip_;
};

}  // namespace cox::kernels::cube
