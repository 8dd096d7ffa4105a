// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d_grid.h"

#include <algorithm>

namespace cox::kernels::cube {
namespace {

/// The rows, or the columns, of a part of the map.
struct Side {
  std::uint32_t first = 0, count = 1, pad = 0;
  bool behind = false;  ///< all positions lie behind the map, so nothing of it is read
};

/// Returns the rows of the map that `count` rows of output read, beginning with output row `place`. Does the same for columns. The result
/// has at least one row, because a MapPiece must not be empty.
Side side_of(std::uint32_t size, std::uint32_t place, std::uint32_t count, std::uint32_t stride, std::uint32_t pad, std::uint64_t reach) {
  const std::int64_t first = std::int64_t{place} * stride - pad;
  const std::int64_t last = first + std::int64_t{count - 1} * stride + static_cast<std::int64_t>(reach);
  Side side;
  if (first >= size) return {size - 1, 1, 0, true};
  side.first = static_cast<std::uint32_t>(std::max<std::int64_t>(first, 0));
  side.count = static_cast<std::uint32_t>(std::clamp<std::int64_t>(last, 1, size)) - side.first;
  side.pad = static_cast<std::uint32_t>(std::max<std::int64_t>(-first, 0));
  return side;
}

}  // namespace

Conv2dGrid::Conv2dGrid(const Conv2dShape &shape, const Conv2dTiles &tiles)
    : shape_(shape),
      tiles_(tiles),
      cut_(tiles.columns != 0),
      pieces_(tiles.columns == 0 ? 1 : (shape.out_width + tiles.columns - 1) / tiles.columns),
      strips_(tiles.strips(shape)),
      tiles_of_image_(tiles.tiles_of_image(shape)) {}

std::uint32_t Conv2dGrid::tiles_of(std::uint32_t strip) const {
  if (!cut_) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(tiles_.strip_tiles, tiles_of_image_ - std::uint64_t{strip} * tiles_.strip_tiles));
  }
  return std::min(tiles_.strip_tiles, shape_.out_height - strip / pieces_ * tiles_.strip_tiles);
}

std::uint64_t Conv2dGrid::tiles_before(std::uint32_t strip) const {
  if (!cut_) return std::uint64_t{strip} * tiles_.strip_tiles;
  const std::uint64_t rows = std::uint64_t{strip / pieces_} * tiles_.strip_tiles;
  return rows * pieces_ + std::uint64_t{strip % pieces_} * tiles_of(strip);
}

Strip Conv2dGrid::strip(std::uint32_t index) const {
  Strip strip;
  strip.tiles = tiles_of(index);
  if (!cut_) {
    strip.first = std::uint64_t{index} * tiles_.strip_tiles * tiles_.tile;
    strip.places =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{tiles_.strip_tiles} * tiles_.tile, shape_.places() - strip.first));
    return strip;
  }
  const std::uint32_t column = index % pieces_ * tiles_.columns;
  strip.first = std::uint64_t{index / pieces_} * tiles_.strip_tiles * shape_.out_width + column;
  strip.places = strip.tiles * std::min(tiles_.columns, shape_.out_width - column);
  return strip;
}

std::uint32_t Conv2dGrid::places_of(const Strip &strip, std::uint32_t tile) const {
  if (cut_) return strip.places / strip.tiles;
  return std::min(tiles_.tile, strip.places - tile * tiles_.tile);
}

MapPiece Conv2dGrid::piece(std::uint32_t index) const {
  const Strip own = strip(index);
  const auto row = static_cast<std::uint32_t>(own.first / shape_.out_width);
  const auto column = static_cast<std::uint32_t>(own.first % shape_.out_width);
  MapPiece piece;
  std::uint32_t rows = own.tiles;
  if (!cut_) {
    rows = static_cast<std::uint32_t>((own.first + own.places - 1) / shape_.out_width) - row + 1;
    piece.out_width = shape_.out_width;
    piece.first_place = column;
    piece.columns = shape_.width;
    piece.pad_left = shape_.pad_left;
  } else {
    piece.out_width = own.places / own.tiles;
  }
  const std::uint64_t reach_y = std::uint64_t{shape_.kernel_height - 1} * shape_.dilation_y + 1;
  Side side = side_of(shape_.height, row, rows, shape_.stride_y, shape_.pad_top, reach_y);
  bool behind = side.behind;
  piece.row = side.first;
  piece.rows = side.count;
  piece.pad_top = side.pad;
  if (cut_) {
    const std::uint64_t reach_x = std::uint64_t{shape_.kernel_width - 1} * shape_.dilation_x + 1;
    side = side_of(shape_.width, column, piece.out_width, shape_.stride_x, shape_.pad_left, reach_x);
    behind = behind || side.behind;
    piece.column = side.first;
    piece.columns = side.count;
    piece.pad_left = side.pad;
  }
  if (behind) {
    // The strip reads only padding, but a piece needs a row. Only positions with numbers below out_width would read this row.
    piece.rows = 1;
    piece.pad_top = 0;
    piece.first_place += piece.out_width;
  }
  return piece;
}

MapPiece Conv2dGrid::piece_of_tap(std::uint32_t index, std::uint32_t kernel_row, std::uint32_t kernel_column) const {
  const Strip own = strip(index);
  const std::uint64_t row = own.first / shape_.out_width, column = own.first % shape_.out_width;
  MapPiece piece;
  piece.out_width = own.places;
  const auto y = static_cast<std::int64_t>(row * shape_.stride_y + std::uint64_t{kernel_row} * shape_.dilation_y) - shape_.pad_top;
  const auto x = static_cast<std::int64_t>(column * shape_.stride_x + std::uint64_t{kernel_column} * shape_.dilation_x) - shape_.pad_left;
  const std::int64_t stride = shape_.stride_x;
  const std::int64_t skipped = x >= 0 ? 0 : (stride - x - 1) / stride;  // positions before the map
  const std::int64_t first = x + skipped * stride;
  const std::int64_t count = first >= shape_.width ? 0 : (shape_.width - first - 1) / stride + 1;
  if (y < 0 || y >= shape_.height || count == 0 || skipped >= own.places) {
    // The strip reads only padding, but a piece needs a row. Only positions with numbers below own.places would read this row.
    piece.first_place = own.places;
    return piece;
  }
  piece.row = static_cast<std::uint32_t>(y);
  piece.column = static_cast<std::uint32_t>(first);
  piece.columns = static_cast<std::uint32_t>(std::min<std::int64_t>(count, own.places - skipped));
  piece.pad_left = static_cast<std::uint32_t>(skipped);
  return piece;
}

}  // namespace cox::kernels::cube
