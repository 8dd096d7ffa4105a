// SPDX-License-Identifier: MIT
// What observers hear of the memories of a tile core.
#include "sim/model/tile/touches.h"

#include <gtest/gtest.h>

#include "tests/sim/device/machine.h"

namespace cox::test {
namespace {

using isa::tile::Access;
using isa::tile::Space;

constexpr isa::tile::Region kRegion{.first_block = 4, .blocks = 2};  // bytes 0x1000 to 0x17ff
static_assert(isa::tile::kBlockBytes == 1024);

model::Touched touched(const Access &access) {
  model::Touched result;
  result.window = 0x6000'0000;
  result.core = 2;
  result.remote_core = 3;
  result.footprint.accesses[0] = access;
  result.footprint.count = 1;
  result.regions[0] = kRegion;
  return result;
}
std::vector<model::Touch> touches(const Access &access) { return model::touches_of(make(Opcode::lda_mov), touched(access)); }

TEST(TileTouches, Memories) {
  const auto dram = touches({.space = Space::dram, .start = 16, .run = 4, .count = {2, 1, 1}, .stride = {8, 0, 0}});
  ASSERT_EQ(dram.size(), 1U);
  EXPECT_EQ(dram[0].space, model::Touch::kDram);
  EXPECT_EQ(dram[0].first, 0x6000'0010U);
  EXPECT_EQ(dram[0].run, 4U);
  EXPECT_EQ(dram[0].count[0], 2U);
  EXPECT_EQ(dram[0].stride[0], 8);
  const auto weights = touches({.space = Space::wl0, .write = true, .start = 64, .run = 64});
  ASSERT_EQ(weights.size(), 1U);
  EXPECT_EQ(weights[0].space, model::wl0_space(2));
  EXPECT_TRUE(weights[0].write);
  const auto remote = touches({.space = Space::remote_l2, .selector = 1, .start = 64, .run = 64});
  ASSERT_EQ(remote.size(), 1U);
  EXPECT_EQ(remote[0].space, model::l2_space(3));
}

TEST(TileTouches, AnAccessToL2ReadsItsRegion) {
  const auto own = touches({.space = Space::l2, .write = true, .selector = 7, .start = 0x1700, .run = 0x100});
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].space, model::regions_space(2));
  EXPECT_FALSE(own[0].write);
  EXPECT_EQ(own[0].first, 7U);
  EXPECT_EQ(own[1].space, model::l2_space(2));
  EXPECT_TRUE(own[1].write);
  EXPECT_EQ(own[1].first, 0x1700U);
  EXPECT_EQ(own[1].run, 0x100U);
}

TEST(TileTouches, AnAccessBehindItsRegionGoesOnAtTheRegionsBegin) {
  const auto own = touches({.space = Space::l2, .start = 0x1700, .run = 0x80, .count = {2, 2, 1}, .stride = {0x80, 0x80, 0}});
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[1].first, 0x1000U);
  EXPECT_EQ(own[1].run, 0x800U);
  EXPECT_EQ(own[1].count[1], 1U);
}

TEST(TileTouches, ACutDefinesFourRegions) {
  model::Touched of_core;
  of_core.core = 1;
  const auto cut = model::touches_of(make(Opcode::ct_bc, {{"BCS", {2}}, {"BufCut", {0, 8191}}}), of_core);
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(cut[0].space, model::regions_space(1));
  EXPECT_TRUE(cut[0].write);
  EXPECT_EQ(cut[0].first, 8U);
  EXPECT_EQ(cut[0].run, 4U);
}

}  // namespace
}  // namespace cox::test
