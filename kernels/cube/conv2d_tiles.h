// SPDX-License-Identifier: MIT
// How a convolution is cut into what the buffers hold (docs/kernels/cube.md, The tile chooser of conv2d). Of the kernels' inside.
//
// Output channels are cut into blocks (inside of a group), places of the kernel into tiles; a tile of a block is summed up in a half of
// L0C. The tiles of a strip are made from rows of the map that lie in L1 together. k is cut into chunks, which weights are loaded by, and
// those into steps, which fill halves of L0A and L0B.
#pragma once

#include <cstdint>

#include "kernels/cube/conv2d_shape.h"

namespace cox::kernels::cube {

enum class MapIn : std::uint8_t {
  images,  ///< L1 holds whole images: a row is loaded once
  strips,  ///< strips by turns: rows that two strips share are loaded twice
  taps,    ///< one row of places for one place of the kernel and a part of the channels: what does for any shape
};

struct Conv2dTiles {
  MapIn map = MapIn::taps;
  bool weights_outside = false;                ///< a block is made for all images before the next one begins; else all blocks of a strip
  bool weights_stay = false;                   ///< all of them are in L1 at once, and loaded once
  bool weights_in_l0 = false;                  ///< all of them stay in L0B
  std::uint32_t block = 1;                     ///< output channels; a multiple of 16, or all of a group
  std::uint32_t tile = 1;                      ///< places; a multiple of 16, or all
  std::uint32_t strip_tiles = 1;               ///< with `columns`: rows of places
  std::uint32_t columns = 0;                   ///< places of a piece of a row, at most `tile`; 0: rows are not cut
  std::uint32_t step = 1;                      ///< elements of k; a multiple of k_unit()
  std::uint32_t chunk = 1;                     ///< a multiple of `step`; taps: channels
  std::uint32_t map_slots = 1, map_bytes = 0;  ///< buffers in L1 of images or strips
  std::uint32_t weight_slots = 2, weight_bytes = 0;
  std::uint32_t residual_slots = 0, residual_bytes = 0;
  std::uint64_t cycles = 0;  ///< that the cost model expects; 0: the shape left no choice

  [[nodiscard]] std::uint32_t blocks_of_group(const Conv2dShape &shape) const { return (shape.group_outputs() + block - 1) / block; }
  [[nodiscard]] std::uint32_t blocks(const Conv2dShape &shape) const { return blocks_of_group(shape) * shape.groups; }
  /// Chunks and steps of a tile.
  [[nodiscard]] std::uint32_t chunks(const Conv2dShape &shape) const;
  [[nodiscard]] std::uint32_t steps(const Conv2dShape &shape) const;
  [[nodiscard]] std::uint64_t tiles_of_image(const Conv2dShape &shape) const;
  [[nodiscard]] std::uint32_t strips(const Conv2dShape &shape) const;
};

/// The tiles that take the fewest cycles by the cost model. There are some for every shape.
[[nodiscard]] Conv2dTiles choose_conv2d_tiles(const Conv2dShape &shape);

/// Bytes of L0B that the weights of a step take.
[[nodiscard]] std::uint32_t step_bytes_of_weights(const Conv2dShape &shape, const Conv2dTiles &tiles);

/// Where the parts lie in L1: tables of channels first, each behind the one before.
struct Conv2dPlaces {
  std::uint32_t biases = 0, factors = 0, residual = 0, weights = 0, map = 0, end = 0;
};
[[nodiscard]] Conv2dPlaces places_in_l1(const Conv2dShape &shape, const Conv2dTiles &tiles);

/// Tiles from the one whose residual has a buffer to the one by whose moves the buffer is known to be free: FIX frees L0C for the tile
/// after the next, and the array frees L0A for the step after the next.
[[nodiscard]] constexpr std::uint32_t residual_lag(std::uint32_t steps) { return 2 + 2 / steps; }

/// Loads to L1 that nothing waited for yet: as many as flags count.
inline constexpr std::uint32_t kMostLoadsAhead = 100;

}  // namespace cox::kernels::cube
