// SPDX-License-Identifier: MIT
// Chooses how the matrix unit computes a matrix product: the sizes of tiles, steps and blocks, and which operands stay in L1 and L0. It
// also predicts the cost (docs/kernels/cube.md, The tile chooser). It runs at compile time or at call time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/isa/cube/layout.h"
#include "coxswain/isa/cube/table.h"

namespace cox::kernels::cube {

/// Returns the unit in which k is cut, in elements. It is the smallest number of elements that fills whole fractals in L0 and in either
/// layout of L1. In L0 a unit is as wide as one fractal, or as two for FP32.
constexpr std::uint32_t k_unit(isa::cube::Type type) { return std::max(isa::cube::fractal_width(type), isa::cube::kFractalRows); }
/// Returns the unit in which m and n are cut: the number of rows of A, or columns of B, that fill whole fractals in L0 and L1. `k_rows` is
/// true if each row of the matrix in L1 holds the elements with the same index along k.
constexpr std::uint32_t across_unit(isa::cube::Type type, bool k_rows) { return k_rows ? k_unit(type) : isa::cube::kFractalRows; }

/// The properties of a product C = A * B, with C m x n, that decide how it is cut.
struct Product {
  isa::cube::Type type = isa::cube::Type::bfloat16;
  isa::cube::OutputType to = isa::cube::OutputType::float32;
  std::uint32_t m = 1, n = 1, k = 1;
  std::uint32_t batches = 1;
  bool left_k_rows = false;  ///< memory has A as k x m: A is column-major
  bool right_k_rows = true;  ///< memory has B as k x n: B is row-major
  bool left_in_l1 = false, right_in_l1 = false;
  bool left_aligned = true, right_aligned = true, output_aligned = true;  ///< each row in memory begins at the start of a burst
  bool residual = false;                                                  ///< C is an input, too
  std::uint32_t l1_bytes = isa::cube::kL1Bytes;                           ///< bytes of L1 for operands that come from DRAM

  constexpr bool operator==(const Product &) const = default;
};

/// The unit's speed (docs/model.md, The matrix unit). On a device with another speed, predictions are off but results are right.
inline constexpr std::uint32_t kIssueCycles = 4;
inline constexpr std::uint32_t kDramBytes = 128, kDramLatency = 200, kDramBurst = 32;
inline constexpr std::uint32_t kMoveBytes = 256, kOutBytes = 256;  ///< bytes for each cycle

/// The cutting of a product. A panel is the rows of A, or the columns of B, that one tile needs. The outer loop goes through the panels of
/// one operand (the outer operand), the inner loop through those of the other (the inner operand). The last tile of each dimension has the
/// rest.
struct Tiling {
  Product product;                       ///< the product that is cut
  std::uint32_t m_tile = 0, n_tile = 0;  ///< elements, multiples of across_unit()
  std::uint32_t step_units = 0;          ///< k_unit()s of k in the step of one MAD
  std::uint32_t block_units = 0;         ///< k_unit()s of k loaded to L1 at once: a multiple of step_units, or all of k
  std::uint32_t places = 0;              ///< places in L1 for blocks of operands that are loaded block by block
  std::uint32_t panels = 0;              ///< places in L1 for panels of the outer operand; 0: each tile loads its panel again
  bool left_outer = true;                ///< the outer operand is A; false: it is B
  bool inner_stays = false;              ///< all of the inner operand stays in L1
  bool outer_in_l0 = false;              ///< a panel of the outer operand stays in L0 for the inner loop
  bool short_start = false;              ///< the first blocks have 1, 1, 2, 4, ... units, so that the first MAD starts early
  std::uint32_t last_piece = 0;  ///< the last tile is computed in pieces, the last of which has about this size (piece_of()); 0: no pieces
  std::uint64_t cycles = 0;      ///< predicted; 0: nothing fits in `l1_bytes`

  [[nodiscard]] constexpr bool fits() const { return cycles != 0; }
};

/// Returns the bytes in L1 of a panel, or of a block of a panel.
constexpr std::uint64_t panel_bytes(isa::cube::Type type, std::uint32_t across, std::uint32_t k_units) {
  return std::uint64_t{across} * k_units * k_unit(type) * isa::cube::element_bits(type) / 8;
}

/// Returns the length, in units of k, of the next part if `rest` units are left and a part has at most `most`. The last two parts get equal
/// lengths: after a short part, the array would have to wait for moves.
constexpr std::uint32_t part_of(std::uint32_t rest, std::uint32_t most) {
  if (rest <= most) return rest;
  return rest < 2 * most ? (rest + 1) / 2 : most;
}
/// Returns the length, in units of k, of the block that begins at unit `begin` of `units`. If `is_short`, blocks have 1, 1, 2, 4, ...
/// units, up to the full length.
constexpr std::uint32_t block_at(std::uint32_t begin, std::uint32_t units, std::uint32_t block_units, bool is_short) {
  const std::uint32_t first = is_short && begin < block_units ? std::max<std::uint32_t>(begin, 1) : block_units;
  return first < block_units ? std::min(first, units - begin) : part_of(units - begin, block_units);
}
struct Count {
  std::uint32_t blocks = 0, steps = 0;
};
/// Counts the blocks and steps of a tile.
constexpr Count count_blocks(std::uint32_t units, std::uint32_t block_units, std::uint32_t step_units, bool is_short) {
  const auto steps_of = [step_units](std::uint32_t block) { return (block + step_units - 1) / step_units; };
  Count count;
  std::uint32_t begin = 0;
  while (begin < units) {
    if (begin % block_units == 0 && units - begin >= 3 * block_units && (begin != 0 || !is_short)) {
      // Counts all full blocks except the last one, which part_of() may shorten. The code below counts that one.
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

/// Returns the size of the next piece of the last tile along the inner dimension; `rest` is the size that is left. A piece is half of the
/// rest, so that FIX finishes one piece while the array computes the next. The last piece has about the size `last_piece`, so that FIX has
/// little left to do after the array has ended.
constexpr std::uint32_t piece_of(std::uint32_t rest, std::uint32_t last_piece, std::uint32_t across_unit) {
  if (last_piece == 0 || rest < 2 * last_piece) return rest;
  if (rest > 4 * last_piece) return (rest / 2 + across_unit - 1) / across_unit * across_unit;
  return (rest - last_piece + across_unit - 1) / across_unit * across_unit;
}

/// Returns the tiling with the lowest predicted cost among a few good ones. Sizes are at least 1.
[[nodiscard]] constexpr Tiling choose_tiling(const Product &product);

}  // namespace cox::kernels::cube

#include "coxswain/kernels/cube/tile_cost.h"
