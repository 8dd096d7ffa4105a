// SPDX-License-Identifier: MIT
// The cost model of a convolution for a given tiling (docs/kernels/cube.md, The tile chooser of conv2d). Internal to the kernels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/kernels/cube/conv2d_shape.h"
#include "coxswain/kernels/cube/conv2d_tiles.h"
#include "coxswain/kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {

/// The facts of a shape that do not depend on the tiling.
struct Conv2dProblem {
  const Conv2dShape &shape;
  std::uint32_t unit = 0;  ///< elements of k in the smallest part that k is cut into
  std::uint32_t unit_fractals = 0;
  std::uint64_t depth = 0;  ///< elements of k
  std::uint64_t units = 0;  ///< length of k, in parts of `unit` elements
  std::uint64_t places = 0;
  std::uint64_t row_bytes = 0;   ///< bytes of a row of the map in L1
  std::uint64_t boundaries = 0;  ///< extra L1 accesses for each row of im2col, because data cross 32-byte boundaries

  explicit Conv2dProblem(const Conv2dShape &given);

  /// Returns the number of rows of the map that `out_rows` rows of the output read.
  [[nodiscard]] std::uint64_t rows_of(std::uint64_t out_rows) const {
    return std::min<std::uint64_t>(shape.height,
                                   (out_rows - 1) * shape.stride_y + std::uint64_t{shape.kernel_height - 1} * shape.dilation_y + 1);
  }
  [[nodiscard]] std::uint64_t columns_of(std::uint64_t out_columns) const {
    return std::min<std::uint64_t>(shape.width,
                                   (out_columns - 1) * shape.stride_x + std::uint64_t{shape.kernel_width - 1} * shape.dilation_x + 1);
  }
  /// Returns an upper bound for the number of output rows in which `count` consecutive positions lie, starting at a multiple of `count`.
  [[nodiscard]] std::uint64_t out_rows_of(std::uint64_t count) const {
    const std::uint64_t width = shape.out_width;
    return std::min<std::uint64_t>(shape.out_height, count % width == 0 ? count / width : (count + width - 2) / width + 1);
  }
};

constexpr std::uint64_t divided_up(std::uint64_t dividend, std::uint64_t divisor) { return (dividend + divisor - 1) / divisor; }
/// Drops the upper 32 bits, which callers know to be 0.
constexpr std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// Returns the cycles of the convolution, without those of flags and of the core. MADs, moves to L0, FIX and the DRAM port all work at the
/// same time, so the longest of their times counts. The time before the first product and after the last one is added.
[[nodiscard]] std::uint64_t conv2d_cycles(const Conv2dProblem &problem, const Conv2dTiles &tiles);

}  // namespace cox::kernels::cube
