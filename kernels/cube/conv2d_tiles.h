// SPDX-License-Identifier: MIT
// The cutting of a convolution into parts that the buffers hold (docs/kernels/cube.md, The tile chooser of conv2d). Internal to the
// kernels.
//
// A position is a pixel of the output. The map is the input, and k counts the products of an output element's sum. The parts are:
// - block: output channels of one group.
// - tile: consecutive positions. A half of L0C accumulates one tile of one block.
// - strip: neighbouring tiles. The rows of the map that the tiles read are in L1 at the same time.
// - chunk: a part of k. Weights are loaded to L1 in chunks.
// - step: a part of a chunk. Its operands fit half of L0A and half of L0B.
#pragma once

#include <cstdint>

#include "coxswain/kernels/cube/conv2d_shape.h"

namespace cox::kernels::cube {

enum class MapIn : std::uint8_t {
  images,  ///< L1 holds whole images: a row is loaded once
  strips,  ///< L1 holds two strips in turn: rows that two strips share are loaded twice
  taps,    ///< L1 holds the pixels that one output row reads for one kernel element and some channels; works for any shape
};

struct Conv2dTiles {
  MapIn map = MapIn::taps;
  bool weights_outside = false;                ///< the loop over blocks of channels is outside the loops over images and strips, not inside
  bool weights_stay = false;                   ///< all weights are in L1 at once and loaded once
  bool weights_in_l0 = false;                  ///< all weights stay in L0B
  std::uint32_t block = 1;                     ///< output channels in a block; a multiple of 16, or all of a group
  std::uint32_t tile = 1;                      ///< positions in a tile; a multiple of 16, or all
  std::uint32_t strip_tiles = 1;               ///< tiles in a strip; if `columns` is not 0, rows of positions in a strip
  std::uint32_t columns = 0;                   ///< positions in a piece of a row, at most `tile`; 0: rows are not cut
  std::uint32_t step = 1;                      ///< elements of k in a step; a multiple of k_unit()
  std::uint32_t chunk = 1;                     ///< elements of k in a chunk, a multiple of `step`; with MapIn::taps, channels in a chunk
  std::uint32_t map_slots = 1, map_bytes = 0;  ///< number and bytes of the buffers in L1 for images or strips
  std::uint32_t weight_slots = 2, weight_bytes = 0;
  std::uint32_t residual_slots = 0, residual_bytes = 0;
  std::uint64_t cycles = 0;  ///< predicted by the cost model; 0 for MapIn::taps, which is used only if nothing else fits

  [[nodiscard]] std::uint32_t blocks_of_group(const Conv2dShape &shape) const { return (shape.group_outputs() + block - 1) / block; }
  [[nodiscard]] std::uint32_t blocks(const Conv2dShape &shape) const { return blocks_of_group(shape) * shape.groups; }
  /// Return the number of chunks, and of steps, that a tile takes.
  [[nodiscard]] std::uint32_t chunks(const Conv2dShape &shape) const;
  [[nodiscard]] std::uint32_t steps(const Conv2dShape &shape) const;
  [[nodiscard]] std::uint64_t tiles_of_image(const Conv2dShape &shape) const;
  [[nodiscard]] std::uint32_t strips(const Conv2dShape &shape) const;
};

/// Returns the tiles that take the fewest cycles by the cost model. There are tiles for every shape.
[[nodiscard]] Conv2dTiles choose_conv2d_tiles(const Conv2dShape &shape);

/// Returns the bytes of L0B that the weights of a step take.
[[nodiscard]] std::uint32_t step_bytes_of_weights(const Conv2dShape &shape, const Conv2dTiles &tiles);

/// The addresses of the parts of L1. The tables of output channels come first; each part follows the previous one.
struct Conv2dPlaces {
  std::uint32_t biases = 0, factors = 0, residual = 0, weights = 0, map = 0, end = 0;
};
[[nodiscard]] Conv2dPlaces places_in_l1(const Conv2dShape &shape, const Conv2dTiles &tiles);

/// Returns the number of tiles after which the buffer of a tile's residual is known to be free. A tile has `steps` steps. The first MAD of
/// tile t + 2 waits until FIX has read the residual of tile t. The moves two steps after this MAD wait for it.
[[nodiscard]] constexpr std::uint32_t residual_lag(std::uint32_t steps) { return 2 + 2 / steps; }

/// Limit for the choice of tiles: loads to L1 may be at most this many ahead of the moves that wait for them. The flags that loads set for
/// moves can count slightly more: isa::cube::kEvents * isa::cube::kMostFlags = 120.
inline constexpr std::uint32_t kMostLoadsAhead = 100;

}  // namespace cox::kernels::cube
