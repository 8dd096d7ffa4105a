// SPDX-License-Identifier: MIT
// Streams of the matrix unit: flags, joined streams, owners of the buffers' data, completions and their warnings, the event log
// (docs/model.md, The matrix unit).
#include <gtest/gtest.h>

#include <algorithm>

#include "coxswain/isa/cube/warning.h"
#include "sim/model/observers/event_log.h"
#include "tests/isa/cube/instruction.h"
#include "tests/sim/cube/engine/machine.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {
namespace streams_test {

constexpr std::uint64_t kDram = CubeMachine::kWindow;
constexpr unsigned kNoField = 255, kWait = 8, kSet = 32;

/// A MAD that uses the array for `cycles` cycles after its issue.
cube::Mad mad_of(std::uint32_t cycles) { return {.m = 16 * cycles, .k = 16, .n = 16}; }
const cube::MachineCode kPlain = slot(cube::OutputConfiguration{});

/// Stores four rows of 16 accumulators as INT32 to DRAM.
cube::Output store(std::uint64_t to) {
  cube::Output output;
  output.destination = to;
  output.destination_pitch = 64;
  output.integer = true;
  output.to = cube::OutputType::int32;
  output.rows = 4;
  output.columns = 16;
  return output;
}

// Tests of flags.

void expect_flag_fault(const std::vector<cube::MachineCode> &codes, FaultCode code, std::uint32_t offset, unsigned field) {
  CubeMachine machine;
  machine.submit(codes);
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 1u);
  EXPECT_EQ(machine.engine_entry(0).status, code);
  EXPECT_EQ(machine.engine_entry(0).detail, offset << 8 | field);
}

TEST(CubeFlags, AWaitWithoutASetBeforeItIsRefused) {
  expect_flag_fault({slot(mad_of(1), {{{Pipe::MTE1, 3}}, {}})}, FaultCode::flag_not_set, 0, kWait);
  expect_flag_fault({wait_flag(Pipe::M, Pipe::MTE1, 3)}, FaultCode::flag_not_set, 0, kNoField);
  // The only set of the flag comes after the wait.
  expect_flag_fault({wait_flag(Pipe::M, Pipe::MTE1, 3), set_flag(Pipe::MTE1, Pipe::M, 3)}, FaultCode::flag_not_set, 0, kNoField);
  // MTE1 sets event 2, but the slot waits for event 3.
  expect_flag_fault({set_flag(Pipe::MTE1, Pipe::M, 2), wait_flag(Pipe::M, Pipe::MTE1, 3)}, FaultCode::flag_not_set, 32, kNoField);
  // M waits for a flag from MTE1. In the first case M itself sets a flag, in the second MTE2 does.
  expect_flag_fault({set_flag(Pipe::M, Pipe::MTE1, 3), wait_flag(Pipe::M, Pipe::MTE1, 3)}, FaultCode::flag_not_set, 32, kNoField);
  expect_flag_fault({set_flag(Pipe::MTE2, Pipe::M, 3), wait_flag(Pipe::M, Pipe::MTE1, 3)}, FaultCode::flag_not_set, 32, kNoField);
  // A wait takes the flag, so a second wait finds none.
  expect_flag_fault({set_flag(Pipe::MTE1, Pipe::M, 3), wait_flag(Pipe::M, Pipe::MTE1, 3), slot(mad_of(1), {{{Pipe::MTE1, 3}}, {}})},
                    FaultCode::flag_not_set, 64, kWait);
}

TEST(CubeFlags, FifteenMayBeAhead) {
  std::vector<cube::MachineCode> codes(15, set_flag(Pipe::MTE1, Pipe::M, 7));
  codes.insert(codes.end(), 15, wait_flag(Pipe::M, Pipe::MTE1, 7));
  CubeMachine machine;
  machine.submit(codes);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.warnings(0), 0u);
  codes.assign(16, set_flag(Pipe::MTE1, Pipe::M, 7));
  expect_flag_fault(codes, FaultCode::flag_overflow, 15 * 32, kNoField);
  codes.back() = slot(cube::L1ToBt{}, {{}, {{Pipe::M, 7}}});
  expect_flag_fault(codes, FaultCode::flag_overflow, 15 * 32, kSet);
}

TEST(CubeFlags, APipeMayRunAheadByMoreThanItsCounters) {
  // A flag may be at most 15 sets ahead of its waits. The unit counts in program order, in which a wait directly follows each set. So it
  // reports no fault, although pipe M sets the flag every 5 cycles and FIX waits for it only every 68 cycles.
  std::vector<cube::MachineCode> codes{kPlain};
  cube::Output output;
  output.to_l1 = true;
  output.source = 0x20000;
  output.source_pitch = 4;
  output.rows = output.columns = 64;
  output.destination_pitch = 256;
  for (unsigned i = 0; i < 30; ++i) {
    codes.push_back(slot(mad_of(1), {{}, {{Pipe::FIX, 0}}}));
    codes.push_back(slot(output, {{{Pipe::M, 0}}, {}}));
  }
  CubeMachine machine;
  machine.submit(codes);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  // The first slot arrives at cycle 52. The first MAD is the second slot: it arrives 2 cycles later and takes 5 cycles. Then FIX takes 68
  // cycles for each of 30 outputs.
  EXPECT_EQ(machine.engine_entry(0).end, 52u + 7 + 30 * 68);
  EXPECT_EQ(machine.warnings(0), 0u);
}

TEST(CubeFlags, TheSecondWaitTakesTheSecondSet) {
  // Two MADs take 4 + 100 and 4 + 120 cycles, and each sets the same flag once. The WAIT_FLAG of MTE1 takes the flag of the first MAD. So
  // the move of MTE1 waits until the second MAD has ended, and then takes 5 cycles.
  CubeMachine machine;
  machine.submit({slot(mad_of(100), {{}, {{Pipe::MTE1, 0}}}), wait_flag(Pipe::MTE1, Pipe::M, 0), slot(mad_of(120), {{}, {{Pipe::MTE1, 0}}}),
                  slot(cube::L1ToBt{}, {{{Pipe::M, 0}}, {}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(0).end, 52u + 104 + 124 + 5);
}

TEST(CubeFlags, AllOfASlotsFlagsMustBeThere) {
  // The L1_TO_BT waits for two flags. OUT_CFG sets one while the MAD runs. The MAD sets the other at its end, after 4 cycles to
  // issue it and 100 to compute. Then the L1_TO_BT takes 5 cycles.
  CubeMachine machine;
  machine.submit({slot(mad_of(100), {{}, {{Pipe::MTE1, 0}}}), slot(cube::OutputConfiguration{}, {{}, {{Pipe::MTE1, 5}}}),
                  slot(cube::L1ToBt{}, {{{Pipe::M, 0}, {Pipe::FIX, 5}}, {}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, 52u + 104 + 5);
}

TEST(CubeFlags, OneSlotSetsFlagsForSeveralPipes) {
  CubeMachine machine;
  machine.submit({slot(mad_of(100), {{}, {{Pipe::MTE2, 1}, {Pipe::MTE1, 2}, {Pipe::FIX, 3}}}), wait_flag(Pipe::MTE2, Pipe::M, 1),
                  wait_flag(Pipe::MTE1, Pipe::M, 2), wait_flag(Pipe::FIX, Pipe::M, 3)});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(0).end, 52u + 104 + 4);
  EXPECT_EQ(machine.warnings(0), 0u);
}

TEST(CubeFlags, WhatIsLeftIsAWarningAndGone) {
  CubeMachine machine;
  machine.submit({set_flag(Pipe::MTE1, Pipe::M, 3)});
  machine.submit({wait_flag(Pipe::M, Pipe::MTE1, 3)});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.warnings(0), isa::cube::kWarnFlagsLeft);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::flag_not_set);
}

// Tests of warnings.

TEST(CubeWarnings, AreThoseOfTheStream) {
  CubeMachine machine;
  machine.submit({slot(cube::Mad{.m = 0, .k = 1, .n = 1}), slot(mad_of(1))});
  machine.submit({slot(cube::Mad{.m = 1, .k = 0, .n = 1}), slot(cube::Mad{.m = 1, .k = 1, .n = 0})});
  // The last 64 bytes of the table hold 16 biases. A 17th bias is read from the table's start, which the unit reports as a warning.
  machine.submit({slot(cube::Mad{.m = 1, .k = 1, .n = 16, .start = cube::Start::bias_table, .bias_address = 960})});
  machine.submit({slot(cube::Mad{.m = 1, .k = 1, .n = 17, .start = cube::Start::bias_table, .bias_address = 960})});
  machine.submit({slot(cube::Mad{.m = 1, .k = 1, .n = 17, .start = cube::Start::bias_table, .bias_address = 960}), slot(cube::Mad{}),
                  set_flag(Pipe::M, Pipe::FIX, 0)});
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 5u);
  const unsigned expected[] = {isa::cube::kWarnEmptyMad, isa::cube::kWarnEmptyMad, 0, isa::cube::kWarnBiasWrapped, 7};
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(machine.engine_entry(i).status, FaultCode::none) << i;
    EXPECT_EQ(machine.engine_entry(i).phase, 1u) << i;
    EXPECT_EQ(machine.warnings(i), expected[i]) << i;
  }
}

TEST(CubeWarnings, AnEmptyMadWritesNothingAndGivesItsFlags) {
  CubeMachine machine;
  machine.set_value<std::int32_t>(kDram, 5);
  // The first MAD brings 5 from the bias table to L0C. The empty MAD would start from zero, but it writes nothing, so the 5 stays.
  machine.submit(
      {slot(cube::DramToL1{kDram, 1, 64, 0, cube::Format::linear, 0, 0}, {{}, {{Pipe::MTE1, 0}}}),
       slot(cube::L1ToBt{}, {{{Pipe::MTE2, 0}}, {{Pipe::M, 0}}}),
       slot(cube::Mad{.type = cube::Type::int8, .m = 4, .k = 4, .n = 16, .start = cube::Start::bias_table}, {{{Pipe::MTE1, 0}}, {}}),
       slot(cube::Mad{.type = cube::Type::int8, .m = 4, .k = 0, .n = 16}, {{}, {{Pipe::FIX, 0}}}), kPlain,
       slot(store(kDram + 0x1000), {{{Pipe::M, 0}}, {}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.warnings(0), isa::cube::kWarnEmptyMad);
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000), 5);
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000 + 3 * 64), 5);
}

TEST(CubeWarnings, AnEmptyMadIsNotRefusedForItsOtherFields) {
  for (const char *side : {"M", "K", "N"}) {
    CubeMachine machine;
    machine.submit({cube::empty_mad_with_every_bit(side), slot(mad_of(1))});
    machine.run();
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none) << side;
    EXPECT_EQ(machine.warnings(0), isa::cube::kWarnEmptyMad) << side;
  }
}

// Tests of contexts.

TEST(CubeStreams, TheNextOneBeginsWhenAllSlotsHaveEnded) {
  CubeMachine machine;
  machine.submit({slot(cube::DramToL1{kDram, 1, 128, 0, cube::Format::linear, 0, 0})});
  machine.submit({slot(mad_of(1))});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, 52u + 205);
  EXPECT_EQ(machine.engine_entry(1).end, 52u + 205 + 2 + 5);
}

TEST(CubeStreams, ConfigurationIsOfOneStream) {
  CubeMachine machine;
  machine.submit({kPlain, slot(store(kDram))});
  machine.submit({slot(store(kDram))});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::missing_configuration);
}

/// Context 0 of owner 0 writes 7 to L0C. Then `context` of `owner` stores the contents of L0C; the function returns the stored value.
std::int32_t left_by_context_0(unsigned context, std::uint64_t &end, std::uint32_t owner = 0) {
  CubeMachine machine;
  machine.open_context(1);
  machine.set_value<std::int32_t>(kDram, 7);
  machine.set_value<std::int32_t>(kDram + 0x1000, 77);
  machine.submit(
      {slot(cube::DramToL1{kDram, 1, 64, 0, cube::Format::linear, 0, 0}, {{}, {{Pipe::MTE1, 0}}}),
       slot(cube::L1ToBt{}, {{{Pipe::MTE2, 0}}, {{Pipe::M, 0}}}),
       slot(cube::Mad{.type = cube::Type::int8, .m = 4, .k = 4, .n = 16, .start = cube::Start::bias_table}, {{{Pipe::MTE1, 0}}, {}})});
  machine.run();
  machine.place_context(context, {{r::context::owner::offset(context), owner}});
  const std::uint64_t now = machine.now;
  machine.submit({kPlain, slot(store(kDram + 0x1000))}, context);
  machine.run();
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::none);
  end = machine.engine_entry(1).end - now - 50;
  return machine.value<std::int32_t>(kDram + 0x1000);
}

TEST(CubeStreams, BuffersStayWithTheirContext) {
  std::uint64_t end = 0;
  EXPECT_EQ(left_by_context_0(0, end), 7);
  EXPECT_EQ(end, 2u + 4 + 6);
}

TEST(CubeStreams, AnotherContextFindsZeros) {
  std::uint64_t end = 0;
  EXPECT_EQ(left_by_context_0(1, end), 0);
  EXPECT_EQ(end, 4096u + 2 + 4 + 6);
}

TEST(CubeStreams, AnotherOwnerOfTheContextFindsZeros) {
  std::uint64_t end = 0;
  EXPECT_EQ(left_by_context_0(0, end, 3), 0);
  EXPECT_EQ(end, 4096u + 2 + 4 + 6);
}

TEST(CubeStreams, ContextsThatAreStoppedWhileBuffersAreClearedSeeNothing) {
  CubeMachine machine;
  machine.open_context(1);
  machine.set_value<std::int32_t>(kDram, 7);
  machine.set_value<std::int32_t>(kDram + 0x1000, 77);
  machine.submit(
      {slot(cube::DramToL1{kDram, 1, 64, 0, cube::Format::linear, 0, 0}, {{}, {{Pipe::MTE1, 0}}}),
       slot(cube::L1ToBt{}, {{{Pipe::MTE2, 0}}, {{Pipe::M, 0}}}),
       slot(cube::Mad{.type = cube::Type::int8, .m = 4, .k = 4, .n = 16, .start = cube::Start::bias_table}, {{{Pipe::MTE1, 0}}, {}})});
  machine.run();
  machine.submit({kPlain}, 1);
  machine.advance_to(machine.now + 1000);
  machine.write(r::context::control::offset(1), 3);
  machine.run();
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::aborted);
  machine.write(r::context::control::offset(1), 5);
  machine.submit({kPlain, slot(store(kDram + 0x1000))}, 1);
  machine.run();
  EXPECT_EQ(machine.engine_entry(2).status, FaultCode::none);
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000), 0);
}

// Tests of joined streams.

TEST(CubeJoined, FlagsConfigurationAndWorkGoOn) {
  CubeMachine machine;
  machine.submit({kPlain, slot(mad_of(100), {{}, {{Pipe::FIX, 0}}})}, 0, true);
  machine.submit({slot(store(kDram), {{{Pipe::M, 0}}, {}}), slot(cube::L1ToBt{})});
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 2u);
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(0).tag, 0u);
  EXPECT_EQ(machine.engine_entry(0).end, 52u + 2 + 104);
  EXPECT_EQ(machine.warnings(0), 0u);
  EXPECT_EQ(machine.engine_entry(1).tag, 1u);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(1).end, 52u + 2 + 104 + 6);
  EXPECT_EQ(machine.warnings(1), 0u);
}

TEST(CubeJoined, TheDispatcherGoesOnAtOnce) {
  const TemporaryFile file("cube_joined");
  {
    CubeMachine machine((R"({"events": ")" + file.path() + R"("})").c_str());
    machine.submit({slot(mad_of(100))}, 0, true);
    machine.submit({slot(cube::L1ToBt{})}, 0, true);
    machine.submit({kPlain});
    machine.run();
    // Joined streams complete in order. The first has a MAD of 4 + 100 cycles and ends last, so all three complete at its end.
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(machine.engine_entry(i).end, 52u + 104) << i;
  }
  std::vector<model::EventRecord> records;
  std::string error;
  ASSERT_TRUE(model::read_event_log(file.path(), records, error)) << error;
  std::erase_if(records, [](const model::EventRecord &record) { return record.kind != model::EventKind::stream_instruction; });
  ASSERT_EQ(records.size(), 3u);
  // The log is sorted by the end of the slots. Each stream has one slot, so each record is also the last one of its stream.
  const std::uint32_t streams[] = {1, 2, 0};
  const std::uint64_t starts[] = {54, 56, 52};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(records[i].index, streams[i]);
    EXPECT_EQ(records[i].start, starts[i]);
    EXPECT_EQ(records[i].last, 1);
  }
}

TEST(CubeJoined, AQueueThatRunsDryWaits) {
  CubeMachine machine;
  machine.submit({kPlain, slot(mad_of(1), {{}, {{Pipe::FIX, 0}}})}, 0, true);
  machine.run();
  EXPECT_EQ(machine.engine_completions(), 1u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 1u);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 0u);
  machine.advance_to(5000);
  // The driver may reuse the memory of the first stream, because the unit does not read that stream again.
  std::fill_n(machine.find(CubeMachine::kPrograms, 64), 64, std::byte{0xFF});
  machine.submit({slot(store(kDram), {{{Pipe::M, 0}}, {}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(1).end, 5000u + 52 + 6);
}

TEST(CubeJoined, FlagsLeftAreOfTheLast) {
  CubeMachine machine;
  machine.submit({set_flag(Pipe::M, Pipe::FIX, 0)}, 0, true);
  machine.submit({kPlain}, 0, true);
  machine.submit({kPlain});
  machine.run();
  EXPECT_EQ(machine.warnings(0), 0u);
  EXPECT_EQ(machine.warnings(1), 0u);
  EXPECT_EQ(machine.warnings(2), isa::cube::kWarnFlagsLeft);
}

TEST(CubeJoined, AFaultEndsTheChain) {
  CubeMachine machine;
  machine.set_value<std::int32_t>(kDram, 77);
  machine.set_value<std::int32_t>(kDram + 0x1000, 77);
  machine.submit({kPlain, slot(mad_of(100), {{}, {{Pipe::FIX, 0}}}), slot(store(kDram), {{{Pipe::M, 0}}, {}})}, 0, true);
  machine.submit({kPlain, wait_flag(Pipe::FIX, Pipe::M, 0)}, 0, true);
  machine.submit({kPlain, slot(store(kDram + 0x1000))});
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 3u);
  // Slots that were issued before the fault end as usual. The unit reports the fault after them. The first slot of the first stream arrives
  // at cycle 52, and the MAD 2 cycles later. The MAD takes 104 cycles, then the store takes 6.
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(0).end, 52u + 2 + 104 + 6);
  EXPECT_EQ(machine.value<std::int32_t>(kDram), 0);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::flag_not_set);
  EXPECT_EQ(machine.engine_entry(1).detail, 32u << 8 | kNoField);
  // The OUT_CFG of the second stream takes 4 cycles after the store.
  EXPECT_EQ(machine.engine_entry(1).end, 52u + 2 + 104 + 6 + 4);
  EXPECT_EQ(machine.engine_entry(2).status, FaultCode::aborted);
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000), 77);
}

TEST(CubeJoined, AStreamOfAnotherContextIsRefused) {
  CubeMachine machine;
  machine.open_context(1);
  machine.submit({slot(mad_of(100), {{}, {{Pipe::FIX, 0}}})}, 0, true);
  machine.submit({kPlain}, 1);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::invalid_context);
  EXPECT_EQ(machine.engine_entry(1).context, 1u);
  // The fault ends the chain of joined streams. The next stream begins without flags.
  machine.submit({wait_flag(Pipe::FIX, Pipe::M, 0)});
  machine.run();
  EXPECT_EQ(machine.engine_entry(2).status, FaultCode::flag_not_set);
}

TEST(CubeJoined, ABusErrorIsThatOfItsStream) {
  CubeMachine machine;
  machine.write(r::context::window::base_lo::offset(0, 1), static_cast<std::uint32_t>(CubeMachine::kMemoryBase));
  machine.write(r::context::window::size::offset(0, 1), static_cast<std::uint32_t>(CubeMachine::kMemoryBytes) + 0x10000);
  machine.write(r::context::window::access::offset(0, 1), 3);
  machine.submit({slot(cube::Mad{.m = 160, .k = 160, .n = 160})}, 0, true);
  machine.submit({kPlain, slot(cube::DramToL1{.source = CubeMachine::kMemoryBase + CubeMachine::kMemoryBytes})}, 0, true);
  machine.submit({kPlain});
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 3u);
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::aborted);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::bus_error);
  EXPECT_EQ(machine.engine_entry(1).detail, 32u << 8 | 64);
  EXPECT_EQ(machine.engine_entry(1).end, 52u + 4 + 205);
  EXPECT_EQ(machine.engine_entry(2).status, FaultCode::aborted);
  EXPECT_EQ(machine.read(r::fault_tag::kOffset), 1u);
}

TEST(CubeJoined, AResetOfTheContextEndsAChainThatWaits) {
  CubeMachine machine;
  machine.submit({set_flag(Pipe::M, Pipe::FIX, 0)}, 0, true);
  machine.run();
  machine.write(r::context::control::offset(0), 5);
  machine.submit({wait_flag(Pipe::FIX, Pipe::M, 0)});
  machine.run();
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::flag_not_set);
}

TEST(CubeJoined, StreamsOfMoreDescriptorsThanTheRing) {
  CubeMachine machine;
  for (unsigned i = 0; i < 20; ++i) {
    machine.submit({slot(mad_of(10)), kPlain}, 0, i != 19);
    if (i % 7 == 6) {
      machine.run();
      machine.write(r::cq::head::offset(5), machine.engine_completions());
    }
  }
  machine.run();
  EXPECT_EQ(machine.engine_completions(), 20u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 20u);
  EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), 40u);
}

// Tests of completions.

TEST(CubeStreams, AFullCompletionQueueHoldsThemBack) {
  CubeMachine machine;
  machine.write(r::engine_reset::kOffset, 0x20);
  machine.enable_cube(1);
  for (unsigned i = 0; i < 3; ++i) machine.submit({slot(mad_of(1))});
  machine.run();
  EXPECT_EQ(machine.engine_completions(), 2u);
  // The three submissions end at cycles 57, 64 and 71. The third completion waits for room in the queue.
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 2u);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 2u);
  machine.advance_to(1000);
  machine.write(r::cq::head::offset(5), 1);
  EXPECT_EQ(machine.engine_completions(), 3u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 3u);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 0u);
  EXPECT_EQ(machine.engine_entry(2).end, 71u);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 1000u - 71);
}

TEST(CubeStreams, JoinedStreamsRunWhileCompletionsWait) {
  CubeMachine machine;
  machine.write(r::engine_reset::kOffset, 0x20);
  machine.enable_cube(1);
  for (unsigned i = 0; i < 4; ++i) machine.submit({kPlain, slot(store(kDram + i * 0x1000))}, 0, i != 3);
  for (unsigned i = 0; i < 4; ++i) machine.set_value<std::int32_t>(kDram + i * 0x1000, 77);
  machine.run();
  EXPECT_EQ(machine.engine_completions(), 2u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(machine.value<std::int32_t>(kDram + i * 0x1000), 0) << i;
  machine.write(r::cq::head::offset(5), 2);
  EXPECT_EQ(machine.engine_completions(), 4u);
}

TEST(CubeStreams, NoCompletionWhereNoneIsWanted) {
  CubeMachine machine;
  registers::EngineDescriptor descriptor = machine.stream(std::vector{kPlain});
  descriptor.control = registers::EngineDescriptor::control_of(0, false);
  machine.submit(descriptor);
  machine.run();
  EXPECT_EQ(machine.engine_completions(), 0u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 1u);
}

TEST(CubeStreams, TheInterruptComesAfterItsLatency) {
  CubeMachine machine;
  machine.submit({kPlain});
  machine.run();
  ASSERT_EQ(machine.interrupts.size(), 1u);
  EXPECT_EQ(machine.interrupts[0], (Machine::Interrupt{52 + 4 + 24, 0, 1}));
  machine.write(r::cq::head::offset(5), 1);
  EXPECT_EQ(machine.level[0], 0);
}

TEST(CubeStreams, NothingRunsBeforeControlEnable) {
  CubeMachine machine;
  machine.write(r::control::kOffset, 0);
  machine.submit({kPlain});
  machine.advance_to(10000);
  EXPECT_EQ(machine.engine_completions(), 0u);
  machine.write(r::control::kOffset, 1);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, 10000u + 2 + 4);
}

TEST(CubeStreams, MemoryMayMoveBetweenCalls) {
  CubeMachine machine;
  machine.set_value(kDram, 1);
  machine.submit({kPlain, slot(store(kDram))});
  machine.advance_to(52);
  std::vector<std::byte> elsewhere = machine.memory;
  std::swap(machine.memory, elsewhere);
  std::fill(elsewhere.begin(), elsewhere.end(), std::byte{0xFF});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.value<std::int32_t>(kDram), 0);
}

TEST(CubeStreams, TheMxEngineIsAnotherOne) {
  CubeMachine machine;
  machine.submit({kPlain});
  machine.run();
  EXPECT_EQ(machine.read(r::engine::head::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::cq::tail::offset(4)), 0u);
  machine.write(r::engine_reset::kOffset, 0x10);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 1u);
}

// Tests of the event log.

TEST(CubeStreams, TheEventLogHasEachSlot) {
  const TemporaryFile file("cube_event_log");
  {
    CubeMachine machine((R"({"events": ")" + file.path() + R"("})").c_str());
    machine.submit({slot(cube::DramToL1{kDram, 1, 256, 0, cube::Format::linear, 0, 0}, {{}, {{Pipe::M, 0}}}),
                    slot(cube::Mad{.m = 33, .k = 16, .n = 16}, {{{Pipe::MTE2, 0}}, {}}), cube::encode(cube::Barrier{4}), kPlain});
    machine.submit({wait_flag(Pipe::FIX, Pipe::M, 1)});
    machine.run();
    machine.write(r::engine_reset::kOffset, 0x20);
  }
  std::vector<model::EventRecord> records;
  std::string error;
  ASSERT_TRUE(model::read_event_log(file.path(), records, error)) << error;
  std::erase_if(records, [](const model::EventRecord &record) { return record.kind == model::EventKind::interrupt; });
  ASSERT_EQ(records.size(), 6u);
  const auto expect = [&](unsigned i, std::uint32_t stream, std::uint32_t offset, cube::Opcode opcode, unsigned pipe, std::uint64_t start,
                          std::uint64_t end, std::uint64_t bytes, std::uint32_t compute, bool last) {
    const model::EventRecord &record = records[i];
    EXPECT_EQ(record.kind, model::EventKind::stream_instruction) << i;
    EXPECT_EQ(record.core, 1u) << i;
    EXPECT_EQ(record.queue, pipe) << i;
    EXPECT_EQ(record.index, stream) << i;
    EXPECT_EQ(record.ordinal, offset) << i;
    EXPECT_EQ(record.opcode, static_cast<unsigned>(opcode)) << i;
    EXPECT_EQ(record.doorbell, 0u) << i;
    EXPECT_EQ(record.start, start) << i;
    EXPECT_EQ(record.end, end) << i;
    EXPECT_EQ(record.bytes, bytes) << i;
    EXPECT_EQ(record.compute, compute) << i;
    EXPECT_EQ(record.last, last ? 1 : 0) << i;
  };
  const std::uint64_t landed = 52 + 4 + 2 + 200, done = landed + 4 + 3;
  expect(0, 0, 0, cube::Opcode::DRAM_TO_L1, 0, 52, landed, 256, 0, false);
  expect(1, 0, 32, cube::Opcode::MAD, 2, landed, done, 0, 3, false);
  expect(2, 0, 64, cube::Opcode::BARRIER, 4, 56, done, 0, 0, false);
  expect(3, 0, 96, cube::Opcode::OUT_CFG, 3, done + 2, done + 6, 0, 0, true);
  expect(4, 1, 0, cube::Opcode::WAIT_FLAG, 3, done + 6 + 2, done + 6 + 2, 0, 0, true);
  EXPECT_EQ(records[4].status, static_cast<unsigned>(FaultCode::flag_not_set));
  EXPECT_EQ(records[4].detail, kNoField);
  EXPECT_EQ(records[5].kind, model::EventKind::engine_reset);
  EXPECT_EQ(records[5].core, 1u);
}

}  // namespace streams_test
}  // namespace cox::test
