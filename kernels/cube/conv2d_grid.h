// SPDX-License-Identifier: MIT
// Positions of the kernel in a strip, and the part of the map that the strip reads (docs/kernels/cube.md, conv2d). Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/kernels/cube/conv2d_shape.h"
#include "coxswain/kernels/cube/conv2d_tiles.h"

namespace cox::kernels::cube {

/// A strip of output positions, which are numbered row after row. If Conv2dTiles::columns is 0, a strip is `places` consecutive positions,
/// from position `first` on. Otherwise it is a rectangle that has `tiles` rows and `places` positions altogether. Position `first` is its
/// upper left corner.
struct Strip {
  std::uint64_t first = 0;
  std::uint32_t places = 0;
  std::uint32_t tiles = 0;
};

/// A part of the map (the input), and the output positions that read it. The part has at least one row and one column. The positions that
/// belong to it are numbered row by row from 0, `out_width` in each row.
struct MapPiece {
  std::uint32_t row = 0, rows = 1, column = 0, columns = 1;
  std::uint32_t pad_top = 0, pad_left = 0;
  std::uint32_t out_width = 1;
  std::uint32_t first_place = 0;  ///< number of the strip's first position
};

class Conv2dGrid {
 public:
  Conv2dGrid(const Conv2dShape &shape, const Conv2dTiles &tiles);

  [[nodiscard]] std::uint32_t strips() const { return strips_; }
  [[nodiscard]] std::uint64_t tiles_of_image() const { return tiles_of_image_; }
  [[nodiscard]] std::uint32_t tiles_of(std::uint32_t strip) const;
  /// Returns the number of tiles in all strips before `strip`.
  [[nodiscard]] std::uint64_t tiles_before(std::uint32_t strip) const;
  [[nodiscard]] Strip strip(std::uint32_t index) const;
  /// Returns the number of positions in one tile of the strip.
  [[nodiscard]] std::uint32_t places_of(const Strip &strip, std::uint32_t tile) const;
  [[nodiscard]] std::uint64_t first_place_of(const Strip &strip, std::uint32_t tile) const {
    return strip.first + std::uint64_t{tile} * (cut_ ? shape_.out_width : tiles_.tile);
  }
  [[nodiscard]] MapPiece piece(std::uint32_t strip) const;
  /// Returns the part of the map that one element (tap) of the kernel reads.
  [[nodiscard]] MapPiece piece_of_tap(std::uint32_t strip, std::uint32_t kernel_row, std::uint32_t kernel_column) const;

 private:
  const Conv2dShape &shape_;
  const Conv2dTiles &tiles_;
  bool cut_ = false;          ///< rows are cut into pieces
  std::uint32_t pieces_ = 1;  ///< number of pieces that a row is cut into
  std::uint32_t strips_ = 1;
  std::uint64_t tiles_of_image_ = 1;
};

}  // namespace cox::kernels::cube
