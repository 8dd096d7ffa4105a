// SPDX-License-Identifier: MIT
// Hazards between tile instructions and MX instructions (docs/hazards.md, Engines).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/mx/engine/machine.h"

namespace cox::test {
namespace {

using mx::Opcode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MxHazards : public ::testing::Test {
 protected:
  MxHazards() : machine(R"({"hazards": true})") {
    machine.bring_up_mx();
    MachineCode buffer = whole_buffer();
    EXPECT_TRUE(isa::tile::set_dependencies(buffer, 0, 1U << static_cast<unsigned>(Class::LD)).ok());
    machine.submit({buffer, make(isa::tile::Opcode::ldw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}})});
    machine.run();
    machine.log.clear();
  }
  /// Loads 400 bytes from byte 0x1000 of the window. The log calls the first such load LD[1].
  void load() {
    MachineCode code = make(isa::tile::Opcode::ldw_mov, {{"DBSG", {0}}, {"STaddr", {0x1000}}, {"DTaddr", {0}}, {"Wsize", {10, 8, 1, 1}}});
    const std::uint32_t token = loads_++ == 0 ? 1U << static_cast<unsigned>(Class::CT) : 0;
    EXPECT_TRUE(isa::tile::set_dependencies(code, token, 0).ok());
    machine.submit({with_completion(code)});
  }
  /// Scales ten blocks (180 bytes) at `from`, and writes the results at `to`.
  void scale(std::int64_t from, std::int64_t to) {
    machine.submit({bases(), make_mx(Opcode::SMULI, {{"Length1", 10}, {"InOffset", from}, {"OutOffset", to}})});
  }
  MxMachine machine;

 private:
  unsigned loads_ = 0;
};

constexpr const char *kWriteAfterRead =
    "hazard: write after read: nothing orders LD[1] of core 0, context 0 and MX SMULI at 8 of stream 0, context 0, both touch DRAM bytes "
    "0x60101100 to 0x6010118f";

TEST_F(MxHazards, AnEngineThatWritesWhatALoadReads) {
  load();
  // The output begins at 0x1100. The LD reads 400 bytes from 0x1000 on, so it reads 144 bytes of the output.
  scale(0x4000, 0x1100);
  machine.run();
  EXPECT_THAT(machine.log, ElementsAre(kWriteAfterRead));
}

TEST_F(MxHazards, ThatTheLoadEndedBeforeTheEngineStartedIsNoOrder) {
  // The load ends long before the SMULI starts. The two are a hazard nevertheless, because the doorbell of the SMULI's stream
  // rings before the load ends.
  load();
  machine.submit({bases(), bases(), bases(), make_mx(Opcode::SMULI, {{"Length1", 10}, {"InOffset", 0x4000}, {"OutOffset", 0x1100}})});
  machine.run();
  ASSERT_EQ(machine.log.size(), 1u);
  EXPECT_NE(machine.log[0].find("LD[1] of core 0, context 0 and MX SMULI at 24 of stream 0"), std::string::npos) << machine.log[0];
}

TEST_F(MxHazards, AnEndBeforeTheDoorbellIsOrder) {
  load();
  machine.run();
  scale(0x4000, 0x1100);
  machine.run();
  load();
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(MxHazards, ALoadOfWhatAStreamWrites) {
  scale(0x4000, 0x1100);
  load();
  machine.run();
  ASSERT_EQ(machine.log.size(), 1u);
  // The load starts before the SMULI, so the hazard is a write after read.
  EXPECT_EQ(machine.log[0], kWriteAfterRead);
}

TEST_F(MxHazards, AnInstructionOfAStreamHasEndedWhenItsStreamHas) {
  machine.submit({bases(), make_mx(Opcode::SMULI, {{"Length1", 10}, {"InOffset", 0x4000}, {"OutOffset", 0x1100}}),
                  make_mx(Opcode::SMULI, {{"Length1", 1000}, {"InOffset", 0x8000}, {"OutOffset", 0x8000}})});
  // The first SMULI ends after 50 cycles for the doorbell, 64 for the CONFBADDR, 64 for its own setup, and 22.5 to read
  // 180 bytes and write 180 bytes.
  machine.advance_to(machine.now + 50 + 64 + 64 + 23);
  load();
  machine.run();
  ASSERT_EQ(machine.log.size(), 1u);
  EXPECT_NE(machine.log[0].find("read after write: nothing orders MX SMULI at 8 of stream 0, context 0 and LD[1] of core 0"),
            std::string::npos)
      << machine.log[0];
}

TEST_F(MxHazards, BytesNextToEachOtherAndTwoReadsAreNone) {
  load();
  scale(0x1000, 0x1000 + 400);
  scale(0x4000, 0x1000 - 180);
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(MxHazards, GapsBetweenTheRunsOfAMoveAreNone) {
  load();
  // The MOVE writes two blocks with a gap of 414 bytes. The 400 bytes that the load reads lie in this gap.
  machine.submit({bases(), make_mx(Opcode::MOVE, {{"Count", 1}, {"OutStride", 24}, {"InOffset", 0x4000}, {"OutOffset", 0x1000 - 18}})});
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(MxHazards, StreamsAmongThemselvesAreInOrder) {
  scale(0x4000, 0x1100);
  scale(0x1100, 0x4000);
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

TEST_F(MxHazards, WhatAResetStoppedHasEnded) {
  scale(0x4000, 0x1100);
  machine.advance_to(machine.now + 50 + 64 + 70);
  machine.write(r::engine_reset::kOffset, 0x10);
  load();
  machine.run();
  EXPECT_THAT(machine.log, IsEmpty());
}

}  // namespace
}  // namespace cox::test
