// SPDX-License-Identifier: MIT
// Each rule of docs/pim.md, Timing, with cycles worked out by hand. In the comments, `[a, b)` are the cycles of an instruction.
#include <gtest/gtest.h>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::timing_test {

using namespace isa::pim::build;
using isa::pim::Special;

TEST(PimTiming, AProgramWithoutInstructionsTakesNoTime) { EXPECT_EQ(Rig().run(Source(2)), 0U); }

// The authors' core test 11: 58 scalar instructions take 59 cycles, whatever they are.
TEST(PimTiming, ScalarInstructionsTakeOneCycleEachAndOneToDecode) {
  Source source;
  Instructions &code = source.code[0];
  constant(code, 21, kInput);
  while (code.size() < 20) code.push_back(add(r(1), r(2), r(3)));
  while (code.size() < 40) code.push_back(code.size() % 2 == 0 ? store_local(r(1), r(21), 4) : load_local(r(2), r(21), 4));
  while (code.size() < 58) code.push_back(code.size() % 2 == 0 ? div(r(1), r(2), r(3)) : special_li(Special::group_size, 5));
  EXPECT_EQ(Rig().run(source), 59U);
}

// The authors' core test 12: four loops over beq, bne, bgt, blt, 68 instructions that run.
TEST(PimTiming, BranchesTakeOneCycle) {
  Source source;
  Instructions &code = source.code[0];
  const auto begin = [&] {
    code.push_back(general_li(r(0), 0));
    code.push_back(general_li(r(1), 5));
  };
  begin();
  code.push_back(beq(r(0), r(1), 3));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(jmp(-2));
  begin();
  code.push_back(jmp(2));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(bne(r(0), r(1), -1));
  begin();
  code.push_back(bgt(r(0), r(1), 3));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(jmp(-2));
  begin();
  code.push_back(jmp(2));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(blt(r(0), r(1), -1));
  code.push_back(general_li(r(0), 0));
  Rig rig;
  EXPECT_EQ(rig.run(source), 69U);
  EXPECT_EQ(rig.machine.counters(0).instructions, 68U);
}

// pim-compute. Settings instead of instructions give the registers, so that the instruction of interest issues in cycle 1.

/// Registers of a compute on 32 inputs of 8 bits in `input`, 8 columns of weights of 8 bits, row 0. Groups have 8 macros.
Source compute_source(std::uint32_t input, std::uint32_t groups = 1) {
  Source source;
  source.set(0, 1, input).set(0, 2, 32).set(0, 3, 0);
  source.set(0, 32 + 0, 8).set(0, 32 + 1, 32).set(0, 32 + 2, 8).set(0, 32 + 3, 8).set(0, 32 + 4, groups).set(0, 32 + 5, 8);
  source.set(0, 32 + 6, 32).set(0, 32 + 7, kMaskBuffer).set(0, 32 + 8, kMetaBuffer);
  return source;
}
const MachineCode kCompute = pim_compute(r(1), r(2), r(3));
const MachineCode kGroups = pim_compute(r(1), r(2), r(3), {.group = true});

TEST(PimTiming, AComputeTakesItsInputsBitsAndThePipeline) {
  Source source = compute_source(kInputBuffer);
  source.code[0] = {kCompute};
  EXPECT_EQ(Rig().run(source), 1 + 8 + 5U);
  source.set(0, 32 + 0, 4);
  EXPECT_EQ(Rig().run(source), 1 + 4 + 5U);
}

TEST(PimTiming, ComputesFollowEachOtherWithoutGaps) {
  Source source = compute_source(kInputBuffer);
  source.code[0] = {kCompute, kCompute, kCompute, kCompute};
  Rig rig;
  EXPECT_EQ(rig.run(source), 1 + 4 * 8 + 5U);
  EXPECT_EQ(rig.machine.counters(0).busy_of(Unit::compute), 32U);
  // Issues in cycles 1, 2 (its inputs wait), 9 and 17.
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::unit), 6 + 7U);
}

// The authors' core test 7 without its pim-set, which the instruction set no longer has: eight instructions, then computes with others
// between them.
TEST(PimTiming, InstructionsBetweenComputesCostNothing) {
  Source source = compute_source(kInputBuffer);
  Instructions &code = source.code[0];
  for (unsigned i = 0; i < 8; ++i) code.push_back(general_li(r(9), i));
  for (unsigned i = 0; i < 4; ++i) {
    code.push_back(kCompute);
    for (unsigned j = 0; j < 3 && i < 3; ++j) code.push_back(general_li(r(9), j));
  }
  EXPECT_EQ(Rig().run(source), 1 + 8 + 4 * 8 + 5U);
}

TEST(PimTiming, InputsFromAnSramAreReadBeforeTheComputeAndBesideTheOneBefore) {
  Source source = compute_source(kInput);
  source.code[0] = {kCompute};
  EXPECT_EQ(Rig().run(source), 1 + 1 + 8 + 5U);
  source.code[0] = {kCompute, kCompute};
  EXPECT_EQ(Rig().run(source), 1 + 1 + 8 + 8 + 5U);
}

TEST(PimTiming, GroupsReadTheirInputsOneAfterAnother) {
  Source source = compute_source(kInput, 4);
  source.set(0, 32 + 0, 1);  // one bit: four bytes a group, one cycle each
  source.code[0] = {kGroups};
  EXPECT_EQ(Rig().run(source), 1 + 4 + 1 + 5U);
  source.code[0] = {kGroups, kGroups, kGroups};
  EXPECT_EQ(Rig().run(source), 1 + 3 * 4 + 1 + 5U) << "reads bound these computes";
  source.set(0, 1, kInputBuffer);
  EXPECT_EQ(Rig().run(source), 1 + 3 * 1 + 5U);
}

TEST(PimTiming, LinesOfInputsThatAreWiderThanTheMemoryTakeSeveralCycles) {
  Configuration configuration = isa::pim::default_configuration();
  configuration.memories[input_space].read_width = 8;
  Source source = compute_source(kInput, 2);
  source.code[0] = {kGroups};
  EXPECT_EQ(Rig(1, Timing(), configuration).run(source), 1 + 2 * 4 + 8 + 5U);
}

TEST(PimTiming, SparsityMakesThePipelineLonger) {
  Source source = compute_source(kInputBuffer, 3);
  source.code[0] = {pim_compute(r(1), r(2), r(3), {.value_sparse = true, .group = true})};
  EXPECT_EQ(Rig().run(source), 1 + 8 + 5 + 3U);
  source.set(0, 32 + 2, 1);
  source.code[0] = {pim_compute(r(1), r(2), r(3), {.bit_sparse = true, .group = true})};
  EXPECT_EQ(Rig().run(source), 1 + 8 + 6U);
  source.code[0] = {pim_compute(r(1), r(2), r(3), {.value_sparse = true, .bit_sparse = true, .group = true})};
  EXPECT_EQ(Rig().run(source), 1 + 8 + 6 + 3U);
}

TEST(PimTiming, ABatchIsItsComputesWithoutGaps) {
  Source source = compute_source(kInputBuffer);
  source.set(0, 4, 4).set(0, 5, 32);
  source.code[0] = {pim_batch(r(4), r(5), r(5), r(5)), kCompute};
  Rig rig;
  EXPECT_EQ(rig.run(source), 1 + 4 * 8 + 5U);
  EXPECT_EQ(rig.machine.counters(0).instructions, 2U);
  EXPECT_EQ(rig.machine.counters(0).macs, 4 * 32 * 8U);
  source.code[0].push_back(kCompute);  // issues when the last of the batch starts, in cycle 25
  EXPECT_EQ(rig.run(source), 1 + 5 * 8 + 5U);
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::unit), 25 - 2U);
  source.set(0, 1, kInput);
  EXPECT_EQ(rig.run(source), 1 + 1 + 5 * 8 + 5U);
}

TEST(PimTiming, ABatchReadsItsTablesFirst) {
  Source source = compute_source(kInputBuffer);
  source.set(0, 4, 4).set(0, 5, kData);  // a table of zeros in an SRAM
  source.code[0] = {pim_batch(r(4), r(5), r(5), r(5), {.input = true}), kCompute};
  EXPECT_EQ(Rig().run(source), 1 + 1 + 4 * 8 + 5U);
}

TEST(PimTiming, AComputeWithoutInputsTakesOneCycle) {
  Source source = compute_source(kInputBuffer);
  source.set(0, 2, 0);
  source.code[0] = {kCompute};
  EXPECT_EQ(Rig().run(source), 2U);
}

// The other units.

TEST(PimTiming, AnOutputWaitsForComputesAndStreamsBesideLaterOnes) {
  Source source = compute_source(kInputBuffer);
  source.set(0, 4, kOutput);
  source.code[0] = {kCompute, pim_output(r(4))};
  Rig rig;
  EXPECT_EQ(rig.run(source), 14 + 1 + 1U);  // 8 results of 4 bytes
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::results), 12U);
  source.code[0].push_back(kCompute);  // issues in cycle 15
  EXPECT_EQ(rig.run(source), 15 + 8 + 5U);
}

TEST(PimTiming, AnOutputTakesACycleForEachLineOfItsMemory) {
  Source source = compute_source(kInputBuffer, 5);
  source.set(0, 4, kOutput).set(0, 32 + 5, 64);  // 5 groups of 256 bytes
  source.code[0] = {pim_output(r(4))};
  EXPECT_EQ(Rig().run(source), 1 + 1 + 10U);
  source.set(0, 4, kOutputBuffer);
  EXPECT_EQ(Rig().run(source), 1 + 1 + 10U);
}

TEST(PimTiming, ATransferTakesTwoCyclesForEachResultThatItMoves) {
  Source source;
  source.set(0, 1, kOutput).set(0, 2, 20).set(0, 3, kMaskBuffer).set(0, 4, kData).set(0, 32 + 1, 8);
  source.code[0] = {pim_transfer(r(4), r(1), r(2), r(3))};
  Rig rig(1);
  rig.set_word(0, mask_buffer_space, 0, 0x80011);
  EXPECT_EQ(rig.run(source), 1 + 2 * 3 + 1U);
  rig.set_word(0, input_space, 0, 0x80011);
  source.set(0, 3, kInput);
  EXPECT_EQ(rig.run(source), 1 + 1 + 2 * 3 + 1U);
  rig.set_word(0, input_space, 0, 0);
  EXPECT_EQ(rig.run(source), 1 + 1U);
}

/// SIMD on elements of 8 bits.
Cycle simd_cycles(isa::pim::SimdOpcode opcode, unsigned inputs, std::uint32_t output, std::uint32_t input1, std::uint32_t input2,
                  std::uint32_t length) {
  Source source;
  source.set(0, 1, input1).set(0, 2, input2).set(0, 3, length).set(0, 4, output);
  for (unsigned i = 16; i <= 20; ++i) source.set(0, 32 + i, 8);
  source.code[0] = {simd_compute(opcode, inputs, r(4), r(1), r(2), r(3))};
  Rig rig(1);
  const Cycle cycles = rig.run(source);
  EXPECT_TRUE(rig.status().ok()) << error_name(rig.status().code());
  return cycles - 1;
}

TEST(PimTiming, SimdTakesItsReadsForEachBlockOfLanes) {
  using isa::pim::SimdOpcode;
  EXPECT_EQ(simd_cycles(SimdOpcode::add, 2, kData, kInputBuffer, kOutputBuffer, 64), 2 * 1 + 2U);
  EXPECT_EQ(simd_cycles(SimdOpcode::add, 2, kData, kInput, kOutputBuffer, 64), 2 * 1 + 2U);
  EXPECT_EQ(simd_cycles(SimdOpcode::add, 2, kData, kInput, kOutput, 64), 2 * 2 + 2U);
  EXPECT_EQ(simd_cycles(SimdOpcode::add, 2, kData, kInput, kOutput, 65), 3 * 2 + 2U);
  EXPECT_EQ(simd_cycles(SimdOpcode::relu, 1, kData, kInput, 0, 64), 2 * 1 + 2U);
  EXPECT_EQ(simd_cycles(SimdOpcode::relu, 1, kData, kData, 0, 64), 3 * 2U);
  EXPECT_EQ(simd_cycles(SimdOpcode::relu, 1, kOutputBuffer, kOutputBuffer, 0, 64), 3 * 2U);
  EXPECT_EQ(simd_cycles(SimdOpcode::add_scalar, 2, kData, kInputBuffer, kInput, 64), 1 + 2 * 1 + 2U) << "the scalar is read once";
  EXPECT_EQ(simd_cycles(SimdOpcode::relu, 1, kData, kInput, 0, 0), 1U);
}

Cycle trans_cycles(std::uint32_t to, std::uint32_t from, std::uint32_t bytes) {
  Source source;
  source.set(0, 1, to).set(0, 2, from).set(0, 3, bytes);
  source.code[0] = {trans(r(1), r(2), r(3))};
  Rig rig(1);
  const Cycle cycles = rig.run(source);
  EXPECT_TRUE(rig.status().ok()) << error_name(rig.status().code());
  return cycles - 1;
}

TEST(PimTiming, TransTakesLinesOrLatencyAndBytes) {
  EXPECT_EQ(trans_cycles(kData, kInput, 300), 3 + 1U);
  EXPECT_EQ(trans_cycles(kData, kInputBuffer, 384), 3 + 1U);
  EXPECT_EQ(trans_cycles(kData + 1000, kData, 300), 2 * 3U);
  EXPECT_EQ(trans_cycles(kArray, kData, 300), 2 + 19U);
  EXPECT_EQ(trans_cycles(kData, kArray, 300), 2 + 19U);
  EXPECT_EQ(trans_cycles(kArray, kArray + 4096, 300), 2 + 2 * 19U);
  EXPECT_EQ(trans_cycles(kData, kDram, 300), 60 + 19U);
  EXPECT_EQ(trans_cycles(kDram, kData, 300), 60 + 19U);
  EXPECT_EQ(trans_cycles(kArray, kDram, 1 << 20), 60 + 65536U) << "filling the array";
  EXPECT_EQ(trans_cycles(kDram + 4096, kDram, 300), 60 + 38U);
  EXPECT_EQ(trans_cycles(kData, kDram, 0), 1U);
}

TEST(PimTiming, OnlyWhatNeedsALoadedWordWaitsForIt) {
  Source source;
  source.set(0, 1, kDram).set(0, 2, kData).set(0, 3, kInput).set(0, 4, 128);
  source.code[0] = {load_global(r(5), r(1)), add(r(6), r(5), r(5))};
  Rig rig(1);
  EXPECT_EQ(rig.run(source), 1 + 61 + 1U);
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::load), 60U);
  source.code[0] = {store_global(r(5), r(1)), add(r(6), r(5), r(5))};
  EXPECT_EQ(rig.run(source), 1 + 61 + 1U) << "the scalar unit is busy";
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::unit), 60U);
  source.code[0] = {store_global(r(5), r(1)), trans(r(2), r(3), r(4)), trans(r(2), r(3), r(4))};
  EXPECT_EQ(rig.run(source), 1 + 61U) << "other units go on";
}

// Memories in use.

TEST(PimTiming, AnSramServesOneInstructionAtATime) {
  Source source;
  source.set(0, 1, kData).set(0, 2, kInput).set(0, 3, 300).set(0, 4, kOutput);
  const MachineCode copy = trans(r(1), r(2), r(3));  // [1, 5)
  Rig rig(1);
  source.code[0] = {copy, load_local(r(5), r(2))};
  EXPECT_EQ(rig.run(source), 5 + 1U);
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::memory), 3U);
  source.code[0] = {copy, store_local(r(5), r(1))};
  EXPECT_EQ(rig.run(source), 5 + 1U);
  source.code[0] = {copy, load_local(r(5), r(4))};
  EXPECT_EQ(rig.run(source), 5U);
}

TEST(PimTiming, ABufferOfRegistersServesSeveralReaders) {
  Source source;
  source.set(0, 1, kData).set(0, 2, kInputBuffer).set(0, 3, 300);
  const MachineCode copy = trans(r(1), r(2), r(3));  // [1, 5)
  Rig rig(1);
  source.code[0] = {copy, load_local(r(5), r(2))};
  EXPECT_EQ(rig.run(source), 5U);
  source.code[0] = {copy, store_local(r(5), r(2))};
  EXPECT_EQ(rig.run(source), 5 + 1U) << "a writer waits for readers";
  source.set(0, 1, kInputBuffer).set(0, 2, kData);
  source.code[0] = {copy, load_local(r(5), r(1))};
  EXPECT_EQ(rig.run(source), 5 + 1U) << "a reader waits for the writer";
}

TEST(PimTiming, TheArrayIsInUseWhileAComputeStreams) {
  Source source = compute_source(kInputBuffer);
  source.set(0, 4, kArray + 65536).set(0, 5, kData).set(0, 6, 160);
  source.code[0] = {kCompute, trans(r(4), r(5), r(6))};
  EXPECT_EQ(Rig().run(source), 9 + 2 + 10U) << "the trans waits for the bits of the inputs, not for the pipeline";
  source.code[0] = {trans(r(4), r(5), r(6)), kCompute};
  EXPECT_EQ(Rig().run(source), 1 + 2 + 10 + 8 + 5U);
}

TEST(PimTiming, InputsAreInUseUntilTheLastStepHasReadThem) {
  Source source = compute_source(kInputBuffer);
  source.set(0, 4, 4).set(0, 5, 32);
  source.code[0] = {pim_batch(r(4), r(5), r(5), r(5)), kCompute, store_local(r(9), r(1))};
  Rig rig;
  EXPECT_EQ(rig.run(source), 1 + 4 * 8 + 5U);
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::memory), 17 - 2U) << "the fourth step's inputs are read when the third starts";
}

// DRAM.

TEST(PimTiming, CoresHaveTheBusOneAfterAnother) {
  Source source(3);
  for (unsigned core = 0; core < 3; ++core) {
    source.set(core, 1, kData).set(core, 2, kDram + 0x1000 * core).set(core, 3, 1600);
    source.code[core] = {trans(r(1), r(2), r(3))};
  }
  source.code[0].insert(source.code[0].begin(), {add(r(9), r(9), r(9))});  // core 0 comes last
  Rig rig(3);
  EXPECT_EQ(rig.run(source), 1 + 60 + 300U);
  EXPECT_EQ(rig.machine.counters(1).cycles, 1 + 60 + 100U);
  EXPECT_EQ(rig.machine.counters(2).cycles, 1 + 60 + 200U);
  rig.machine.slow_down(3);
  EXPECT_EQ(rig.run(source), 1 + 60 + 900U);
  rig.machine.slow_down(1);
  EXPECT_EQ(rig.run(source), 1 + 60 + 300U);
}

// Cores and messages.

/// Core `from` sends `bytes` to core `to`; the receiver first runs `late` instructions.
Cycle message_cycles(unsigned from, unsigned to, std::uint32_t bytes, unsigned late, const Timing &timing = Timing()) {
  Source source(std::max(from, to) + 1);
  for (const unsigned core : {from, to})
    source.set(core, 1, core == from ? to : from).set(core, 2, kData).set(core, 3, kInput).set(core, 5, bytes);
  source.code[from] = {send(r(1), {r(2), r(3), r(4), r(5)})};
  source.code[to] = Instructions(late, add(r(9), r(9), r(9)));
  source.code[to].push_back(receive(r(1), {r(2), r(3), r(4), r(5)}));
  Rig rig(64, timing);
  const Cycle cycles = rig.run(source);
  EXPECT_TRUE(rig.status().ok()) << error_name(rig.status().code());
  return cycles - 1 - late;
}

TEST(PimTiming, AMessageTakesAHandshakeTheWayAndItsFlits) {
  EXPECT_EQ(message_cycles(0, 1, 64, 0), 4 + 2 + 4U);
  EXPECT_EQ(message_cycles(1, 0, 65, 7), 4 + 2 + 5U);
  EXPECT_EQ(message_cycles(0, 8, 64, 0), 4 + 2 + 4U) << "the core below";
  EXPECT_EQ(message_cycles(7, 8, 64, 0), 4 + 8 * 2 + 4U) << "the other end of the next row";
  EXPECT_EQ(message_cycles(0, 63, 16, 0), 4 + 14 * 2 + 1U);
  EXPECT_EQ(message_cycles(0, 1, 0, 0), 4 + 2U);
  EXPECT_EQ(message_cycles(0, 8, 64, 0, {.mesh_width = 16, .hop_cycles = 3, .handshake_cycles = 1, .flit_bytes = 32}), 1 + 8 * 3 + 2U);
}

TEST(PimTiming, ACoreSendsOneMessageAtATimeAndReceivesOneAtATime) {
  // Core 0 sends 160 bytes to cores 1 and 2, without waiting.
  Source source(3);
  for (unsigned core = 0; core < 3; ++core)
    source.set(core, 1, 1).set(core, 2, kData).set(core, 3, kInput).set(core, 5, 160).set(core, 6, 2).set(core, 7, 0);
  source.code[0] = {send(r(1), {r(2), r(3), r(4), r(5)}, true), send(r(6), {r(2), r(3), r(4), r(5)}, true)};
  source.code[1] = source.code[2] = {receive(r(7), {r(2), r(3), r(4), r(5)})};
  Rig rig(3);
  // The first message's flits leave in [5, 15) and have 1 hop; those of the second, which met in cycle 2, leave in [15, 25) and have 2.
  EXPECT_EQ(rig.run(source), 25 + 4U);
  EXPECT_EQ(rig.machine.counters(1).cycles, 15 + 2U);

  // Cores 1 and 2 send to core 0: the first arrives in [7, 17); the second could arrive in [10, 20), and arrives in [17, 27).
  source.code[1] = source.code[2] = {send(r(7), {r(2), r(3), r(4), r(5)})};
  source.code[0] = {receive(r(1), {r(2), r(3), r(4), r(5)}, true), receive(r(6), {r(2), r(3), r(4), r(5)}, true)};
  EXPECT_EQ(rig.run(source), 27U);
  EXPECT_EQ(rig.machine.counters(1).cycles, 17U);
}

TEST(PimTiming, MessagesAndBarriersWaitForTheCoresEarlierInstructions) {
  Source source(2);
  for (unsigned core = 0; core < 2; ++core) source.set(core, 1, 2).set(core, 2, kData).set(core, 3, kInput).set(core, 5, 300);
  source.code[0] = {trans(r(2), r(3), r(5)), barrier(r(4), r(1))};  // arrives in cycle 5
  source.code[1] = {barrier(r(4), r(1))};
  Rig rig(2);
  EXPECT_EQ(rig.run(source), 5 + 2 * 2U);
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::drain), 3U);
  EXPECT_EQ(rig.machine.counters(1).stalled_for(Stall::barrier), 9 - 2U);
  EXPECT_EQ(rig.machine.counters(1).cycles, 9U);
}

TEST(PimTiming, AWaitTakesOneCycleOrUntilTheLanding) {
  Source source(2);
  for (unsigned core = 0; core < 2; ++core) source.set(core, 1, 1 - core).set(core, 2, kData).set(core, 3, kInput).set(core, 5, 64);
  source.code[0] = {wait(r(1), r(4))};
  Rig rig(2);
  EXPECT_EQ(rig.run(source), 1 + 1U);
  source.code[0] = {send(r(1), {r(2), r(3), r(4), r(5)}, true), wait(r(1), r(4)), add(r(9), r(9), r(9))};
  source.code[1] = {receive(r(1), {r(2), r(3), r(4), r(5)}, true)};
  EXPECT_EQ(rig.run(source), 1 + 10 + 1U);
  EXPECT_EQ(rig.machine.counters(0).stalled_for(Stall::message), 11 - 3U);
  EXPECT_EQ(rig.machine.counters(1).cycles, 2U) << "nothing of the receiver waits";
}

// The clock.

TEST(PimTiming, AClockThatStandsStillDelaysEverything) {
  Source source;
  source.code[0] = Instructions(1, load_global(r(5), r(1)));
  source.code[0].resize(5, add(r(1), r(1), r(1)));
  source.set(0, 1, kDram);
  Rig rig(1);
  rig.start(source, 100);
  rig.machine.step(110);
  rig.machine.delay(1000);
  rig.machine.step(1111);
  EXPECT_EQ(rig.finish(), 100 + 1000 + 1 + 61 + 4U);
}

TEST(PimTiming, LoadsComeBeforeTheCoresAndStoresAfterThem) {
  Source source(2);
  using isa::pim::CopyKind;
  source.copies = {
      {CopyKind::load, 0, 0, kData, kDram, 1600}, {CopyKind::load, 1, 0, kArray, kDram, 160}, {CopyKind::store, 0, 0, kData, kDram, 32}};
  source.code[0] = source.code[1] = {add(r(1), r(1), r(1))};
  EXPECT_EQ(Rig(2).run(source), (60 + 100 + 10) + 2 + (60 + 2U));
}

}  // namespace cox::model::pim::testing::timing_test
