// SPDX-License-Identifier: MIT
// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/operation_map.h"
#include "coxswain/isa/unity/run.h"

namespace cox::isa::unity {

/// EMBEDDING and ONE_HOT: result[i] is a row of `width` elements that index[i] chooses. Runs have no gaps between rows, also in units of 4
/// bits.
/// - EMBEDDING: row index[i] of the table. An index outside is refused while the operation runs.
/// - ONE_HOT: 1 at place index[i] and 0 elsewhere. An index outside gives zeros.
struct Lookup {
  Opcode op{};
  Run table{};  ///< EMBEDDING: [rows][width]; ONE_HOT: no elements
  Run index{};  ///< s32
  Run result{};
  std::uint64_t rows = 0;   ///< of the table
  std::uint32_t width = 1;  ///< 1 to 4095
};

/// PIXEL_SHUFFLE and PIXEL_UNSHUFFLE. Channel (c * scale + i) * scale + j of pixel (h, w) in the coarse map is channel c of pixel (h *
/// scale
/// + i, w * scale + j) in the fine map. The coarse map is the source of PIXEL_SHUFFLE and the result of PIXEL_UNSHUFFLE. Both are dense and
/// of one unit.
struct PixelShuffle {
  Opcode op{};
  FeatureMap source{}, result{};
  std::uint32_t scale = 1;  ///< 1 to 31
};

/// GRID_SAMPLE: result (h, w, c) is the map at the coordinates (x, y) = grid[h][w]. -1 and 1 are the centres of the outermost elements if
/// corners are aligned, else the map's edges. All have one float unit; maps are dense.
struct GridSample {
  enum class Padding : std::uint8_t { zeros, border, reflection };
  FeatureMap source{}, result{};
  Run grid{};  ///< [result.height][result.width][2]
  Padding padding{};
  bool nearest = false;  ///< the nearest element, halves to the even one; else bilinear
  bool align_corners = false;
};

/// AFFINE_GRID: the coordinates (x, y) for GRID_SAMPLE, which are the matrix times (x of the column, y of the line, 1).
struct AffineGrid {
  Run matrix{};                         ///< [2][3]
  Run result{};                         ///< [height][width][2], of the same float unit
  std::uint32_t height = 1, width = 1;  ///< 1 to 4095
  bool align_corners = false;           ///< the outermost columns and lines are at -1 and 1; else their outer edges
};

}  // namespace cox::isa::unity
