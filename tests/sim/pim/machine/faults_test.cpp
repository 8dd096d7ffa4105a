// SPDX-License-Identifier: MIT
// Every kind of fault: it changes nothing, its core stops, others go on, and the first one is reported.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::faults_test {

using namespace isa::pim::build;
using isa::pim::Special;

/// Two cores: core 0 runs an instruction, then faults in `bad`; core 1 goes on for longer.
class PimFaults : public ::testing::Test {
 protected:
  PimFaults() : source(2), rig(4) {
    source.set(0, 1, kData).set(0, 2, kDram).set(0, 3, 16).set(0, 6, 0xFFFFFFFF).set(0, 7, 1).set(0, 8, 9);
    source.code[1] = Instructions(100, addi(r(1), r(1), 1));
  }

  void expect(Instructions bad, ErrorCode code, const char *what, std::uint32_t position = 1) {
    bad.insert(bad.begin(), general_li(r(20), 20));
    bad.push_back(general_li(r(21), 21));
    source.code[0] = std::move(bad);
    rig.machine.clear();
    std::ranges::fill(rig.machine.memory(0, data_space), std::byte{0x5A});
    rig.start(source);
    const isa::pim::Registers before = rig.machine.registers(0);
    rig.finish();
    EXPECT_EQ(rig.status().code(), code) << error_name(rig.status().code()) << " " << rig.status().what();
    EXPECT_STREQ(rig.status().what(), what);
    const Outcome &outcome = rig.machine.outcome();
    EXPECT_EQ(outcome.position.core, 0U);
    EXPECT_EQ(outcome.position.instruction, position);
    EXPECT_EQ(outcome.waiting, 0U);
    const CoreState state = rig.machine.state(0);
    EXPECT_EQ(state.phase, Phase::faulted);
    EXPECT_EQ(state.counter, position);
    EXPECT_EQ(state.fault.code(), code);
    EXPECT_EQ(state.fault_time, outcome.time);
    isa::pim::Registers expected = before;
    expected.general[20] = 20;
    EXPECT_EQ(rig.machine.registers(0).general, expected.general);
    EXPECT_EQ(rig.machine.registers(0).special, expected.special);
    EXPECT_TRUE(std::ranges::all_of(rig.machine.memory(0, data_space), [](std::byte byte) { return byte == std::byte{0x5A}; }));
    EXPECT_EQ(rig.machine.state(1).phase, Phase::ended);
    EXPECT_EQ(rig.general(1, 1), 100U);
  }

  Source source;
  Rig rig;
};

TEST_F(PimFaults, IllegalInstructions) {
  expect({{0xFFFFFFFF}}, ErrorCode::unknown_instruction, "opcode");
  expect({{add(r(1), r(1), r(1))[0] | 8}}, ErrorCode::reserved_bits, "add");
  expect({special_li(static_cast<Special>(9), 0)}, ErrorCode::field_out_of_range, "rd");
  expect({simd_compute(isa::pim::SimdOpcode::quantify, 3, r(1), r(31), r(1), r(1))}, ErrorCode::field_out_of_range, "rs1");
}

TEST_F(PimFaults, AddressesOutsideOfMemories) {
  source.set(0, 4, kData + 0x3FFFD);
  expect({load_local(r(5), r(4))}, ErrorCode::address_outside_buffer, "rs1");
  expect({store_local(r(5), r(2))}, ErrorCode::address_outside_buffer, "rs1");
  expect({load_local(r(5), r(6))}, ErrorCode::address_outside_buffer, "rs1");
  expect({load_global(r(5), r(1))}, ErrorCode::address_outside_window, "rs1");
  expect({trans(r(1), r(4), r(3))}, ErrorCode::address_outside_buffer, "rs1");
  expect({trans(r(4), r(1), r(3))}, ErrorCode::address_outside_buffer, "rd");
}

TEST_F(PimFaults, WindowsOfDram) {
  source.set(0, 4, kDram + (3U << 29)).set(0, 5, kDram + (1U << 20) - 2);
  expect({store_global(r(5), r(4))}, ErrorCode::address_outside_window, "rs1");
  expect({trans(r(4), r(1), r(3))}, ErrorCode::address_outside_window, "rd");
  expect({trans(r(1), r(5), r(3))}, ErrorCode::address_outside_window, "rs1");
  expect({load_global(r(9), r(5))}, ErrorCode::address_outside_window, "rs1");
  rig.dram.fails = true;
  expect({load_global(r(9), r(2))}, ErrorCode::device_fault, "bus");
  expect({trans(r(1), r(2), r(3))}, ErrorCode::device_fault, "bus");
}

TEST_F(PimFaults, BranchesOutOfTheProgram) {
  expect({jmp(-2)}, ErrorCode::branch_outside_program, "offset");
  expect({beq(r(1), r(1), 3)}, ErrorCode::branch_outside_program, "offset");
  // A branch that is not taken does not fault, and the length itself is a target.
  source.code[0] = {bne(r(1), r(1), 30), beq(r(1), r(1), 1)};
  rig.run(source);
  EXPECT_TRUE(rig.status().ok());
}

TEST_F(PimFaults, BatchesWithoutTheirCompute) {
  const MachineCode batch = pim_batch(r(7), r(9), r(9), r(9));
  expect({batch}, ErrorCode::batch_without_compute, "pim-batch");
  expect({batch, batch}, ErrorCode::batch_without_compute, "pim-batch");
  expect({batch, {0xFFFFFFFF}}, ErrorCode::batch_without_compute, "pim-batch");
  source.code[0] = {general_li(r(20), 20), batch};
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::batch_without_compute) << "also at the end of the code";
  EXPECT_EQ(rig.machine.state(0).counter, 1U);
}

TEST_F(PimFaults, TheFaultOfABatchNamesItsCompute) {
  const MachineCode batch = pim_batch(r(7), r(9), r(9), r(9)), compute = pim_compute(r(1), r(7), r(9));
  expect({batch, compute}, ErrorCode::field_out_of_range, "input_bit_width", 2);
  expect({batch, {compute[0] | 1}}, ErrorCode::reserved_bits, "pim-compute", 2);
}

/// Instructions of the array with values that are wrong: widths, groups, columns, masks and counts.
TEST_F(PimFaults, InstructionsOfTheArray) {
  constexpr unsigned kInputWidth = 32, kWeightWidth = 34, kGroupSize = 35, kGroups = 36, kColumns = 37, kMaskAddress = 39;
  const auto right = [&] {
    source.set(0, kInputWidth, 8).set(0, 33, 8).set(0, kWeightWidth, 8).set(0, kGroupSize, 16).set(0, kGroups, 1).set(0, kColumns, 16);
    source.set(0, kMaskAddress, kData).set(0, 3, 16).set(0, 9, 0);
  };
  const ComputeFlags group{.group = true};
  const MachineCode compute = pim_compute(r(1), r(3), r(9), group);
  const auto wrong = [&](unsigned place, std::uint32_t value, const char *what, const MachineCode &code) {
    source.set(0, place, value);
    expect({code}, ErrorCode::field_out_of_range, what);
    right();
  };
  right();
  wrong(kInputWidth, 3, "input_bit_width", compute);
  wrong(kInputWidth, 64, "input_bit_width", compute);
  wrong(kWeightWidth, 0, "weight_bit_width", compute);
  wrong(kWeightWidth, 8, "weight_bit_width", pim_compute(r(1), r(3), r(9), {.bit_sparse = true, .group = true}));
  wrong(33, 5, "output_bit_width", pim_output(r(1)));
  wrong(kGroupSize, 24, "group_size", compute);
  wrong(kGroups, 17, "activation_group_num", compute);
  wrong(kColumns, 129, "activation_column_num", compute);
  wrong(kColumns, 0, "activation_column_num", pim_output(r(1)));
  wrong(3, 33, "rs2", compute);
  wrong(3, 0x80000000, "rs2", compute);
  wrong(9, 16, "rs3", compute);
  // The data memory is full of 0x5A, so 33 of the first 66 inputs are set, and bit 14 of a mask of sums.
  wrong(3, 66, "value_sparse_mask", pim_compute(r(1), r(3), r(9), {.value_sparse = true, .group = true}));
  wrong(3, 15, "rs2", pim_output(r(1), r(3), r(1), {.outsum = true}));
  wrong(3, 17, "rs1", pim_output(r(1), r(3), r(1), {.outsum = true}));
  wrong(3, 0xFFFFFFFF, "rs2", pim_transfer(r(1), r(1), r(3), r(1)));
}

TEST_F(PimFaults, Messages) {
  source.set(0, 4, kInput).set(0, 5, 0);
  expect({send(r(5), {r(1), r(4), r(9), r(3)})}, ErrorCode::own_core, "rd1");
  expect({receive(r(8), {r(1), r(4), r(9), r(3)})}, ErrorCode::field_out_of_range, "rs1");
  expect({send(r(7), {r(2), r(4), r(9), r(3)})}, ErrorCode::address_outside_buffer, "rs");
  expect({wait(r(8), r(9))}, ErrorCode::field_out_of_range, "rs_core");
  expect({barrier(r(9), r(5))}, ErrorCode::barrier_mismatch, "rs_num");
  expect({barrier(r(9), r(3))}, ErrorCode::barrier_mismatch, "rs_num");
}

TEST_F(PimFaults, TheFirstByTimeIsReportedThenTheLowestCore) {
  Source faults(3);
  faults.code[0] = {general_li(r(1), 1), general_li(r(1), 1), {0xFFFFFFFF}};
  faults.code[1] = {general_li(r(1), 1), {0xFFFFFFFF}};
  faults.code[2] = {general_li(r(1), 1), {0xFFFFFFFF}};
  rig.run(faults);
  EXPECT_EQ(rig.machine.outcome().position.core, 1U);
  EXPECT_EQ(rig.machine.outcome().position.instruction, 1U);
  EXPECT_EQ(rig.machine.outcome().time, 1002U);
  EXPECT_EQ(rig.machine.state(0).fault_time, 1003U);
}

TEST_F(PimFaults, InstructionsInFlightEndBeforeTheProgramDoes) {
  Source faults(1);
  faults.set(0, 1, kData).set(0, 2, kDram).set(0, 3, 160);
  faults.code[0] = {trans(r(1), r(2), r(3)), {0xFFFFFFFF}};
  EXPECT_EQ(rig.run(faults), 1 + 60 + 10U);
  EXPECT_EQ(rig.machine.outcome().time, 1002U);
}

// Time limits.

TEST_F(PimFaults, AProgramThatNeverEndsIsStopped) {
  Source endless(3);
  endless.code[0] = {addi(r(1), r(1), 1), jmp(-1)};
  endless.code[1] = {addi(r(1), r(1), 1)};
  endless.code[2] = {barrier(r(1), r(2))};
  endless.set(2, 2, 2);
  endless.time_limit = 10'001;
  EXPECT_EQ(rig.run(endless), 10'001U);
  EXPECT_EQ(rig.status().code(), ErrorCode::time_limit);
  EXPECT_EQ(rig.status().limit(), 0);
  EXPECT_EQ(rig.status().value(), 10'001);
  EXPECT_EQ(rig.general(0, 1), 5000U);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::faulted);
  EXPECT_EQ(rig.machine.state(1).phase, Phase::ended);
  EXPECT_EQ(rig.machine.state(2).phase, Phase::faulted) << "a core that waits still runs";
  EXPECT_EQ(rig.machine.outcome().waiting, 0U);
}

TEST_F(PimFaults, AStepOfAnEndlessProgramEnds) {
  Source endless(1);
  endless.code[0] = {addi(r(1), r(1), 1), jmp(-1)};
  rig.start(endless);
  rig.machine.step(100);
  EXPECT_GE(rig.general(0, 1), 50U);
  EXPECT_LE(rig.general(0, 1), (100 + 4096) / 2U) << "a core is at most 4,096 cycles ahead";
  EXPECT_FALSE(rig.machine.done());
}

TEST_F(PimFaults, TheDevicesLimitHoldsForEveryProgram) {
  Timing timing;
  timing.time_limit = 500;
  Rig limited(1, timing);
  Source endless;
  endless.code[0] = {jmp(0)};
  EXPECT_EQ(limited.run(endless), 500U);
  EXPECT_EQ(limited.status().code(), ErrorCode::time_limit);
  endless.time_limit = 600;
  EXPECT_EQ(limited.run(endless), 500U);
  endless.time_limit = 400;
  EXPECT_EQ(limited.run(endless), 400U);
}

TEST_F(PimFaults, AProgramThatEndsAtTheLimitHasEnded) {
  Source source_of_five;
  source_of_five.code[0] = Instructions(5, addi(r(1), r(1), 1));  // ends in cycle 6
  source_of_five.time_limit = 6;
  rig.run(source_of_five);
  EXPECT_TRUE(rig.status().ok());
  source_of_five.time_limit = 5;
  rig.run(source_of_five);
  EXPECT_EQ(rig.status().code(), ErrorCode::time_limit);
  EXPECT_EQ(rig.general(0, 1), 4U);
  Source long_one;
  long_one.set(0, 1, kData).set(0, 2, kDram).set(0, 3, 160);
  long_one.code[0] = {trans(r(1), r(2), r(3))};  // ends in cycle 71
  long_one.time_limit = 70;
  EXPECT_EQ(rig.run(long_one), 70U);
  EXPECT_EQ(rig.status().code(), ErrorCode::time_limit) << "the core has no instruction left, but one is in flight";
}

}  // namespace cox::model::pim::testing::faults_test
