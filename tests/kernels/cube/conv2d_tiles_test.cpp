// SPDX-License-Identifier: MIT
// Tile sizes of conv2d(): they fit the buffers for every shape, and follow the cost model.
#include "coxswain/kernels/cube/conv2d_tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "coxswain/kernels/cube/conv2d_arguments.h"
#include "coxswain/kernels/cube/conv2d_grid.h"
#include "coxswain/kernels/cube/multiply_stage.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::fractals;

std::string text_of(const Conv2dTiles &t) {
  std::string text =
      "map " + std::to_string(static_cast<int>(t.map)) + (t.weights_outside ? " outside" : "") + (t.weights_stay ? " stay" : "");
  for (const std::uint32_t number : {t.block, t.tile, t.strip_tiles, t.columns, t.step, t.chunk, t.map_slots, t.weight_slots})
    text += " " + std::to_string(number);
  return text;
}

void expect_possible(const Conv2dShape &shape, const Conv2dTiles &tiles) {
  constexpr std::uint32_t kL0Half = 64, kL0CHalf = 128;  // fractals
  const std::uint32_t m = fractals(tiles.tile, 16), n = fractals(tiles.block, 16);
  const std::uint32_t k = isa::cube::k_fractals(tiles.step, shape.type, false);
  EXPECT_LE(m * n, kL0CHalf);
  EXPECT_LE(m * k, kL0Half);
  EXPECT_LE(n * k, kL0Half);
  EXPECT_LE(tiles.step, 4095U);
  EXPECT_EQ(tiles.step % k_unit(shape.type), 0U);
  EXPECT_EQ(tiles.chunk % tiles.step, 0U);
  EXPECT_TRUE(tiles.block % 16 == 0 || tiles.block == shape.group_outputs());
  EXPECT_TRUE(tiles.columns != 0 || tiles.tile % 16 == 0);
  EXPECT_LE(tiles.columns, tiles.tile);
  EXPECT_LE(places_in_l1(shape, tiles).end, 1U << 20);
  EXPECT_GE(tiles.weight_bytes, n * isa::cube::k_fractals(tiles.chunk, shape.type, false) * 512);
  const Conv2dGrid grid(shape, tiles);
  const std::uint64_t bands = tiles.map == MapIn::images ? std::uint64_t{grid.strips()} * tiles.map_slots : tiles.map_slots;
  EXPECT_LE(bands + tiles.weight_slots, kMostLoadsAhead);
  if (tiles.weights_in_l0) {
    EXPECT_EQ(tiles.blocks(shape), 1U);
    EXPECT_LE((tiles.steps(shape) + 1) / 2 * n * k, kL0Half);
  }
  // L1 has slots for the chunks of all blocks if the weights stay there. Otherwise, it has slots for the chunks of one block. If each chunk
  // is used only once, one slot suffices.
  const bool once = tiles.weights_outside ? shape.batch * grid.tiles_of_image() == 1 : tiles.strip_tiles == 1;
  EXPECT_GE(tiles.weight_slots, tiles.weights_stay ? tiles.chunks(shape) * tiles.blocks(shape) : once ? 1 : tiles.chunks(shape));
  if (tiles.map == MapIn::images) {
    EXPECT_GE(tiles.map_bytes, shape.bytes_of(std::uint64_t{shape.height} * shape.width * shape.channels));
    EXPECT_TRUE(!tiles.weights_outside || tiles.map_slots == shape.batch);
  }
  for (std::uint32_t strip = 0; tiles.map == MapIn::strips && strip < std::min(grid.strips(), 50U); ++strip) {
    const MapPiece piece = grid.piece(strip);
    EXPECT_GE(tiles.map_bytes, shape.bytes_of(std::uint64_t{piece.rows} * piece.columns * shape.channels));
    EXPECT_LE(std::max(piece.rows, piece.columns), 4095U);
  }
  if (shape.residual) {
    EXPECT_GT(tiles.residual_slots, residual_lag(tiles.steps(shape)));
  }
}

/// Random shapes, from one pixel to maps much larger than L1.
TEST(Conv2dTiles, BuffersHoldThemWhateverTheShape) {
  std::mt19937 random(1);
  const auto number = [&](double most) {
    return static_cast<std::uint32_t>(std::exp2(std::uniform_real_distribution(0.0, std::log2(most))(random)));
  };
  unsigned maps[3] = {};
  for (int i = 0; i < 2000;) {
    Conv2dArguments a;
    a.type = static_cast<Type>(random() % 5);
    a.output_type = random() % 2 == 0 ? OutputType::float32 : OutputType::int8;
    a.batch = number(40);
    a.height = number(5000);
    a.width = number(5000);
    a.groups = random() % 4 == 0 ? number(40) : 1;
    a.channels = a.groups * number(3000) * 2;
    a.output_channels = a.groups * number(400);
    a.kernel_height = number(random() % 8 == 0 ? 300 : 8);
    a.kernel_width = number(random() % 8 == 0 ? 300 : 8);
    a.stride_y = number(random() % 8 == 0 ? 90 : 5);
    a.stride_x = number(5);
    a.dilation_y = number(5);
    a.dilation_x = number(random() % 8 == 0 ? 90 : 5);
    a.pad_top = number(random() % 8 == 0 ? 400 : 4) - 1;
    a.pad_left = number(4) - 1;
    a.bias = random() % 2;
    a.residual = random() % 2;
    a.output_height = conv2d_output_side(a.height, a.pad_top, 0, a.kernel_height, a.dilation_y, a.stride_y);
    a.output_width = conv2d_output_side(a.width, a.pad_left, 0, a.kernel_width, a.dilation_x, a.stride_x);
    const Result<Conv2dShape> shape = shape_of(a);
    if (!shape.ok()) continue;
    ++i;
    const Conv2dTiles tiles = choose_conv2d_tiles(shape.value());
    ++maps[static_cast<unsigned>(tiles.map)];
    expect_possible(shape.value(), tiles);
    ASSERT_FALSE(HasFailure()) << text_of(tiles) << " of " << a.batch << " " << a.height << " " << a.width << " " << a.channels << " to "
                               << a.output_channels << " kernel " << a.kernel_height << " " << a.kernel_width << " type "
                               << static_cast<int>(a.type);
  }
  for (const unsigned count : maps) EXPECT_GT(count, 50U);
}

/// The biases and factors of kMostOutputChannels channels take 128 KB of L1. The tiles must fit into the rest of L1.
TEST(Conv2dTiles, BiasesAndFactorsOfTheMostChannelsHaveRoom) {
  unsigned maps[3] = {};
  for (const Type type : {Type::bfloat16, Type::half, Type::float32, Type::int8, Type::int4}) {
    for (const std::uint32_t groups : {1U, 64U}) {
      for (const std::uint32_t group_channels : {2U, 100U, 300U, 600U, 3000U}) {
        for (const std::uint32_t kernel : {1U, 3U, 300U}) {
          for (const std::uint32_t side : {300U, 4500U}) {
            Conv2dArguments a;
            a.type = type;
            a.output_type = OutputType::float32;
            a.height = kernel;
            a.width = side;
            a.groups = groups;
            a.channels = groups * group_channels;
            a.output_channels = kMostOutputChannels;
            a.kernel_height = a.kernel_width = kernel;
            a.bias = a.scales = a.residual = 1;
            a.scale_mode = isa::cube::ScaleMode::channel;
            a.output_height = conv2d_output_side(a.height, 0, 0, kernel, 1, 1);
            a.output_width = conv2d_output_side(a.width, 0, 0, kernel, 1, 1);
            const Result<Conv2dShape> shape = shape_of(a);
            if (!shape.ok()) continue;  // a tensor has 4 GiB or more
            const Conv2dTiles tiles = choose_conv2d_tiles(shape.value());
            ++maps[static_cast<unsigned>(tiles.map)];
            expect_possible(shape.value(), tiles);
            ASSERT_FALSE(HasFailure()) << text_of(tiles) << " of " << groups << " x " << group_channels << ", kernel " << kernel
                                       << ", side " << side << ", type " << static_cast<int>(type);
          }
        }
      }
    }
  }
  for (const unsigned count : maps) EXPECT_GT(count, 0U);
}

Conv2dShape layer(std::uint32_t channels, std::uint32_t outputs, std::uint32_t size, std::uint32_t kernel, std::uint32_t stride,
                  std::uint32_t batch = 1) {
  Conv2dArguments a;
  a.batch = batch;
  a.height = a.width = size;
  a.channels = channels;
  a.output_channels = outputs;
  a.kernel_height = a.kernel_width = kernel;
  a.stride_y = a.stride_x = stride;
  a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = kernel / 2;
  a.output_height = a.output_width = conv2d_output_side(size, kernel / 2, kernel / 2, kernel, 1, stride);
  return shape_of(a).value();
}

TEST(Conv2dTiles, MapAndWeightsAreLoadedOnceWhereTheyFit) {
  const Conv2dTiles tiles = choose_conv2d_tiles(layer(128, 128, 28, 3, 1));
  EXPECT_EQ(tiles.map, MapIn::images);
  EXPECT_TRUE(tiles.weights_stay);
  // The layer takes 49 x 8 x 36 products of fractals along m, n and k. The array computes one a cycle: 49 * 8 * 36 = 14,112 cycles.
  // Overhead is added.
  EXPECT_GE(tiles.cycles, 14112U);
  EXPECT_LE(tiles.cycles, 15800U);
}

TEST(Conv2dTiles, WeightsFlowByTheMapWhereTheyDoNot) {
  // Weights, input and output have 2.4 MB. The DRAM port moves 128 bytes a cycle, so they take 18,824 cycles. Most of them are for weights.
  const Conv2dTiles one = choose_conv2d_tiles(layer(512, 512, 7, 3, 1));
  EXPECT_EQ(one.map, MapIn::images);
  EXPECT_FALSE(one.weights_stay);
  EXPECT_GE(one.cycles, 18824U);
  EXPECT_LE(one.cycles, 20500U);
  // With four images, no weight is loaded twice.
  const Conv2dTiles four = choose_conv2d_tiles(layer(512, 512, 7, 3, 1, 4));
  EXPECT_TRUE(four.weights_outside);
  EXPECT_EQ(four.map_slots, 4U);
}

TEST(Conv2dTiles, WhatIsSteppedOverIsNotInTheMap) {
  const Conv2dShape shape = layer(256, 512, 56, 1, 2);
  EXPECT_EQ(shape.height, 28U);
  EXPECT_EQ(shape.width, 28U);
  EXPECT_EQ(shape.stride_y, 1U);
  EXPECT_EQ(shape.stride_x, 1U);
  EXPECT_EQ(shape.pixel_pitch, 512U);
  EXPECT_EQ(shape.row_pitch, 2U * 56 * 256);
  EXPECT_EQ(shape.first_byte, 0U);
}

}  // namespace
}  // namespace cox::kernels::cube
