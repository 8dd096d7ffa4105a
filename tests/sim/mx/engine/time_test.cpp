// SPDX-License-Identifier: MIT
// Durations of MX instructions, worked out by hand from docs/model.md (Time of the MX engine): 50 cycles from the doorbell, 64 for each
// setup, 16 bytes a cycle, 1,024 multiply-accumulates or 4 blocks a cycle.
#include <gtest/gtest.h>

#include "tests/sim/mx/engine/machine.h"

namespace cox::test {
namespace {

using mx::Opcode;

constexpr std::uint64_t kSetup = 64;

/// Cycles of the instruction behind a CONFBADDR. Also checks the counted bytes.
std::uint64_t cycles(const mx::MachineCode &code, std::uint64_t bytes) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.submit({bases(), code});
  machine.run();
  EXPECT_EQ(machine.mx_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.mx_counter(r::engine::instructions_lo::kOffset), 2u);
  EXPECT_EQ(machine.mx_counter(r::engine::bytes_lo::kOffset), bytes);
  EXPECT_EQ(machine.mx_counter(r::engine::stalled_lo::kOffset), 0u);
  EXPECT_EQ(machine.mx_counter(r::engine::busy_lo::kOffset), machine.mx_entry(0).end - 50);
  return machine.mx_entry(0).end - 50 - kSetup;
}

TEST(MxTime, AStreamStartsAfterItsDoorbellAndASelectionTakesItsSetup) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.now = 1000;
  machine.submit({bases(), bases()});
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 2u);
  machine.advance_to(1049);
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 2u);
  machine.advance_to(1050);
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 1u);
  EXPECT_EQ(machine.read(r::engine::head::offset(0)), 0u);
  machine.run();
  EXPECT_EQ(machine.mx_entry(0).end, 1050u + 2 * 64);
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::engine::head::offset(0)), 1u);
}

TEST(MxTime, ElementwiseIsBoundByDram) {
  // 3 x 1,000 blocks of 18 bytes are 54,000; / 16 = 3,375 > 1,000 / 4.
  EXPECT_EQ(cycles(make_mx(Opcode::ELADD, {{"Length1", 1000}, {"InOffset2", 0x10000}, {"OutOffset", 0x20000}}), 54000), kSetup + 3375);
  // In place: 2 x 18 bytes; 2.25 cycles.
  EXPECT_EQ(cycles(make_mx(Opcode::SMULI, {{"Length1", 1}}), 36), kSetup + 3);
}

TEST(MxTime, AConvolutionIsItsFirstWeightsAndItsMultiplyAccumulates) {
  // 3x3, 64 to 64 channels, 20x20, padded: 400 * 9 * 64 * 64 = 14,745,600; / 1,024 = 14,400.
  // The first 16 channels' weights: 9 * 4 * 16 blocks of 18 and 16 biases of 4 bytes: 10,432; / 16 = 652.
  // Bytes: 1,600 blocks in, 1,600 out, 28,800 each; weights 4 * 10,432 = 41,728: 99,328, which take 6,208.
  const mx::MachineCode code = make_mx(Opcode::CONVACT, {{"InChannels", 3},
                                                         {"OutChannels", 3},
                                                         {"Kernel", 1},
                                                         {"Padding", 1},
                                                         {"InHeight", 19},
                                                         {"InWidth", 19},
                                                         {"WeightOffset", 0x20000},
                                                         {"OutOffset1", 0x40000}});
  EXPECT_EQ(cycles(code, 99328), kSetup + 652 + 14400);
}

TEST(MxTime, AConvolutionOfOnePixelIsBoundByItsWeights) {
  // 1x1, 64 to 64 channels, one pixel: 4,096 / 1,024 = 4 after 4 * 16 * 18 + 64 = 1,216 bytes, 76 cycles: 80 in all.
  // Bytes: 4 + 4 blocks, 144; weights 4 * 1,216 = 4,864: 5,008, which take 313.
  const mx::MachineCode code =
      make_mx(Opcode::CONVACT, {{"InChannels", 3}, {"OutChannels", 3}, {"WeightOffset", 0x20000}, {"OutOffset1", 0x40000}});
  EXPECT_EQ(cycles(code, 5008), kSetup + 313);
}

TEST(MxTime, AWindowOfAPoolIsABlockOperationEach) {
  // 5x5, 8x8 positions: 64 * 25 / 4 = 400; bytes 2 * 64 * 18 = 2,304: 144.
  const mx::MachineCode code =
      make_mx(Opcode::POOL, {{"Kernel", 5}, {"Stride", 1}, {"Padding", 2}, {"InHeight", 7}, {"InWidth", 7}, {"OutOffset1", 0x1000}});
  EXPECT_EQ(cycles(code, 2304), kSetup + 400);
}

TEST(MxTime, MovesReadEachByteOnce) {
  // 5 runs of 10 blocks, written twice: 900 + 1,800 bytes: 168.75.
  EXPECT_EQ(
      cycles(make_mx(Opcode::MOVE, {{"Run", 9}, {"Count", 4}, {"Repeat", 1}, {"InStride", 10}, {"OutStride", 20}, {"OutOffset", 0x1000}}),
             2700),
      kSetup + 169);
  // The same run repeatedly: 180 + 1,800: 123.75.
  EXPECT_EQ(
      cycles(make_mx(Opcode::MOVE, {{"Run", 9}, {"Count", 4}, {"Repeat", 1}, {"InStride", 0}, {"OutStride", 20}, {"OutOffset", 0x1000}}),
             1980),
      kSetup + 124);
  // 3 runs of 4 blocks with a stride of one block: 6 blocks in, 12 out, 324 bytes: 20.25.
  EXPECT_EQ(cycles(make_mx(Opcode::MOVE, {{"Run", 3}, {"Count", 2}, {"InStride", 1}, {"OutStride", 4}, {"OutOffset", 0x1000}}), 324),
            kSetup + 21);
}

TEST(MxTime, GeometryIsReportedAndUsed) {
  MxMachine machine(R"({"geometry": {"mx_lanes": 2, "mx_buffer_kib": 256, "mx_setup_cycles": 10, "mx_dram_bytes_per_cycle": 4}})");
  machine.bring_up_mx();
  EXPECT_EQ(machine.read(r::geometry3::kOffset), 512u | 256 << 16);
  // The 5x5 pool above takes 64 * 25 / 2 = 800 cycles, its bytes 2,304 / 4 = 576. Then 1,000 blocks of SIGMOID take 36,000 / 4 = 9,000.
  machine.submit(
      {bases(),
       make_mx(Opcode::POOL, {{"Kernel", 5}, {"Stride", 1}, {"Padding", 2}, {"InHeight", 7}, {"InWidth", 7}, {"OutOffset1", 0x1000}}),
       make_mx(Opcode::SIGMOID, {{"Length1", 1000}})});
  machine.run();
  EXPECT_EQ(machine.mx_entry(0).end, 50u + 3 * 10 + 800 + 9000);
}

TEST(MxTime, NarrowDramRules) {
  // With 8 bytes a cycle 36,000 bytes take 4,500 cycles. The first weights of a convolution, 4 * 16 * 18 + 64 = 1,216 bytes, take 152.
  MxMachine machine(R"({"geometry": {"dram_bytes_per_1024_cycles": 8192}})");
  machine.bring_up_mx();
  machine.submit({bases(), make_mx(Opcode::SIGMOID, {{"Length1", 1000}})});
  machine.run();
  EXPECT_EQ(machine.mx_entry(0).end, 50u + 2 * 64 + 4500);
  EXPECT_EQ(machine.mx_counter(r::engine::stalled_lo::kOffset), 0u);
  const std::uint64_t now = machine.now;
  // 32x32 pixels, 64 to 16 channels: 1,024 * 64 * 16 / 1,024 = 1,024 cycles; bytes 73,728 + 18,432 + 1,216 = 93,376: 11,672.
  machine.submit(
      {bases(), make_mx(Opcode::CONVACT,
                        {{"InChannels", 3}, {"InHeight", 31}, {"InWidth", 31}, {"WeightOffset", 0x20000}, {"OutOffset1", 0x40000}})});
  machine.run();
  EXPECT_EQ(machine.mx_entry(1).end, now + 50 + 2 * 64 + 11672);
}

/// ldw_mov of `kernels` records of 40 bytes, in queue LD.
MachineCode load(double kernels) {
  return with_completion(
      make(isa::tile::Opcode::ldw_mov, {{"DBSG", {0}}, {"STaddr", {0}}, {"DTaddr", {0}}, {"Wsize", {kernels, 8, 1, 1}}}));
}

class MxSharing : public ::testing::Test {
 protected:
  MxSharing() : machine(R"({"geometry": {"dram_bytes_per_1024_cycles": 16384, "load_setup_cycles": 10}})") {
    machine.bring_up_mx();
    machine.submit(
        {whole_buffer(), make(isa::tile::Opcode::ldw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}})});
    machine.run();
    machine.advance_to(1000);
  }
  MxMachine machine;
};

TEST_F(MxSharing, ATileLoadAndTheEngineHaveHalfTheBandwidthEach) {
  machine.submit({load(400)});  // 16,000 bytes from 1,060: 1,000 cycles if nothing else moves
  machine.submit({bases(), make_mx(Opcode::SIGMOID, {{"Length1", 200}, {"InOffset", 0x10000}, {"OutOffset", 0x20000}})});
  machine.run();
  // 7,200 bytes from 1,050 + 64 + 64 = 1,178 at 8 a cycle take 900 cycles instead of 450. The load then has 16,000 - 118 * 16 - 7,200 =
  // 6,912 bytes left, which take 432 more.
  EXPECT_EQ(machine.mx_entry(0).end, 1178u + 900);
  EXPECT_EQ(machine.entry(0).end, 1178u + 900 + 432);
  EXPECT_EQ(machine.mx_counter(r::engine::stalled_lo::kOffset), 450u);
  EXPECT_EQ(machine.mx_counter(r::engine::busy_lo::kOffset), 64u + 64 + 450);
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::stalled_lo::kOffset), 450u);
}

TEST_F(MxSharing, WhatHasMovedItsBytesLeavesTheBandwidthToOthersWhileItComputes) {
  // The convolution above moves 99,328 bytes from 1,178 to 7,386. It computes until 1,178 + 652 + 14,400 = 16,230.
  machine.submit({bases(), make_mx(Opcode::CONVACT, {{"InChannels", 3},
                                                     {"OutChannels", 3},
                                                     {"Kernel", 1},
                                                     {"Padding", 1},
                                                     {"InHeight", 19},
                                                     {"InWidth", 19},
                                                     {"WeightOffset", 0x20000},
                                                     {"OutOffset1", 0x40000}})});
  machine.advance_to(7386);
  machine.submit({load(400)});
  machine.run();
  EXPECT_EQ(machine.entry(0).end, 7386u + 50 + 10 + 1000);
  EXPECT_EQ(machine.mx_entry(0).end, 16230u);
  EXPECT_EQ(machine.mx_counter(r::engine::stalled_lo::kOffset), 0u);
}

TEST_F(MxSharing, CompetitionThatComputingHidesCostsNothing) {
  machine.submit({load(400)});
  machine.submit({bases(), make_mx(Opcode::CONVACT, {{"InChannels", 3},
                                                     {"OutChannels", 3},
                                                     {"Kernel", 1},
                                                     {"Padding", 1},
                                                     {"InHeight", 19},
                                                     {"InWidth", 19},
                                                     {"WeightOffset", 0x20000},
                                                     {"OutOffset1", 0x40000}})});
  machine.run();
  EXPECT_EQ(machine.mx_entry(0).end, 16230u);
  EXPECT_EQ(machine.mx_counter(r::engine::stalled_lo::kOffset), 0u);
}

}  // namespace
}  // namespace cox::test
