// SPDX-License-Identifier: MIT
// choose_tiling() must choose tiles that fit, keep operands in L1 if there is room, and predict the cycles.
#include "coxswain/kernels/cube/tile_chooser.h"

#include <gtest/gtest.h>

#include <random>

namespace cox::kernels::cube {
namespace {

using isa::cube::OutputType;
using isa::cube::Type;

constexpr std::uint32_t divided_up(std::uint32_t dividend, std::uint32_t divisor) { return (dividend + divisor - 1) / divisor; }

constexpr Product bfloat16(std::uint32_t m, std::uint32_t n, std::uint32_t k) {
  Product product;
  product.to = OutputType::bfloat16;
  product.m = m;
  product.n = n;
  product.k = k;
  return product;
}

// choose_tiling() can run at compile time.
constexpr Tiling kThousand = choose_tiling(bfloat16(1024, 1024, 1024));
static_assert(kThousand.fits());

/// Returns the bytes of L1 that the tiling takes.
std::uint64_t l1_bytes(const Tiling &t) {
  const Product &p = t.product;
  const std::uint32_t k_units = divided_up(p.k, k_unit(p.type));
  const std::uint32_t outer = t.left_outer ? t.m_tile : t.n_tile, inner = t.left_outer ? t.n_tile : t.m_tile;
  const std::uint32_t inner_tiles = divided_up(t.left_outer ? p.n : p.m, inner);
  const bool outer_comes = !(t.left_outer ? p.left_in_l1 : p.right_in_l1), inner_comes = !(t.left_outer ? p.right_in_l1 : p.left_in_l1);
  std::uint64_t bytes = p.residual ? 2ULL * t.m_tile * t.n_tile * element_bytes(p.to) : 0;
  if (outer_comes)
    bytes += t.panels != 0 ? t.panels * panel_bytes(p.type, outer, k_units) : t.places * panel_bytes(p.type, outer, t.block_units);
  if (inner_comes)
    bytes += t.inner_stays ? inner_tiles * panel_bytes(p.type, inner, k_units) : t.places * panel_bytes(p.type, inner, t.block_units);
  return bytes;
}

/// Checks that the same number of tiles would not cover `size` if each tile were one unit smaller.
void expect_even(std::uint32_t size, std::uint32_t tile, std::uint32_t unit, const char *what) {
  const std::uint32_t tiles = divided_up(size, tile);
  EXPECT_GT(size + tiles * unit, tiles * tile) << what << ": " << size << " in tiles of " << tile;
}

TEST(TileChooser, FitsWhatItCuts) {
  std::mt19937 random(51);
  for (unsigned i = 0; i < 3000; ++i) {
    Product p;
    p.type = static_cast<Type>(random() % 5);
    p.to = static_cast<OutputType>(random() % 5);
    const auto size = [&] { return 1 + static_cast<std::uint32_t>(random() >> random() % 20) % 5000; };
    p.m = size();
    p.n = size();
    p.k = size();
    p.batches = random() % 3 == 0 ? 1 + static_cast<std::uint32_t>(random()) % 20 : 1;
    p.left_k_rows = random() % 2 == 0;
    p.right_k_rows = random() % 2 == 0;
    p.left_in_l1 = random() % 4 == 0;
    p.right_in_l1 = random() % 4 == 0;
    p.residual = random() % 2 == 0;
    p.left_aligned = random() % 2 == 0;
    if (random() % 3 == 0) p.l1_bytes = 200U << 10;
    const Tiling t = choose_tiling(p);
    SCOPED_TRACE(std::to_string(p.m) + " " + std::to_string(p.n) + " " + std::to_string(p.k) + " type " +
                 std::to_string(static_cast<int>(p.type)));
    if (!t.fits()) {
      EXPECT_LT(p.l1_bytes, 1U << 20) << "a whole L1 is enough for everything";
      continue;
    }
    const std::uint32_t m_unit = across_unit(p.type, p.left_k_rows), n_unit = across_unit(p.type, p.right_k_rows);
    EXPECT_EQ(t.product, p);
    EXPECT_EQ(t.m_tile % m_unit, 0U);
    EXPECT_EQ(t.n_tile % n_unit, 0U);
    EXPECT_LE(t.m_tile * t.n_tile * 4, isa::cube::kL0CBytes / 2) << "a tile is in one bank";
    EXPECT_LE(panel_bytes(p.type, t.m_tile, t.step_units), isa::cube::kL0ABytes / 2);
    EXPECT_LE(panel_bytes(p.type, t.n_tile, t.step_units), isa::cube::kL0BBytes / 2);
    EXPECT_LE(t.step_units * k_unit(p.type), 4095U);
    EXPECT_EQ(t.block_units % t.step_units, 0U);
    EXPECT_LE(l1_bytes(t), p.l1_bytes);
    EXPECT_LE(t.places, isa::cube::kMostFlags);
    EXPECT_GE(t.cycles, 1ULL * p.batches * divided_up(p.m, 16) * divided_up(p.n, 16) * divided_up(p.k, isa::cube::fractal_width(p.type)));
    expect_even(p.m, t.m_tile, m_unit, "m");
    expect_even(p.n, t.n_tile, n_unit, "n");
    if (HasFailure()) return;
  }
}

TEST(TileChooser, NothingFitsIntoTooLittleOfL1) {
  Product p = bfloat16(1000, 1000, 1000);
  p.l1_bytes = 1023;
  EXPECT_FALSE(choose_tiling(p).fits());
  p = bfloat16(16, 16, 16);
  p.l1_bytes = 1024;
  EXPECT_TRUE(choose_tiling(p).fits()) << "a fractal each of A and B";
}

TEST(TileChooser, LargeProductsKeepTheArrayBusy) {
  for (const std::uint32_t size : {1024U, 4096U}) {
    const Tiling t = choose_tiling(bfloat16(size, size, size));
    const double ideal = static_cast<double>(size) * size * size / 4096;
    EXPECT_LT(static_cast<double>(t.cycles), ideal / 0.97) << size;
    EXPECT_GT(t.m_tile * t.n_tile, 28000U) << "L0C's bank is nearly full";
    EXPECT_TRUE(t.short_start);
  }
}

TEST(TileChooser, BlocksOfSizesThatDivideAreAllAlike) {
  for (const std::uint32_t size : {512U, 1024U, 2048U, 4096U}) {
    const Tiling t = choose_tiling(bfloat16(size, size, size));
    const std::uint32_t k_units = size / k_unit(Type::bfloat16);
    EXPECT_EQ(k_units % t.step_units, 0U) << size;
    EXPECT_EQ(k_units % t.block_units, 0U) << size;
    EXPECT_EQ(size % t.m_tile, 0U);
    EXPECT_EQ(size % t.n_tile, 0U);
    EXPECT_EQ(t.m_tile / 16 * t.n_tile / 16 * t.step_units, 512U) << "cycles of a MAD";
  }
}

TEST(TileChooser, WhatIsUsedAgainStaysInL1WhereItHasRoom) {
  const Tiling panel = choose_tiling(bfloat16(1024, 1024, 1024));
  EXPECT_GE(panel.panels, 1U);
  const Tiling streamed = choose_tiling(bfloat16(4096, 4096, 4096));
  EXPECT_EQ(streamed.panels, 0U) << "a panel is larger than L1";
  EXPECT_FALSE(streamed.inner_stays);
  Product small = bfloat16(2048, 256, 256);
  const Tiling all = choose_tiling(small);
  EXPECT_TRUE(all.inner_stays || all.panels != 0 || all.outer_in_l0);
}

TEST(TileChooser, TailsAreCutEvenly) {
  const Tiling t = choose_tiling(bfloat16(1000, 333, 777));
  EXPECT_EQ(divided_up(333, t.n_tile), 2U);
  EXPECT_GE(333 - t.n_tile, t.n_tile * 3 / 4) << "no small last tile";
  const double ideal = 1000.0 * 333 * 777 / 4096;
  EXPECT_LT(static_cast<double>(t.cycles), ideal / 0.9);
}

TEST(TileChooser, MatricesInL1CostNoTransfer) {
  Product p = bfloat16(128, 128, 128);
  const std::uint64_t from_dram = choose_tiling(p).cycles;
  p.left_in_l1 = p.right_in_l1 = true;
  const Tiling t = choose_tiling(p);
  EXPECT_LT(t.cycles + 200, from_dram);
  EXPECT_TRUE(t.outer_in_l0);
  EXPECT_NE(t.last_piece, 0U);
}

TEST(TileChooser, NarrowProductsAreBoundByDram) {
  Product p = bfloat16(1, 4096, 4096);
  p.right_k_rows = false;
  const Tiling t = choose_tiling(p);
  const double transfer = 4096.0 * 4096 * 2 / 128;
  EXPECT_GT(static_cast<double>(t.cycles), transfer);
  EXPECT_LT(static_cast<double>(t.cycles), transfer / 0.95);
}

TEST(Blocks, GrowFromOneUnitAndEndInTwoThatAreAlike) {
  const auto blocks = [](std::uint32_t units, std::uint32_t most, bool is_short) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t begin = 0; begin < units; begin += result.back()) result.push_back(block_at(begin, units, most, is_short));
    return result;
  };
  using Lengths = std::vector<std::uint32_t>;
  EXPECT_EQ(blocks(20, 8, true), (Lengths{1, 1, 2, 4, 6, 6}));
  EXPECT_EQ(blocks(25, 8, false), (Lengths{8, 8, 5, 4}));
  EXPECT_EQ(blocks(24, 8, false), (Lengths{8, 8, 8}));
  EXPECT_EQ(blocks(3, 8, true), (Lengths{1, 1, 1}));
  EXPECT_EQ(blocks(3, 8, false), (Lengths{3}));
  for (std::uint32_t units = 1; units < 200; ++units) {
    for (const std::uint32_t most : {1U, 3U, 8U, 15U}) {
      for (const bool is_short : {false, true}) {
        const Count count = count_blocks(units, most, (most + 2) / 3, is_short);
        std::uint32_t steps = 0;
        for (const std::uint32_t block : blocks(units, most, is_short)) steps += divided_up(block, (most + 2) / 3);
        EXPECT_EQ(count.blocks, blocks(units, most, is_short).size()) << units << " " << most;
        EXPECT_EQ(count.steps, steps) << units << " " << most;
      }
    }
  }
}

TEST(Pieces, AreHalvesAndAShortOne) {
  EXPECT_EQ(piece_of(128, 16, 16), 64U);
  EXPECT_EQ(piece_of(64, 16, 16), 48U);
  EXPECT_EQ(piece_of(16, 16, 16), 16U);
  EXPECT_EQ(piece_of(128, 0, 16), 128U);
  EXPECT_EQ(piece_of(100, 16, 16), 64U) << "whole units";
  for (std::uint32_t rest = 1; rest < 700; ++rest) {
    for (const std::uint32_t unit : {16U, 32U, 64U}) {
      const std::uint32_t piece = piece_of(rest, unit, unit);
      EXPECT_GT(piece, 0U);
      EXPECT_LE(piece, rest);
      EXPECT_TRUE(piece == rest || piece % unit == 0) << rest;
    }
  }
}

}  // namespace
}  // namespace cox::kernels::cube
