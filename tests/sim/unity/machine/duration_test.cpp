// SPDX-License-Identifier: MIT
// Multiply-accumulates and cycles of operations on volumes.
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

}  // namespace
}  // namespace cox::model::unity
