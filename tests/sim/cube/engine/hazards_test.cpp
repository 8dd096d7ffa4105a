// SPDX-License-Identifier: MIT
// Warnings of the option `hazards` about the matrix unit: between its pipes, and between the unit and tile cores or MX (docs/hazards.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coxswain/isa/mx/table.h"
#include "tests/sim/cube/engine/machine.h"

namespace cox::test {
namespace hazards_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kDram = CubeMachine::kWindow;

class CubeHazards : public ::testing::Test {
 protected:
  CubeHazards() : machine(R"({"hazards": true})") {}
  CubeMachine machine;
};

const cube::MachineCode kPlain = slot(cube::OutputConfiguration{});
cube::DramToL1 load(std::uint64_t from, std::uint32_t bytes) { return {from, 1, bytes, 0, cube::Format::linear, 0, 0}; }

/// Stores four rows of 64 bytes with a pitch of 128.
cube::Output store(std::uint64_t to) {
  cube::Output output;
  output.destination = to;
  output.destination_pitch = 128;
  output.rows = 4;
  output.columns = 16;
  return output;
}

// Hazards between pipes.

TEST_F(CubeHazards, AMissingFlagNamesBothInstructions) {
  machine.submit({slot(load(kDram, 64)), slot(cube::L1ToBt{})});
  machine.run();
  EXPECT_THAT(machine.log, ElementsAre(AllOf(HasSubstr("matrix unit, context 0: hazard: read after write"),
                                             HasSubstr("DRAM_TO_L1 (instruction 0, MTE2)"), HasSubstr("L1_TO_BT (instruction 1, MTE1)"))));
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
}

TEST_F(CubeHazards, AFlagIsOrder) {
  machine.submit({slot(load(kDram, 64), {{}, {{Pipe::MTE1, 0}}}), slot(cube::L1ToBt{}, {{{Pipe::MTE2, 0}}, {}})});
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(CubeHazards, TheEndOfAStreamIsOrderAndOfAJoinedOneIsNot) {
  machine.submit({slot(load(kDram, 64))});
  machine.submit({slot(cube::L1ToBt{})});
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
  machine.submit({slot(load(kDram, 64))}, 0, true);
  machine.run();
  machine.submit({slot(cube::L1ToBt{})});
  machine.run();
  EXPECT_EQ(machine.log.size(), 1u);
}

TEST_F(CubeHazards, AFlagThatIsLeftIsToldOf) {
  machine.submit({set_flag(Pipe::M, Pipe::FIX, 2)}, 0, true);
  machine.submit({kPlain});
  machine.run();
  EXPECT_THAT(machine.log, ElementsAre(AllOf(HasSubstr("flag left"), HasSubstr("SET_FLAG (instruction 0, M) sets flag 2 for FIX"))));
}

TEST_F(CubeHazards, ADeadlockIsToldOfBesideItsFault) {
  machine.submit({slot(load(kDram, 64)), slot(cube::L1ToBt{}, {{{Pipe::MTE2, 4}}, {}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::flag_not_set);
  EXPECT_THAT(machine.log, ElementsAre(AllOf(HasSubstr("deadlock"), HasSubstr("L1_TO_BT (instruction 1, MTE1) waits for flag 4 of MTE2"))));
}

TEST_F(CubeHazards, AfterAResetNothingIsRemembered) {
  machine.submit({slot(load(kDram, 64))}, 0, true);
  machine.run();
  machine.write(r::engine_reset::kOffset, 0x20);
  machine.enable_cube();
  machine.submit({slot(cube::L1ToBt{})});
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(CubeHazards, NorAfterAResetOfTheContext) {
  machine.submit({slot(load(kDram, 64))}, 0, true);
  machine.run();
  machine.write(r::context::control::offset(0), 5);
  machine.submit({slot(cube::L1ToBt{})});
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(CubeHazards, AfterAFaultNothingIsRemembered) {
  machine.submit({slot(load(kDram, 64)), slot(cube::Im2colToL0A{})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::missing_configuration);
  machine.open_context(1);
  machine.submit({slot(cube::L1ToBt{})}, 1);
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

// Hazards in DRAM with tile cores.

class CubeAndTiles : public CubeHazards {
 protected:
  CubeAndTiles() {
    MachineCode buffer = whole_buffer();
    EXPECT_TRUE(isa::tile::set_dependencies(buffer, 0, 1U << static_cast<unsigned>(Class::LD)).ok());
    MachineCode configuration = make(isa::tile::Opcode::ldw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}});
    machine.Machine::submit({buffer, configuration});
    machine.run();
    machine.log.clear();
  }
  /// Loads 400 bytes on tile core 0. The log calls this instruction LD[1].
  void load_400_bytes() {
    MachineCode code = make(isa::tile::Opcode::ldw_mov, {{"DBSG", {0}}, {"STaddr", {0x1000}}, {"DTaddr", {0}}, {"Wsize", {10, 8, 1, 1}}});
    EXPECT_TRUE(isa::tile::set_dependencies(code, 1U << static_cast<unsigned>(Class::CT), 0).ok());
    machine.Machine::submit({with_completion(code)});
  }
};

TEST_F(CubeAndTiles, AStoreIntoWhatATileLoads) {
  load_400_bytes();
  // The last row of the store begins at 0x1000 + 0x180, 16 bytes before the end of the loaded range.
  machine.submit({kPlain, slot(store(kDram + 0x1000))});
  machine.run();
  EXPECT_THAT(machine.log, ::testing::Contains("hazard: write after read: nothing orders LD[1] of core 0, context 0 and CUBE L0C_TO_DRAM "
                                               "at 32 of stream 0, context 0, both touch DRAM bytes 0x60101000 to 0x6010103f"));
  // The log names each pair once.
  EXPECT_EQ(machine.log.size(), 1u);
}

TEST_F(CubeAndTiles, GapsBetweenRowsAreNone) {
  machine.submit({kPlain, slot(store(kDram + 0x1000 + 400))});
  machine.submit({kPlain, slot(store(kDram + 0x1000 - 448))});
  load_400_bytes();
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(CubeAndTiles, AnEndBeforeTheDoorbellIsOrder) {
  load_400_bytes();
  machine.run();
  machine.submit({kPlain, slot(store(kDram + 0x1000))});
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(CubeAndTiles, TheCompletionOfASegmentOrdersWhatItStored) {
  // When the doorbell for the tile core's load is rung, the first of two segments has completed, and the second still runs.
  machine.submit({kPlain, slot(store(kDram + 0x1000))}, 0, true);
  machine.submit({slot(load(kDram + 0x4000, 0x20000))});
  machine.advance_to(machine.now + 200);
  ASSERT_EQ(machine.engine_completions(), 1u);
  load_400_bytes();
  machine.run();
  EXPECT_EQ(machine.engine_completions(), 2u);
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(CubeAndTiles, TheCompletionOfASegmentOrdersNothingOfTheNext) {
  machine.submit({kPlain, slot(cube::Mad{.destination = 0x20000, .m = 16, .k = 16, .n = 16})}, 0, true);
  machine.submit({slot(store(kDram + 0x1000)), slot(load(kDram + 0x4000, 0x20000))});
  machine.advance_to(machine.now + 200);
  ASSERT_EQ(machine.engine_completions(), 1u);
  load_400_bytes();
  machine.run();
  EXPECT_THAT(machine.log, ElementsAre(HasSubstr("nothing orders CUBE L0C_TO_DRAM at 0 of stream 1, context 0 and LD[1]")));
}

TEST_F(CubeAndTiles, ASlotHasEndedWhenItsStreamHas) {
  machine.submit({kPlain, slot(store(kDram + 0x1000)), slot(load(kDram + 0x4000, 0x20000))});
  machine.advance_to(machine.now + 200);  // until the store is done
  load_400_bytes();
  machine.run();
  EXPECT_THAT(machine.log,
              ElementsAre(HasSubstr("read after write: nothing orders CUBE L0C_TO_DRAM at 32 of stream 0, context 0 and LD[1]")));
}

TEST_F(CubeAndTiles, WhatAResetStoppedHasEnded) {
  machine.submit({kPlain, slot(store(kDram + 0x1000)), slot(load(kDram + 0x4000, 0x20000))});
  machine.advance_to(machine.now + 100);
  machine.write(r::engine_reset::kOffset, 0x20);
  load_400_bytes();
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

// Hazards with MX.

TEST_F(CubeHazards, EnginesAmongEachOther) {
  machine.write(r::engine::base_lo::offset(0), static_cast<std::uint32_t>(CubeMachine::kMemoryBase + 0x38000));
  machine.write(r::engine::control::offset(0), 1 | 1 << 4);
  machine.write(r::cq::base_lo::offset(4), static_cast<std::uint32_t>(CubeMachine::kMemoryBase + 0x39000));
  machine.write(r::cq::control::offset(4), 1 | 1 << 4);
  machine.write(r::mx::base::lo::offset(0, 0), static_cast<std::uint32_t>(kDram));
  isa::mx::MachineCode scale = isa::mx::begin(isa::mx::Opcode::SMULI);
  const auto set = [&](const char *name, std::int64_t value) {
    EXPECT_TRUE(isa::mx::set(scale, *isa::mx::find_field(isa::mx::instruction_of(isa::mx::Opcode::SMULI), name), value).ok());
  };
  set("Length1", 2);
  set("InOffset", 0x1000);
  set("OutOffset", 0x2000);
  const isa::mx::MachineCode bases = isa::mx::begin(isa::mx::Opcode::CONFBADDR);
  constexpr std::uint64_t kStream = CubeMachine::kMemoryBase + 0x3A000;
  std::memcpy(machine.find(kStream, 8), bases.data(), 8);
  const unsigned bytes = isa::mx::instruction_of(isa::mx::Opcode::SMULI).bytes;
  std::memcpy(machine.find(kStream + 8, bytes), scale.data(), bytes);
  const registers::EngineDescriptor descriptor{kStream, 8 + bytes, registers::EngineDescriptor::control_of(0, true), {}};
  std::memcpy(machine.find(CubeMachine::kMemoryBase + 0x38000, 32), &descriptor, 32);
  machine.write(r::engine::tail::offset(0), 1);
  // MX uses 36 bytes from 0x2000 on. The first load shares the last of them, the second load none.
  machine.submit({slot(load(kDram + 0x2000 + 35, 64)), slot(load(kDram + 0x2000 + 36, 64))});
  machine.run();
  EXPECT_THAT(machine.log, ElementsAre(AllOf(HasSubstr("CUBE DRAM_TO_L1 at 0 of stream 0, context 0"),
                                             HasSubstr("MX SMULI at 8 of stream 0, context 0"), HasSubstr("0x60102023 to 0x60102023"))));
}

}  // namespace hazards_test
}  // namespace cox::test
