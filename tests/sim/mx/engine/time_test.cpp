// SPDX-License-Identifier: MIT
// Durations of MX instructions, worked out by hand from docs/model.md (Time of the MX engine). The engine starts 50 cycles after the
// doorbell. A setup takes 64 cycles. In a cycle the engine moves 16 bytes and computes 1,024 multiply-accumulates or 4 blocks.
#include <gtest/gtest.h>

#include "tests/sim/mx/engine/machine.h"

namespace cox::test {
namespace {

using mx::Opcode;

constexpr std::uint64_t kSetup = 64;

/// Runs a stream of CONFBADDR and the instruction, and returns the cycles that the instruction takes. Expects the engine to count `bytes`.
std::uint64_t cycles(const mx::MachineCode &code, std::uint64_t bytes) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.submit({bases(), code});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), 2u);
  EXPECT_EQ(machine.engine_counter(r::engine::bytes_lo::kOffset), bytes);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 0u);
  EXPECT_EQ(machine.engine_counter(r::engine::busy_lo::kOffset), machine.engine_entry(0).end - 50);
  return machine.engine_entry(0).end - 50 - kSetup;
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
  EXPECT_EQ(machine.engine_entry(0).end, 1050u + 2 * 64);
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::engine::head::offset(0)), 1u);
}

TEST(MxTime, ElementwiseIsBoundByDram) {
  // Two inputs and an output of 1,000 blocks of 18 bytes are 54,000 bytes, which take 54,000 / 16 = 3,375 cycles. The computation takes
  // only 1,000 / 4 = 250.
  EXPECT_EQ(cycles(make_mx(Opcode::ELADD, {{"Length1", 1000}, {"InOffset2", 0x10000}, {"OutOffset", 0x20000}}), 54000), kSetup + 3375);
  // In place: one block is read and written, 36 bytes, which take 2.25 cycles.
  EXPECT_EQ(cycles(make_mx(Opcode::SMULI, {{"Length1", 1}}), 36), kSetup + 3);
}

TEST(MxTime, AConvolutionIsItsFirstWeightsAndItsMultiplyAccumulates) {
  // A 3x3 kernel from 64 to 64 channels on 20x20 padded pixels: 400 * 9 * 64 * 64 multiply-accumulates take 14,400 cycles.
  // Before them the engine loads the first 16 channels' weights: 9 * 4 * 16 blocks of 18 bytes and 16 biases of 4 bytes are 10,432 bytes,
  // which take 652 cycles.
  // All bytes are 28,800 of input (1,600 blocks), 28,800 of output and 4 * 10,432 of weights: 99,328, which take only 6,208 cycles.
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
  // A 1x1 kernel from 64 to 64 channels on one pixel. The input and the output have 72 bytes each, and the weights have 4,864. At 16 bytes
  // a cycle, these 5,008 bytes take 313 cycles. The computation takes less.
  const mx::MachineCode code =
      make_mx(Opcode::CONVACT, {{"InChannels", 3}, {"OutChannels", 3}, {"WeightOffset", 0x20000}, {"OutOffset1", 0x40000}});
  EXPECT_EQ(cycles(code, 5008), kSetup + 313);
}

TEST(MxTime, AWindowOfAPoolIsABlockOperationEach) {
  // A 5x5 window at 8x8 positions: 64 * 25 block operations / 4 = 400 cycles. Input and output are 2 * 64 * 18 = 2,304 bytes, which take
  // only 144.
  const mx::MachineCode code =
      make_mx(Opcode::POOL, {{"Kernel", 5}, {"Stride", 1}, {"Padding", 2}, {"InHeight", 7}, {"InWidth", 7}, {"OutOffset1", 0x1000}});
  EXPECT_EQ(cycles(code, 2304), kSetup + 400);
}

TEST(MxTime, MovesReadEachByteOnce) {
  // 5 runs of 10 blocks are read once and written twice: 900 + 1,800 bytes take 168.75 cycles.
  EXPECT_EQ(
      cycles(make_mx(Opcode::MOVE, {{"Run", 9}, {"Count", 4}, {"Repeat", 1}, {"InStride", 10}, {"OutStride", 20}, {"OutOffset", 0x1000}}),
             2700),
      kSetup + 169);
  // The same run of 10 blocks is written ten times, but read once: 180 + 1,800 bytes take 123.75 cycles.
  EXPECT_EQ(
      cycles(make_mx(Opcode::MOVE, {{"Run", 9}, {"Count", 4}, {"Repeat", 1}, {"InStride", 0}, {"OutStride", 20}, {"OutOffset", 0x1000}}),
             1980),
      kSetup + 124);
  // 3 runs of 4 blocks start one block apart, so they cover 6 blocks. 6 blocks are read and 12 written: 324 bytes, which take 20.25 cycles.
  EXPECT_EQ(cycles(make_mx(Opcode::MOVE, {{"Run", 3}, {"Count", 2}, {"InStride", 1}, {"OutStride", 4}, {"OutOffset", 0x1000}}), 324),
            kSetup + 21);
}

TEST(MxTime, GeometryIsReportedAndUsed) {
  MxMachine machine(R"({"geometry": {"mx_lanes": 2, "mx_buffer_kib": 256, "mx_setup_cycles": 10, "mx_dram_bytes_per_cycle": 4}})");
  machine.bring_up_mx();
  EXPECT_EQ(machine.read(r::geometry3::kOffset), 512u | 256 << 16);
  // With 2 lanes, a 5x5 pool at 8x8 positions computes for 64 * 25 / 2 = 800 cycles. Its 2,304 bytes, 4 a cycle, take only 576. Then the
  // SIGMOID of 1,000 blocks moves 36,000 bytes in 9,000 cycles.
  machine.submit(
      {bases(),
       make_mx(Opcode::POOL, {{"Kernel", 5}, {"Stride", 1}, {"Padding", 2}, {"InHeight", 7}, {"InWidth", 7}, {"OutOffset1", 0x1000}}),
       make_mx(Opcode::SIGMOID, {{"Length1", 1000}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, 50u + 3 * 10 + 800 + 9000);
}

TEST(MxTime, NarrowDramRules) {
  // DRAM moves 8 bytes a cycle, so the 36,000 bytes of SIGMOID take 4,500 cycles.
  MxMachine machine(R"({"geometry": {"dram_bytes_per_1024_cycles": 8192}})");
  machine.bring_up_mx();
  machine.submit({bases(), make_mx(Opcode::SIGMOID, {{"Length1", 1000}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, 50u + 2 * 64 + 4500);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 0u);
  const std::uint64_t now = machine.now;
  // A 1x1 kernel from 64 to 16 channels on 32x32 pixels computes for 1,024 cycles. It moves 73,728 bytes of input, 18,432 of output and
  // 1,216 of weights: 93,376 bytes, which take 11,672 cycles at 8 bytes a cycle.
  machine.submit(
      {bases(), make_mx(Opcode::CONVACT,
                        {{"InChannels", 3}, {"InHeight", 31}, {"InWidth", 31}, {"WeightOffset", 0x20000}, {"OutOffset1", 0x40000}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(1).end, now + 50 + 2 * 64 + 11672);
}

/// An ldw_mov that loads `kernels` records of 40 bytes, in queue LD.
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
  machine.submit({load(400)});  // moves 16,000 bytes from cycle 1,060 on: 1,000 cycles if nothing else moves
  machine.submit({bases(), make_mx(Opcode::SIGMOID, {{"Length1", 200}, {"InOffset", 0x10000}, {"OutOffset", 0x20000}})});
  machine.run();
  // The engine moves 7,200 bytes from cycle 1,178 on: 1,000 + 50 (doorbell) + 64 (CONFBADDR) + 64 (setup). With half of the bandwidth, 8
  // bytes a cycle, they take 900 cycles instead of 450.
  // The tile load begins at cycle 1,060. It moves 118 * 16 = 1,888 of its 16,000 bytes before cycle 1,178, and 7,200 bytes while the engine
  // moves its own. Its last 6,912 bytes take 432 cycles.
  EXPECT_EQ(machine.engine_entry(0).end, 1178u + 900);
  EXPECT_EQ(machine.entry(0).end, 1178u + 900 + 432);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 450u);
  EXPECT_EQ(machine.engine_counter(r::engine::busy_lo::kOffset), 64u + 64 + 450);
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::stalled_lo::kOffset), 450u);
}

TEST_F(MxSharing, WhatHasMovedItsBytesLeavesTheBandwidthToOthersWhileItComputes) {
  // The convolution moves 99,328 bytes from cycle 1,178 to cycle 7,386, 16 bytes a cycle. It computes until cycle 16,230: 652 cycles until
  // the first weights are there, then 14,400.
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
  EXPECT_EQ(machine.engine_entry(0).end, 16230u);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 0u);
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
  EXPECT_EQ(machine.engine_entry(0).end, 16230u);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 0u);
}

}  // namespace
}  // namespace cox::test
