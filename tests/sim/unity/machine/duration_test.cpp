// SPDX-License-Identifier: MIT
// Multiply-accumulates and cycles of operations, worked out by hand.
#include "sim/model/unity/machine/duration.h"

#include <gtest/gtest.h>

namespace cox::model::unity {
namespace {

using namespace isa::unity;

TEST(UnityDuration, ConvolutionOfVolumes) {
  VolumeConvolution v;
  v.planes.source.unit = Unit::s8;
  v.planes.kernel = {.unit = Unit::s16, .number = 50, .height = 3, .width = 2, .channels = 5};
  v.planes.result = {.height = 2 * 4, .width = 6, .channels = 50};
  v.depth.result = 2;
  v.depth.kernel = 7;
  const std::uint64_t products = 7 * 3 * 2 * 5, results = 2 * 4 * 6 * 50;
  EXPECT_EQ(macs(Operation{v}), results * products);
  EXPECT_EQ(compute_cycles(Operation{v}, {.macs_per_cycle = 256}), (results + 255) / 256 * products * 2);
  EXPECT_EQ(macs(Operation{v.planes}), results * products / 7);
}

TEST(UnityDuration, PoolOfVolumes) {
  VolumePool v;
  v.planes.kernel_height = 3;
  v.planes.kernel_width = 2;
  v.planes.result = {.height = 2 * 4, .width = 6, .channels = 5};
  v.depth.result = 2;
  v.depth.kernel = 7;
  EXPECT_EQ(macs(Operation{v}), 0U);
  EXPECT_EQ(compute_cycles(Operation{v}, {.lanes = 32}), 2 * 4 * 6 * 5 * 3 * 2 * 7 / 32U);
}

TEST(UnityDuration, PoolOfSections) {
  SectionPool s;
  s.source = {.height = 6, .width = 7, .channels = 5};
  s.result = {.height = 2 * 4, .width = 3, .channels = 5};
  s.depth.source = 5;
  s.depth.result = 2;
  // Five planes in two sections, 0 to 2 and 2 to 4; six lines in four of two lines each; seven columns in three of three columns each.
  EXPECT_EQ(compute_cycles(Operation{s}, {.lanes = 1}), (2 * 3) * (4 * 2) * (3 * 3) * 5U);
}

TEST(UnityDuration, RecurrentLayersAreProductsOfMatrices) {
  Recurrent layer{.op = Opcode::LSTM, .kind = Recurrent::Kind::lstm, .steps = 10, .batch = 1, .inputs = 128, .hidden = 256};
  layer.input.unit = Unit::fp16;
  EXPECT_EQ(macs(layer), 10U * 4 * 256 * (128 + 256));
  // 1,024 sums fill the 256 lanes four times. A product of fp16 takes four cycles.
  EXPECT_EQ(compute_cycles(layer, Timing{}), 10U * 4 * (128 + 256) * 4);
  layer.input.unit = Unit::fp32;
  EXPECT_EQ(compute_cycles(layer, Timing{}), 10U * 4 * (128 + 256) * 16);
  // 257 sums need the lanes twice in each step.
  layer = {.op = Opcode::RNN, .kind = Recurrent::Kind::rnn, .steps = 3, .batch = 1, .inputs = 5, .hidden = 257};
  layer.input.unit = Unit::fp16;
  EXPECT_EQ(macs(layer), 3U * 257 * 262);
  EXPECT_EQ(compute_cycles(layer, Timing{}), 3U * 2 * 262 * 4);
  layer.batch = 2;
  EXPECT_EQ(macs(layer), 3U * 514 * 262);
  EXPECT_EQ(compute_cycles(layer, Timing{}), 3U * 3 * 262 * 4);
}

TEST(UnityDuration, VisionPassesThroughTheLanes) {
  GridSample sample;
  sample.result = {.height = 10, .width = 10, .channels = 32};
  EXPECT_EQ(compute_cycles(sample, Timing{}), 400U);  // four neighbours of 3,200 elements, 32 in a cycle
  sample.nearest = true;
  EXPECT_EQ(compute_cycles(sample, Timing{}), 100U);
  EXPECT_EQ(macs(sample), 0U);
  PixelShuffle shuffle;
  shuffle.result = sample.result;
  EXPECT_EQ(compute_cycles(shuffle, Timing{}), 100U);
  EXPECT_EQ(compute_cycles(AffineGrid{.result = {0, Unit::fp32, 65}}, Timing{}), 3U);
  EXPECT_EQ(compute_cycles(Lookup{.op = Opcode::ONE_HOT, .result = {0, Unit::s8, 65}}, Timing{}), 3U);
}

}  // namespace
}  // namespace cox::model::unity
