// SPDX-License-Identifier: MIT
// How a matrix product is cut for the matrix unit: tiles of L0C, steps and blocks along k, what stays in L1 and L0, and what it will cost
// (docs/kernels/cube.md, The tile chooser). At compile time or at call time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/cube/layout.h"
#include "isa/cube/table.h"

namespace cox::kernels::cube {

/// Elements of k that are one or two whole fractals in L0 and whole ones in L1, whichever way the matrix lies there: what k is cut by.
constexpr std::uint32_t k_unit(isa::cube::Type type) { return std::max(isa::cube::fractal_width(type), isa::cube::kFractalRows); }
/// Rows of A, or columns of B, that are whole fractals in L0 and L1: what m and n are cut by. `k_rows`: L1 has rows of k.
constexpr std::uint32_t across_unit(isa::cube::Type type, bool k_rows) { return k_rows ? k_unit(type) : isa::cube::kFractalRows; }

/// What matters of a product C = A * B, C m x n, for how it is cut.
struct Product {
  isa::cube::Type type = isa::cube::Type::bfloat16;
  isa::cube::OutputType to = isa::cube::OutputType::float32;
  std::uint32_t m = 1, n = 1, k = 1;
  std::uint32_t batches = 1;
  bool left_k_rows = false;  ///< memory has A k x m: it is column-major
  bool right_k_rows = true;  ///< memory has B k x n: it is row-major
  bool left_in_l1 = false, right_in_l1 = false;
  bool left_aligned = true, right_aligned = true, output_aligned = true;  ///< rows in memory begin at whole bursts
  bool residual = false;                                                  ///< C is read, too
  std::uint32_t l1_bytes = isa::cube::kL1Bytes;                           ///< for what comes from DRAM

  constexpr bool operator==(const Product &) const = default;
};

/// The unit's rates (docs/model.md, The matrix unit); of a device that has others, predictions are off, results are not.
inline constexpr std::uint32_t kIssueCycles = 4;
inline constexpr std::uint32_t kDramBytes = 128, kDramLatency = 200, kDramBurst = 32;
inline constexpr std::uint32_t kMoveBytes = 256, kOutBytes = 256;  ///< a cycle

/// A product cut. In the outer loop go panels of one operand (the rows of A, or the columns of B, of a tile), in the inner one those of the
/// other. The last tile of each dimension has what is left.
struct Tiling {
  Product product;                       ///< that it cuts
  std::uint32_t m_tile = 0, n_tile = 0;  ///< elements, multiples of across_unit()
  std::uint32_t step_units = 0;          ///< of k, in k_unit()s: of a MAD
  std::uint32_t block_units = 0;         ///< and of what comes to L1 at once, a multiple of that or all of k
  std::uint32_t places = 0;              ///< in L1 for blocks of operands that do not stay
  std::uint32_t panels = 0;              ///< in L1 for panels of the outer operand; 0: it comes anew for each tile
  bool left_outer = true;                ///< the outer operand is A
  bool inner_stays = false;              ///< all of the inner operand stays in L1
  bool outer_in_l0 = false;              ///< a panel of the outer operand stays in L0 for the inner loop
  bool short_start = false;              ///< the first tile's blocks have 1, 1, 2, 4, ... units, so that the array starts early
  std::uint32_t last_piece = 0;          ///< the last tile is cut along the inner dimension, down to less than twice this; 0: it is not
  std::uint64_t cycles = 0;              ///< predicted; 0: nothing fits in `l1_bytes`

  [[nodiscard]] constexpr bool fits() const { return cycles != 0; }
};

/// Bytes in L1 of a panel, or a block of one.
constexpr std::uint64_t panel_bytes(isa::cube::Type type, std::uint32_t across, std::uint32_t k_units) {
  return std::uint64_t{across} * k_units * k_unit(type) * isa::cube::element_bits(type) / 8;
}

/// Units of k of the part that comes next where `rest` are left and at most `most` go into one: two that are as long as each other at the
/// end, and not a short one, behind which the array would wait for moves.
constexpr std::uint32_t part_of(std::uint32_t rest, std::uint32_t most) {
  if (rest <= most) return rest;
  return rest < 2 * most ? (rest + 1) / 2 : most;
}
/// Units of k of the block that begins at `begin`, of `units` in all. Short: 1, 1, 2, 4, ... up to the full length.
constexpr std::uint32_t block_at(std::uint32_t begin, std::uint32_t units, std::uint32_t block_units, bool is_short) {
  const std::uint32_t first = is_short && begin < block_units ? std::max<std::uint32_t>(begin, 1) : block_units;
  return first < block_units ? std::min(first, units - begin) : part_of(units - begin, block_units);
}
struct Count {
  std::uint32_t blocks = 0, steps = 0;
};
/// Of a tile.
constexpr Count count_blocks(std::uint32_t units, std::uint32_t block_units, std::uint32_t step_units, bool is_short) {
  const auto steps_of = [step_units](std::uint32_t block) { return (block + step_units - 1) / step_units; };
  Count count;
  std::uint32_t begin = 0;
  while (begin < units) {
    if (begin % block_units == 0 && units - begin >= 3 * block_units && (begin != 0 || !is_short)) {
      // Many full ones, counted at once.
      const std::uint32_t full = (units - begin) / block_units - 1;
      count.blocks += full;
      count.steps += full * steps_of(block_units);
      begin += full * block_units;
    }
    const std::uint32_t block = block_at(begin, units, block_units, is_short);
    ++count.blocks;
    count.steps += steps_of(block);
    begin += block;
  }
  return count;
}

/// The next piece of the last tile, of which `rest` is left: halves, so that FIX is done with one when the array is with the next, and one
/// of `last_piece` at the end, so that little is left to FIX alone.
constexpr std::uint32_t piece_of(std::uint32_t rest, std::uint32_t last_piece, std::uint32_t across_unit) {
  if (last_piece == 0 || rest < 2 * last_piece) return rest;
  if (rest > 4 * last_piece) return (rest / 2 + across_unit - 1) / across_unit * across_unit;
  return (rest - last_piece + across_unit - 1) / across_unit * across_unit;
}

/// The cheapest of a few good ones. Sizes are at least 1.
[[nodiscard]] constexpr Tiling choose_tiling(const Product &product);

}  // namespace cox::kernels::cube

#include "kernels/cube/tile_cost.h"
