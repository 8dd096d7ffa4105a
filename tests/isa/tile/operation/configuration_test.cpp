// SPDX-License-Identifier: MIT
#include "coxswain/isa/tile/configuration.h"

#include "tests/isa/tile/operation/instruction.h"

namespace cox::isa::tile {
namespace {

using test::configured;
using test::instruction;

// The arguments of region_from_cut() are the length of a region in blocks, modulo 8,192, and the number of its last block.
TEST(Cut, LengthZeroWithLastBlock8191IsTheWholeBuffer) {
  Region region;
  ASSERT_TRUE(region_from_cut(0, 8191, region).ok());
  EXPECT_EQ(region.first_block, 0);
  EXPECT_EQ(region.blocks, 8192);
}

TEST(Cut, TwoRegionsShareTheBuffer) {
  Region low, high;
  ASSERT_TRUE(region_from_cut(5584, 5583, low).ok());
  ASSERT_TRUE(region_from_cut(2608, 8191, high).ok());
  EXPECT_EQ(low.first_block, 0);
  EXPECT_EQ(low.blocks, 5584);
  EXPECT_EQ(high.first_block, 5584);  // last block 8191 - length 2608 + 1
  EXPECT_EQ(high.blocks, 2608);
}

TEST(Cut, ZeroZeroIsNoRegion) {
  Region region{3, 4};
  ASSERT_TRUE(region_from_cut(0, 0, region).ok());
  EXPECT_EQ(region.blocks, 0);
}

TEST(Cut, OneThatBeginsBeforeBlockZeroIsRefused) {
  Region region{3, 4};
  EXPECT_EQ(region_from_cut(11, 9, region).code(), ErrorCode::bad_buffer_cut);  // first block: 9 - 11 + 1 = -1
  EXPECT_EQ(region_from_cut(0, 8190, region).code(), ErrorCode::bad_buffer_cut);
  EXPECT_EQ(region_from_cut(1, 8192, region).code(), ErrorCode::bad_buffer_cut);
  EXPECT_EQ(region.first_block, 3);
  EXPECT_EQ(region.blocks, 4);
}

TEST(Configuration, BufferCutSelectsFourRegions) {
  const Configuration configuration = configured({instruction("ct_bc", {{"BCS", {2}}, {"BufCut", {10, 9, 0, 0, 5, 14, 1, 15}}})});
  EXPECT_EQ(configuration.region(8).blocks, 10);
  EXPECT_EQ(configuration.region(9).blocks, 0);
  EXPECT_EQ(configuration.region(10).first_block, 10);
  EXPECT_EQ(configuration.region(11).first_block, 15);
  EXPECT_EQ(configuration.region(0).blocks, 0);
}

TEST(Configuration, BadCutChangesNothing) {
  Configuration configuration = configured({instruction("ct_bc", {{"BCS", {0}}, {"BufCut", {10, 9}}})});
  const MachineCode bad = instruction("ct_bc", {{"BCS", {0}}, {"BufCut", {1, 0, 9, 3}}});
  EXPECT_EQ(configuration.apply(bad).code(), ErrorCode::bad_buffer_cut);
  EXPECT_EQ(configuration.region(0).blocks, 10);
}

TEST(Configuration, RegisterSetsAreSeparate) {
  const MachineCode zero = instruction("lda_cfg", {{"RS", {0}}, {"STile", {1, 2, 3}}, {"DTile", {1, 2, 3}}});
  const MachineCode three = instruction("lda_cfg", {{"RS", {3}}, {"STile", {4, 5, 6}}, {"DTile", {4, 5, 6}}});
  const Configuration configuration = configured({zero, three});
  ASSERT_NE(configuration.find(Opcode::lda_cfg, 0), nullptr);
  EXPECT_EQ(*configuration.find(Opcode::lda_cfg, 0), zero);
  EXPECT_EQ(*configuration.find(Opcode::lda_cfg, 3), three);
  EXPECT_EQ(configuration.find(Opcode::lda_cfg, 1), nullptr);
  EXPECT_EQ(configuration.find(Opcode::sta_cfg, 0), nullptr);
}

TEST(Configuration, LoadSetsAreSharedByActivationsAndWeights) {
  const MachineCode activations = instruction("lda_cfg", {{"RS", {1}}, {"STile", {1, 2, 3}}, {"DTile", {1, 2, 3}}});
  const MachineCode weights = instruction("ldw_cfg", {{"RS", {1}}, {"SWsize", {1, 1, 1}}, {"DWsize", {1, 1, 1}}});
  const Configuration configuration = configured({activations, weights});
  EXPECT_EQ(configuration.find(Opcode::lda_cfg, 1), nullptr);
  ASSERT_NE(configuration.find(Opcode::ldw_cfg, 1), nullptr);
}

TEST(Configuration, ExecutableInstructionsAndClearing) {
  Configuration configuration = configured({instruction("pe_conv", {}), instruction("vp_cfg_qp", {{"QK", {2}}})});
  EXPECT_EQ(configuration.find(Opcode::pe_conv), nullptr);
  EXPECT_NE(configuration.find(Opcode::vp_cfg_qp), nullptr);
  configuration.clear();
  EXPECT_EQ(configuration.find(Opcode::vp_cfg_qp), nullptr);
}

}  // namespace
}  // namespace cox::isa::tile
