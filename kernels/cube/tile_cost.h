// SPDX-License-Identifier: MIT
// The search of choose_tiling() and its cost model (docs/kernels/cube.md, The tile chooser). kernels/cube/tile_chooser.h includes this
// file.
#pragma once

#include "coxswain/isa/cube/table.h"
#include "coxswain/kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {
namespace detail {

inline constexpr std::uint32_t kHalfOfL0 = isa::cube::kL0ABytes / 2 / isa::cube::kFractalBytes;  // in fractals
inline constexpr std::uint32_t kHalfOfL0C = isa::cube::kL0CBytes / 2 / isa::cube::kAccumulatorFractalBytes;
inline constexpr auto kMostK = static_cast<std::uint32_t>(isa::cube::field<isa::cube::Opcode::MAD, "K">().maximum);
inline constexpr std::uint32_t kGoodBlockBytes = 160U << 10, kGoodPlaces = 3, kMostPlaces = 6;

constexpr std::uint32_t divided_up(std::uint32_t dividend, std::uint32_t divisor) { return (dividend + divisor - 1) / divisor; }
constexpr std::uint32_t rounded_up(std::uint32_t value, std::uint32_t unit) { return divided_up(value, unit) * unit; }

/// One way to cut the product, under evaluation.
struct Cut {
  const Product &product;
  Tiling tiling;
  std::uint32_t unit, unit_fractals, k_units;  // elements in a unit of k; fractals in a unit of k; units in all of k
  std::uint32_t m_fractals, n_fractals;        // sides of a tile
  // Numbers of panels (Tiling): of the outer operand in one batch, of the inner operand in one batch, of the outer operand in all batches.
  std::uint32_t outer_tiles, inner_tiles, all_panels;
  std::uint32_t outer_tile, inner_tile, inner_unit;
  bool outer_comes, inner_comes;  // the operand is loaded from DRAM
  std::uint64_t all_steps = 0;

  constexpr Cut(const Product &cut_product, std::uint32_t m_tile, std::uint32_t n_tile, bool left_outer)
      : product(cut_product),
        unit(k_unit(cut_product.type)),
        unit_fractals(unit / isa::cube::fractal_width(cut_product.type)),
        k_units(divided_up(cut_product.k, unit)),
        m_fractals(m_tile / isa::cube::kFractalRows),
        n_fractals(n_tile / isa::cube::kFractalRows),
        outer_tiles(left_outer ? divided_up(cut_product.m, m_tile) : divided_up(cut_product.n, n_tile)),
        inner_tiles(left_outer ? divided_up(cut_product.n, n_tile) : divided_up(cut_product.m, m_tile)),
        all_panels(outer_tiles * cut_product.batches),
        outer_tile(left_outer ? m_tile : n_tile),
        inner_tile(left_outer ? n_tile : m_tile),
        inner_unit(across_unit(cut_product.type, left_outer ? cut_product.right_k_rows : cut_product.left_k_rows)),
        outer_comes(!(left_outer ? cut_product.left_in_l1 : cut_product.right_in_l1)),
        inner_comes(!(left_outer ? cut_product.right_in_l1 : cut_product.left_in_l1)) {
    tiling.m_tile = m_tile;
    tiling.n_tile = n_tile;
    tiling.left_outer = left_outer;
  }

  [[nodiscard]] constexpr std::uint32_t outer_fractals() const { return tiling.left_outer ? m_fractals : n_fractals; }
  [[nodiscard]] constexpr std::uint32_t last_inner() const {
    return (tiling.left_outer ? product.n : product.m) - (inner_tiles - 1) * inner_tile;
  }

  /// Cuts k into as few steps as the halves of L0 allow, of about equal length. Returns false if not even one unit of k fits.
  constexpr bool choose_step() {
    const std::uint32_t across = std::max(m_fractals, n_fractals) * unit_fractals;
    if (across > kHalfOfL0) return false;
    const std::uint32_t most = std::min(kHalfOfL0 / across, kMostK / unit);
    const std::uint32_t steps = divided_up(k_units, most);
    tiling.step_units = divided_up(k_units, steps);
    all_steps = std::uint64_t{all_panels} * inner_tiles * steps;
    return true;
  }
  /// Returns the cycles of the array if it never waited.
  [[nodiscard]] constexpr std::uint64_t array_cycles() const {
    const std::uint64_t m_all = divided_up(product.m, isa::cube::kFractalRows), n_all = divided_up(product.n, isa::cube::kFractalRows);
    return m_all * n_all * product.batches * (std::uint64_t{k_units} * unit_fractals) + kIssueCycles * all_steps;
  }

  /// Returns true if a panel of the outer operand fits into L0 if it is cut into steps of `step` units. The steps lie in the two halves of
  /// L0 in turn.
  [[nodiscard]] constexpr bool fits_l0(std::uint32_t step, bool is_short) const {
    const std::uint32_t steps = count_blocks(k_units, step, step, is_short).steps;
    return divided_up(steps, 2) * outer_fractals() * unit_fractals * step <= kHalfOfL0;
  }

  /// Decides whether a panel of the outer operand (Tiling) stays in L0 for all tiles that use it.
  constexpr void choose_l0() {
    tiling.short_start = true;
    if (all_panels == 1) {
      const std::uint32_t step = std::min(tiling.step_units, divided_up(k_units, 4));
      if (fits_l0(step, true)) {
        tiling.step_units = step;
        all_steps = std::uint64_t{inner_tiles} * divided_up(k_units, step);
        tiling.outer_in_l0 = true;
      }
    } else if (inner_tiles > 1 && !product.residual && fits_l0(tiling.step_units, false)) {
      // A short start (Tiling::short_start) would cut the panel in L0 into more steps. Each tile that uses the panel would take longer.
      tiling.outer_in_l0 = true;
      tiling.short_start = false;
    }
  }

  /// Makes all blocks equally long: changes `block` to a divisor of `steps` that is near it, if there is one. `most` is the number of steps
  /// for which L1 has room.
  constexpr void choose_even_blocks(std::uint32_t &block, std::uint32_t steps, std::uint32_t most) {
    if (block == 1 || steps % block == 0 || k_units % tiling.step_units != 0) return;
    for (std::uint32_t longer = block + 1; longer <= 2 * block && longer * kGoodPlaces <= most && longer * kGoodPlaces <= steps; ++longer) {
      if (steps % longer != 0) continue;
      block = longer;
      tiling.places = std::min(tiling.places, most / block);
      return;
    }
    for (std::uint32_t shorter = block - 1; 2 * shorter >= block; --shorter) {
      if (steps % shorter != 0) continue;
      block = shorter;
      return;
    }
  }

  /// Chooses the length of blocks, and the number of their places in L1, for operands that are loaded block by block. Returns false if not
  /// even one place for a block fits into `room`.
  constexpr bool choose_blocks(std::uint64_t room, bool outer_streams, bool inner_streams) {
    const std::uint32_t across = (outer_streams ? outer_tile : 0) + (inner_streams ? inner_tile : 0);
    const auto step_bytes = static_cast<std::uint32_t>(panel_bytes(product.type, across, tiling.step_units));
    const std::uint32_t steps = divided_up(k_units, tiling.step_units);
    std::uint32_t block = std::clamp<std::uint32_t>(kGoodBlockBytes / step_bytes, 1, steps);
    if (steps > 1) block = std::min(block, divided_up(steps, 2));  // one block is loaded while the other is used
    if (tiling.outer_in_l0 && tiling.short_start) block = 1;
    tiling.places = kMostPlaces;
    while (std::uint64_t{tiling.places} * block * step_bytes > room) {
      if (tiling.places > kGoodPlaces || block == 1) {
        if (--tiling.places == 0) return false;
      } else {
        --block;
      }
    }
    choose_even_blocks(block, steps, static_cast<std::uint32_t>(room) / step_bytes);
    tiling.block_units = block * tiling.step_units;
    const std::uint32_t blocks = divided_up(k_units, tiling.block_units);
    // With more than 2 * `blocks` places, the load of C would wait so long that the next load need not wait. Its flag would be unnecessary,
    // and kernels set only necessary flags (docs/design.md, Decisions).
    if (product.residual) tiling.places = std::min(tiling.places, 2 * blocks);
    if (tiling.panels == 0 || all_panels == 1 || tiling.places <= blocks) return true;
    // With `places` > `blocks`, the loads of the next panel can begin while the current panel is still in use. Then panels need two places.
    // If L1 has no room for these, blocks get fewer places.
    const std::uint64_t panel = panel_bytes(product.type, outer_tile, k_units);
    if (panel + std::uint64_t{tiling.places} * block * step_bytes <= room) {
      tiling.panels = 2;
    } else {
      tiling.places = blocks;
    }
    return true;
  }

  /// Chooses the operands that stay in L1: all that have room and are used more than once. Returns false if the product does not fit even
  /// block by block.
  constexpr bool choose_l1() {
    const std::uint64_t residual = product.residual ? 2ULL * tiling.m_tile * tiling.n_tile * isa::cube::element_bytes(product.to) : 0;
    if (residual > product.l1_bytes) return false;
    const std::uint64_t room = product.l1_bytes - residual;
    const bool outer_stays = outer_comes && inner_tiles > 1 && !tiling.outer_in_l0;
    const bool outer_streams = outer_comes && !outer_stays;
    const std::uint64_t panel = outer_stays ? panel_bytes(product.type, outer_tile, k_units) : 0;
    tiling.block_units = tiling.step_units;
    if (!inner_comes || (product.batches == 1 && outer_tiles > 1 && inner_tiles > 1)) {
      const std::uint64_t inner = inner_comes ? panel_bytes(product.type, inner_tile, k_units) * inner_tiles : 0;
      const std::uint32_t panels = std::min<std::uint32_t>(2, all_panels);
      if (inner + panels * panel <= room) {
        tiling.inner_stays = inner_comes;
        tiling.panels = outer_stays ? panels : 0;
        if (!outer_streams || choose_blocks(room - inner, true, false)) return true;
        tiling.inner_stays = false;
      }
    }
    if (outer_stays && inner_comes && panel < room) {
      tiling.panels = 1;
      if (choose_blocks(room - panel, false, true)) return true;
    }
    tiling.panels = 0;
    return choose_blocks(room, outer_comes, inner_comes);
  }

  /// Returns the number of bytes that are read from DRAM, in whole bursts, when an operand is loaded once.
  [[nodiscard]] constexpr std::uint64_t coming(bool left) const {
    const std::uint32_t across = left ? product.m : product.n, tile = left ? tiling.m_tile : tiling.n_tile;
    const bool k_rows = left ? product.left_k_rows : product.right_k_rows;
    const bool aligned = left ? product.left_aligned : product.right_aligned;
    const std::uint32_t bits = isa::cube::element_bits(product.type);
    const std::uint32_t pieces = k_rows ? divided_up(across, tile) : divided_up(k_units, tiling.block_units);
    const std::uint32_t rows = k_rows ? product.k : across, row = k_rows ? across : product.k;
    const std::uint64_t bytes = std::max((std::uint64_t{row} * bits + 7) / 8, std::uint64_t{pieces} * kDramBurst);
    return std::uint64_t{rows} * (bytes + (aligned ? 0 : std::uint64_t{pieces} * kDramBurst)) * product.batches;
  }

  /// Returns the cycles that FIX takes for `rows` x `columns` accumulators.
  [[nodiscard]] constexpr std::uint64_t out_cycles(std::uint64_t rows, std::uint64_t columns, std::uint64_t row_bytes) const {
    return std::max(rows * columns * isa::cube::kAccumulatorBytes / kOutBytes, rows * row_bytes / kDramBytes);
  }

  constexpr void predict() {
    const std::uint64_t batches = product.batches, tiles = std::uint64_t{all_panels} * inner_tiles;
    const std::uint64_t m_all = divided_up(product.m, isa::cube::kFractalRows), n_all = divided_up(product.n, isa::cube::kFractalRows);
    const std::uint64_t k_all = std::uint64_t{k_units} * unit_fractals;
    const std::uint64_t array = array_cycles();

    const std::uint64_t outer_all = tiling.left_outer ? m_all : n_all, inner_all = tiling.left_outer ? n_all : m_all;
    const std::uint64_t moved = (outer_all * (tiling.outer_in_l0 ? 1 : inner_tiles) + inner_all * outer_tiles) * k_all * batches;
    const std::uint64_t moves = moved * isa::cube::kFractalBytes / kMoveBytes + all_steps * 2 * kIssueCycles;

    const std::uint64_t loaded =
        (outer_comes ? coming(tiling.left_outer) * (tiling.panels != 0 || tiling.outer_in_l0 ? 1 : inner_tiles) : 0) +
        (inner_comes ? coming(!tiling.left_outer) * (tiling.inner_stays ? 1 : outer_tiles) : 0);
    const std::uint64_t loads = loaded / kDramBytes + tiles * divided_up(k_units, tiling.block_units) * 2 * kIssueCycles;

    const std::uint32_t n_tiles = tiling.left_outer ? inner_tiles : outer_tiles;
    const std::uint32_t element = isa::cube::element_bytes(product.to);
    std::uint64_t row = std::max(std::uint64_t{product.n} * element, product.n == 1 ? 0 : std::uint64_t{n_tiles} * kDramBurst);
    if (!product.output_aligned && product.n != 1) row += std::uint64_t{n_tiles} * kDramBurst;
    const std::uint64_t written = batches * product.m * row * (product.residual ? 2 : 1);
    const std::uint64_t out = batches * out_cycles(product.m, product.n, row) + kIssueCycles * tiles;
    const std::uint64_t port = (loaded + written) / kDramBytes;

    const std::uint32_t first = tiling.short_start ? 1 : tiling.block_units;
    const std::uint64_t first_fractals = std::uint64_t{m_fractals + n_fractals} * unit_fractals * std::min(first, tiling.step_units);
    std::uint64_t start = first_fractals * isa::cube::kFractalBytes / kMoveBytes + kIssueCycles + kIssueCycles;
    if (outer_comes || inner_comes) {
      const std::uint32_t across = (outer_comes ? outer_tile : 0) + (inner_comes ? inner_tile : 0);
      start += kDramLatency + panel_bytes(product.type, across, first) / kDramBytes;
    }
    std::uint32_t last = last_inner();
    while (last > piece_of(last, tiling.last_piece, inner_unit)) last -= piece_of(last, tiling.last_piece, inner_unit);
    const std::uint64_t columns = tiling.left_outer ? last : tiling.n_tile, rows = tiling.left_outer ? tiling.m_tile : last;
    const std::uint64_t tail = out_cycles(std::min<std::uint64_t>(rows, product.m), columns, columns * element);
    tiling.cycles = start + std::max({array, moves, loads, out, port}) + tail;
  }
};

/// The weight by which cuts are compared; less is better. It is the predicted cycles plus a charge for the time of the control core. The
/// charge is kIssueCycles for each step. If the last block along k is shorter than the others, 1/256 of the sum is added, too.
constexpr std::uint64_t weight_of(std::uint64_t cycles, std::uint64_t steps) { return cycles + kIssueCycles * steps; }
constexpr std::uint64_t weight_of(const Cut &cut) {
  const std::uint64_t weight = weight_of(cut.tiling.cycles, cut.all_steps);
  return cut.k_units % cut.tiling.block_units == 0 ? weight : weight + (weight >> 8);
}

/// Evaluates the cut. Returns false if the cut does not fit. `least` is weight_of() of the best cut so far. The function also returns false
/// if a lower bound of weight_of(cut), plus 1/256 of the bound, is not below `least`: such a cut is not worth a full evaluation.
constexpr bool evaluate(Cut &cut, std::uint64_t least) {
  if (!cut.choose_step()) return false;
  const std::uint64_t bound = weight_of(cut.array_cycles(), cut.all_steps);
  if (bound + (bound >> 8) >= least) return false;
  cut.choose_l0();
  if (!cut.choose_l1()) return false;
  // The last tile is cut into pieces only if the outer operand need not be loaded again for each piece.
  if (cut.tiling.outer_in_l0) {
    cut.tiling.last_piece = cut.inner_unit;
  } else if (cut.tiling.panels != 0 || !cut.outer_comes) {
    cut.tiling.last_piece = rounded_up(4 * isa::cube::kFractalRows, cut.inner_unit);
  }
  cut.predict();
  return true;
}

/// Cuts `size` into as few tiles of at most `most` as possible, of about equal size. Returns the size of a tile.
constexpr std::uint32_t even_tile(std::uint32_t size, std::uint32_t most, std::uint32_t unit) {
  return rounded_up(divided_up(size, divided_up(size, most)), unit);
}

constexpr std::uint32_t kColumnFractals[] = {16, 11, 8, 32};
constexpr std::uint32_t kTallTile = 16;

}  // namespace detail

constexpr Tiling choose_tiling(const Product &product) {
  const std::uint32_t m_unit = across_unit(product.type, product.left_k_rows), n_unit = across_unit(product.type, product.right_k_rows);
  Tiling best;
  std::uint64_t least = ~std::uint64_t{0};
  std::uint32_t before = 0;
  for (const std::uint32_t fractals : detail::kColumnFractals) {
    const std::uint32_t n_most = std::max(fractals * isa::cube::kFractalRows / n_unit * n_unit, n_unit);
    const std::uint32_t n_tile = detail::even_tile(product.n, n_most, n_unit);
    if (n_tile == before) continue;
    before = n_tile;
    std::uint32_t most = std::min(detail::kHalfOfL0, detail::kHalfOfL0C / (n_tile / isa::cube::kFractalRows));
    for (std::uint32_t last = 0; most != last; most = std::min(most, detail::kTallTile)) {
      last = most;
      const std::uint32_t m_most = most * isa::cube::kFractalRows / m_unit * m_unit;
      if (m_most == 0) break;
      const std::uint32_t m_tile = detail::even_tile(product.m, m_most, m_unit);
      for (const bool left_outer : {true, false}) {
        detail::Cut cut(product, m_tile, n_tile, left_outer);
        if (!detail::evaluate(cut, least)) continue;
        const std::uint64_t weight = detail::weight_of(cut);
        if (weight >= least) continue;
        best = cut.tiling;
        least = weight;
      }
    }
  }
  best.product = product;
  return best;
}

}  // namespace cox::kernels::cube
