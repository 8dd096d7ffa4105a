// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "coxswain/kernels/cube/conv2d_grid.h"
#include "coxswain/kernels/cube/multiply_stage.h"
#include "sim/model/cube/hazard/detector.h"
#include "tests/kernels/cube/conv2d_problem.h"

namespace cox::tests {
namespace {

using isa::cube::Activation;
using isa::cube::OutputType;
using isa::cube::ScaleMode;
using isa::cube::Type;
using kernels::cube::Conv2dShape;
using kernels::cube::Conv2dTiles;
using kernels::cube::MapIn;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : random(seed) {}
  std::uint32_t operator()(std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); }
  bool one_in(std::uint32_t count) { return (*this)(1, count) == 1; }
  std::mt19937 random;
};

/// Chooses types, output stages and padding. The caller chooses the shape.
void choose_rest(Conv2dArguments &a, Numbers &number) {
  a.type = static_cast<Type>(number(0, 4));
  const bool integer = isa::cube::is_integer(a.type);
  a.output_type = static_cast<OutputType>(number(0, 4));
  if (a.output_type == OutputType::int32 && !integer) a.output_type = OutputType::float32;
  if (a.type == Type::int4 && a.channels / a.groups % 2 != 0) a.channels *= 2;
  const bool plain = a.output_type == OutputType::int32;
  a.bias = number(0, 1);
  a.scale_mode = plain ? ScaleMode::none : static_cast<ScaleMode>(number(0, 2));
  a.scale = integer ? 0.003F : 1.5F;
  a.residual = plain ? 0 : number(0, 1);
  a.beta = number.one_in(2) ? 1.0F : -0.75F;
  a.activation = static_cast<Activation>(number(0, plain ? 1 : 3));
  a.activation_parameter = a.activation == Activation::Clip ? 6.0F : 0.125F;
  if (a.type == Type::int8) a.pad_value = static_cast<std::int32_t>(number(0, 255)) - 128;
  if (a.output_type == OutputType::int8) a.zero_point = static_cast<std::int32_t>(number(0, 255)) - 128;
}

bool has_places(const Conv2dArguments &a) {
  return kernels::cube::conv2d_output_side(a.height, a.pad_top, a.pad_bottom, a.kernel_height, a.dilation_y, a.stride_y) != 0 &&
         kernels::cube::conv2d_output_side(a.width, a.pad_left, a.pad_right, a.kernel_width, a.dilation_x, a.stride_x) != 0;
}

Conv2dArguments random_shape(Numbers &number) {
  for (;;) {
    Conv2dArguments a;
    a.batch = number(1, 3);
    a.height = number(1, 14);
    a.width = number(1, 14);
    a.groups = number.one_in(3) ? number(2, 4) : 1;
    a.channels = a.groups * (number.one_in(4) ? 32 * number(1, 2) : number(1, 40));
    a.output_channels = a.groups * number(1, 40);
    if (number.one_in(6)) a.groups = a.output_channels = a.channels = number(1, 20);
    a.kernel_height = number(1, 4);
    a.kernel_width = number(1, 4);
    a.stride_y = number(1, 3);
    a.stride_x = number(1, 3);
    a.dilation_y = number(1, 3);
    a.dilation_x = number(1, 3);
    a.pad_top = number(0, 4);
    a.pad_left = number(0, 4);
    a.pad_bottom = number(0, 4);
    a.pad_right = number(0, 4);
    choose_rest(a, number);
    if (has_places(a)) return a;
  }
}

TEST(Conv2d, RandomProblems) {
  Numbers number(1);
  for (int i = 0; i < 300; ++i) {
    Conv2dProblem problem(random_shape(number), number.random);
    problem.run();
    problem.expect_right();
    ASSERT_FALSE(HasFailure()) << "problem " << i;
  }
}

/// Chooses random tiles for a shape. Tiles are small and there are few buffers, so the buffers are reused. Tiles may exceed L1: see fits().
Conv2dTiles random_tiles(const Conv2dShape &shape, Numbers &number) {
  const std::uint32_t unit = kernels::cube::k_unit(shape.type);
  Conv2dTiles tiles;
  tiles.map = static_cast<MapIn>(number(0, 2));
  tiles.block = std::min(16 * number(1, 2), shape.group_outputs());
  const bool cut = tiles.map == MapIn::taps || (tiles.map == MapIn::strips && number.one_in(2));
  tiles.tile = cut ? number(1, std::min(shape.out_width, 20U)) : 16 * number(1, 3);
  tiles.columns = cut ? tiles.tile : 0;
  tiles.strip_tiles = tiles.map == MapIn::taps ? 1 : number(1, 3);
  tiles.step = unit * number(1, 2);
  tiles.chunk = tiles.step * number(1, 2);
  tiles.weight_bytes =
      isa::cube::fractals(tiles.block, 16) * isa::cube::k_fractals(tiles.chunk, shape.type, false) * isa::cube::kFractalBytes;
  const std::uint32_t chunks = tiles.chunks(shape), all = tiles.blocks(shape) * chunks;
  if (tiles.map != MapIn::taps) {
    tiles.weights_outside = number.one_in(2);
    tiles.weights_stay = !tiles.weights_outside && all <= 48 && number.one_in(2);
  }
  tiles.weights_in_l0 = tiles.weights_stay && tiles.blocks(shape) == 1 &&
                        (tiles.steps(shape) + 1) / 2 * step_bytes_of_weights(shape, tiles) <= isa::cube::kL0BBytes / 2;
  const bool once = tiles.weights_outside ? shape.batch * tiles.tiles_of_image(shape) == 1 : tiles.strip_tiles == 1;
  tiles.weight_slots = tiles.weights_stay ? all : once ? number(1, 3) : chunks + number(0, 2);
  const kernels::cube::Conv2dGrid grid(shape, tiles);
  if (tiles.map == MapIn::taps) {
    tiles.map_bytes = tiles.tile * static_cast<std::uint32_t>(shape.bytes_of(tiles.chunk));
    tiles.map_slots = number(1, 3);
  } else if (tiles.map == MapIn::images) {
    tiles.map_bytes = shape.height * shape.width * shape.pixel_bytes();
    tiles.map_slots = tiles.weights_outside ? shape.batch : number(1, shape.batch);
  } else {
    for (std::uint32_t strip = 0; strip < grid.strips(); ++strip) {
      const kernels::cube::MapPiece piece = grid.piece(strip);
      tiles.map_bytes = std::max(tiles.map_bytes, piece.rows * piece.columns * shape.pixel_bytes());
    }
    tiles.map_slots = number(1, 3);
  }
  if (shape.residual) {
    tiles.residual_bytes = tiles.tile * tiles.block * shape.output_bytes;
    tiles.residual_slots = kernels::cube::residual_lag(tiles.steps(shape)) + number(1, 2);
  }
  return tiles;
}

bool fits(const Conv2dShape &shape, const Conv2dTiles &tiles) {
  return places_in_l1(shape, tiles).end <= isa::cube::kL1Bytes && tiles.weight_slots + tiles.map_slots * tiles.strips(shape) <= 100;
}

TEST(Conv2d, HoweverItIsCut) {
  Numbers number(2);
  for (int i = 0; i < 300;) {
    Conv2dProblem problem(random_shape(number), number.random);
    const Conv2dTiles tiles = random_tiles(problem.shape(), number);
    if (!fits(problem.shape(), tiles)) continue;
    ++i;
    problem.run(tiles);
    problem.expect_right();
    if (i % 2 == 0) {
      // The tiles do not affect the bits of the output: conv2d() adds the products of a sum in the same order, however it cuts the layer.
      const std::vector<std::byte> output = problem.output;
      std::fill(problem.output.begin(), problem.output.end() - 8, std::byte{0});
      problem.run();
      EXPECT_TRUE(problem.output == output);
    }
    ASSERT_FALSE(HasFailure()) << "problem " << i << " map " << static_cast<int>(tiles.map) << " outside " << tiles.weights_outside
                               << " stay " << tiles.weights_stay << " block " << tiles.block << " tile " << tiles.tile << " columns "
                               << tiles.columns << " strip " << tiles.strip_tiles << " step " << tiles.step << " chunk " << tiles.chunk
                               << " slots " << tiles.map_slots << " " << tiles.weight_slots;
  }
}

/// Removes each flag of each slot, one at a time. Each removal must leave two accesses unordered, or a wait for a flag that no slot sets.
TEST(Conv2d, NoFlagIsToSpare) {
  Numbers number(3);
  int streams = 0;
  unsigned flags = 0;
  for (int i = 0; i < 60 || streams < 25; ++i) {
    Conv2dProblem problem(random_shape(number), number.random);
    const Conv2dTiles tiles = random_tiles(problem.shape(), number);
    if (!fits(problem.shape(), tiles)) continue;
    problem.run(tiles);
    ASSERT_FALSE(HasFailure());
    std::vector<std::byte> code(problem.code().begin(), problem.code().end());
    if (code.size() > 120 * isa::cube::kSlotBytes) continue;
    ++streams;
    for (std::size_t at = 0; at < code.size(); at += isa::cube::kSlotBytes) {
      const auto expect_needed = [&](const std::vector<std::byte> &without, unsigned bit) {
        const model::cube::Analysis analysis = model::cube::analyse(without);
        EXPECT_TRUE(std::any_of(analysis.findings.begin(), analysis.findings.end(),
                                [](const model::cube::Finding &finding) {
                                  return finding.kind == model::cube::FindingKind::hazard ||
                                         finding.kind == model::cube::FindingKind::deadlock;
                                }))
            << problem.text() << "bit " << bit << " of slot " << at / isa::cube::kSlotBytes << ", map " << static_cast<int>(tiles.map)
            << ", weights outside " << tiles.weights_outside << ", stay " << tiles.weights_stay;
        ++flags;
      };
      if (static_cast<isa::cube::Opcode>(code[at]) == isa::cube::Opcode::WAIT_FLAG) {
        std::vector<std::byte> without = code;
        const auto slot = without.begin() + static_cast<std::ptrdiff_t>(at);
        without.erase(slot, slot + isa::cube::kSlotBytes);
        expect_needed(without, 0);
      }
      for (unsigned bit = isa::cube::kWaitBit; bit < isa::cube::kSetBit + isa::cube::kMaskWidth; ++bit) {
        std::byte &byte = code[at + bit / 8];
        const std::byte flag{static_cast<unsigned char>(1U << bit % 8)};
        if ((byte & flag) == std::byte{0}) continue;
        byte &= ~flag;
        expect_needed(code, bit);
        byte |= flag;
      }
    }
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(flags, 1500U);
}

Conv2dArguments int8_layer(std::uint32_t height, std::uint32_t width, std::uint32_t channels, std::uint32_t outputs) {
  Conv2dArguments a;
  a.height = height;
  a.width = width;
  a.channels = channels;
  a.output_channels = outputs;
  a.output_type = OutputType::int32;
  a.bias = 1;
  return a;
}

void expect_right(const Conv2dArguments &arguments, MapIn map, bool cut = false) {
  std::mt19937 random(4);
  Conv2dProblem problem(arguments, random);
  const Conv2dTiles tiles = kernels::cube::choose_conv2d_tiles(problem.shape());
  EXPECT_EQ(static_cast<int>(tiles.map), static_cast<int>(map)) << problem.text();
  EXPECT_EQ(tiles.columns != 0, cut) << problem.text();
  problem.run();
  problem.expect_right();
}

TEST(Conv2d, MapsThatL1DoesNotHold) {
  Conv2dArguments a = int8_layer(300, 70, 64, 5);  // the map has 1.3 MB, L1 has 1 MiB
  a.kernel_height = a.kernel_width = 2;
  a.stride_y = a.stride_x = 3;
  a.pad_top = a.pad_left = 1;
  expect_right(a, MapIn::strips);
  a = int8_layer(40, 3000, 12, 3);  // the map has 1.4 MB, in rows of 36 kB
  a.batch = 2;
  a.kernel_height = 3;
  a.kernel_width = 2;
  a.stride_y = 2;
  a.stride_x = 5;
  expect_right(a, MapIn::strips);
  a = int8_layer(1, 4400, 3, 4);  // wider than IM2COL_CFG allows
  a.kernel_width = 3;
  a.pad_left = a.pad_right = 1;
  expect_right(a, MapIn::strips, true);
  a = int8_layer(3, 1100, 1200, 2);  // a row is 1.3 MB
  a.stride_x = 4;
  a.kernel_width = 2;
  expect_right(a, MapIn::strips, true);
  a = int8_layer(2, 9000, 1, 1);  // more positions than OutWidth allows
  a.kernel_height = 2;
  a.type = Type::bfloat16;
  a.output_type = OutputType::bfloat16;
  expect_right(a, MapIn::strips, true);
}

TEST(Conv2d, WeightsThatL1DoesNotHold) {
  Conv2dArguments a = int8_layer(2, 2, 1100, 40);
  a.kernel_height = a.kernel_width = 5;  // the weights have 1.1 MB
  a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = 2;
  expect_right(a, MapIn::images);
  a.batch = 3;
  a.residual = 1;
  a.output_type = OutputType::float32;
  expect_right(a, MapIn::images);
}

/// The shape exceeds an instruction's fields or L1. So conv2d() handles one position of the convolution window at a time, and only a part
/// of the channels.
TEST(Conv2d, WhatFitsNoOtherWay) {
  Conv2dArguments a = int8_layer(3, 5, 70000, 2);  // a pixel is larger than PixelPitch allows
  a.stride_x = 2;
  expect_right(a, MapIn::taps, true);
  a.kernel_width = 2;
  a.groups = 2;
  a.channels = 140000;
  a.type = Type::int4;
  expect_right(a, MapIn::taps, true);
  a = int8_layer(140, 9, 3, 2);
  a.kernel_height = 3;
  a.kernel_width = 2;
  a.dilation_y = 64;
  a.stride_x = 3;
  a.pad_bottom = 7;
  expect_right(a, MapIn::taps, true);
  a.dilation_y = 1;
  a.stride_y = 70;
  expect_right(a, MapIn::taps, true);
  a = int8_layer(4, 3, 2, 2);
  a.pad_top = a.pad_left = 300;
  a.stride_y = a.stride_x = 9;
  a.kernel_height = a.kernel_width = 3;
  a.pad_value = -7;
  expect_right(a, MapIn::taps, true);
  a = int8_layer(1, 300, 2, 1);
  a.kernel_width = 260;
  expect_right(a, MapIn::taps, true);
}

TEST(Conv2d, EdgesOfShapes) {
  Conv2dArguments a = int8_layer(1, 1, 3, 2);
  expect_right(a, MapIn::images);
  a.kernel_height = a.kernel_width = 7;  // a kernel larger than the map
  a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = 3;
  a.pad_value = 5;
  expect_right(a, MapIn::images);
  a = int8_layer(9, 11, 32, 16);  // a stride that skips pixels and rows
  a.stride_y = 4;
  a.stride_x = 3;
  a.pad_left = 2;
  expect_right(a, MapIn::images);
  a.pad_bottom = a.pad_right = 40;  // most of the output is padding
  a.pad_value = 9;
  expect_right(a, MapIn::images);
  a = int8_layer(12, 12, 24, 24);  // depthwise, with two kernels per channel
  a.groups = 24;
  a.output_channels = 48;
  a.kernel_height = a.kernel_width = 3;
  expect_right(a, MapIn::images);
  a = int8_layer(6, 6, 3, 70);
  a.batch = 9;
  expect_right(a, MapIn::images);
}

}  // namespace
}  // namespace cox::tests
