// SPDX-License-Identifier: MIT
// Branches, messages, barriers and trans.
#include <gtest/gtest.h>

#include "tests/isa/pim/core.h"

namespace cox::isa::pim {
namespace resolve_control_test {

using build::r;

TEST(ResolveControl, Conditions) {
  struct Row {
    std::uint32_t a, b;
    bool equal, greater, less;
  };
  const Row kRows[] = {{5, 5, true, false, false},          {6, 5, false, true, false},
                       {5, 6, false, false, true},          {0xFFFFFFFF, 0, false, false, true},
                       {0, 0xFFFFFFFF, false, true, false}, {0x80000000, 0x7FFFFFFF, false, false, true}};
  for (const Row &row : kRows) {
    TestCore core;
    core.set_general({row.a, row.b});
    const auto taken = [&](const MachineCode &code) { return core.resolved<Jump>(code).target == 15; };
    EXPECT_EQ(taken(build::beq(r(1), r(2), 5)), row.equal);
    EXPECT_EQ(taken(build::bne(r(1), r(2), 5)), !row.equal);
    EXPECT_EQ(taken(build::bgt(r(1), r(2), 5)), row.greater);
    EXPECT_EQ(taken(build::blt(r(1), r(2), 5)), row.less);
    if (!row.equal) {
      EXPECT_EQ(core.resolved<Jump>(build::beq(r(1), r(2), 5)).target, 11U);
    }
  }
}

TEST(ResolveControl, Targets) {
  TestCore core;
  core.counter = 10;
  core.instructions = 100;
  const auto beq = [](std::int32_t offset) { return build::beq(r(0), r(0), offset); };
  for (const auto &code :
       {+[](std::int32_t offset) { return build::jmp(offset); }, +[](std::int32_t offset) { return build::beq(r(0), r(0), offset); }}) {
    EXPECT_EQ(core.resolved<Jump>(code(-10)).target, 0U);
    EXPECT_EQ(core.resolved<Jump>(code(0)).target, 10U);
    EXPECT_EQ(core.resolved<Jump>(code(90)).target, 100U);  // the end
    core.expect_refused(code(-11), ErrorCode::branch_outside_program, "offset", -1, 100);
    core.expect_refused(code(91), ErrorCode::branch_outside_program, "offset", 101, 100);
  }
  core.expect_refused(beq(-32768), ErrorCode::branch_outside_program, "offset", -32758, 100);
  core.expect_refused(build::jmp(33554431), ErrorCode::branch_outside_program, "offset", 33554441, 100);
  // A branch that is not taken has no target. The last instruction goes on to the end.
  core.counter = 99;
  EXPECT_EQ(core.resolved<Jump>(build::bne(r(0), r(0), 32767)).target, 100U);
}

TEST(ResolveControl, Barrier) {
  TestCore core;
  core.set_general({77, 4});
  const auto op = core.resolved<Barrier>(build::barrier(r(1), r(2)));
  EXPECT_EQ(op.id, 77U);
  EXPECT_EQ(op.cores, 4U);
  core.registers.general[2] = 1;
  EXPECT_TRUE(core.resolve(build::barrier(r(1), r(2))).ok());
  const struct {
    std::uint32_t number;
    std::int64_t value, limit;
  } kRows[] = {{0, 0, 1}, {0xFFFFFFFF, -1, 1}, {5, 5, 4}, {0x7FFFFFFF, 0x7FFFFFFF, 4}};
  for (const auto &row : kRows) {
    core.registers.general[2] = row.number;
    core.expect_refused(build::barrier(r(1), r(2)), ErrorCode::barrier_mismatch, "rs_num", row.value, row.limit);
  }
}

TEST(ResolveControl, Wait) {
  TestCore core;  // core 1 of 4
  core.set_general({3, 0xFFFFFFFF});
  const auto op = core.resolved<Wait>(build::wait(r(1), r(2)));
  EXPECT_EQ(op.core, 3U);
  EXPECT_EQ(op.id, 0xFFFFFFFFU);
  core.registers.general[1] = 4;
  core.expect_out_of_range(build::wait(r(1), r(2)), "rs_core", 4, 3);
  core.registers.general[1] = 0xFFFFFFFF;
  core.expect_out_of_range(build::wait(r(1), r(2)), "rs_core", 0xFFFFFFFF, 3);
  core.registers.general[1] = 1;
  core.expect_refused(build::wait(r(1), r(2)), ErrorCode::own_core, "rs_core", 1, 0);
}

// Messages. r1: core, r2: source, r3: destination, r4: id, r5: bytes.
constexpr MachineCode kSend = build::send(r(1), {.source = r(2), .destination = r(3), .id = r(4), .bytes = r(5)});
constexpr MachineCode kReceive = build::receive(r(1), {.source = r(2), .destination = r(3), .id = r(4), .bytes = r(5)});

TestCore ready_to_send() {
  TestCore core;
  core.set_general({2, kOutput + 1, kInput + 2, 0x12345678, 50});
  return core;
}

TEST(ResolveMessage, Send) {
  const TestCore core = ready_to_send();
  const auto op = core.resolved<Message>(kSend);
  EXPECT_TRUE(op.send);
  EXPECT_TRUE(op.synchronous);
  EXPECT_EQ(op.core, 2U);
  EXPECT_EQ(op.source, kOutput + 1);
  EXPECT_EQ(op.destination, kInput + 2);
  EXPECT_EQ(op.id, 0x12345678U);
  EXPECT_EQ(op.bytes, 50U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rs r 0x200001 50"}));
  EXPECT_FALSE(core.resolved<Message>(build::send(r(1), {r(2), r(3), r(4), r(5)}, true)).synchronous);
}

TEST(ResolveMessage, Receive) {
  const TestCore core = ready_to_send();
  const auto op = core.resolved<Message>(kReceive);
  EXPECT_FALSE(op.send);
  EXPECT_TRUE(op.synchronous);
  EXPECT_EQ(op.core, 2U);
  EXPECT_EQ(op.source, kOutput + 1);
  EXPECT_EQ(op.destination, kInput + 2);
  EXPECT_EQ(op.id, 0x12345678U);
  EXPECT_EQ(op.bytes, 50U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rd w 0x100002 50"}));
  EXPECT_FALSE(core.resolved<Message>(build::receive(r(1), {r(2), r(3), r(4), r(5)}, true)).synchronous);
}

TEST(ResolveMessage, OtherCores) {
  for (const bool send : {false, true}) {
    const MachineCode code = send ? kSend : kReceive;
    const char *what = send ? "rd1" : "rs1";
    TestCore core = ready_to_send();
    core.registers.general[1] = 4;
    core.expect_out_of_range(code, what, 4, 3);
    core.registers.general[1] = 0xFFFFFFFF;
    core.expect_out_of_range(code, what, 0xFFFFFFFF, 3);
    core.registers.general[1] = 1;
    core.expect_refused(code, ErrorCode::own_core, what, 1, 0);
    core.registers.general[1] = 0;
    EXPECT_TRUE(core.resolve(code).ok());
    core.registers.general[1] = 3;
    EXPECT_TRUE(core.resolve(code).ok());
  }
}

TEST(ResolveMessage, BothEndsLieInLocalMemories) {
  for (const bool send : {false, true}) {
    const MachineCode code = send ? kSend : kReceive;
    const struct {
      unsigned general;
      const char *what;
      std::uint32_t end;
    } kRows[] = {{2, send ? "rs" : "rs2", 0x240000}, {3, send ? "rd2" : "rd", 0x140000}};
    for (const auto &row : kRows) {
      TestCore core = ready_to_send();
      core.registers.general[row.general] = row.end - 50;
      EXPECT_TRUE(core.resolve(code).ok());
      core.registers.general[row.general] = row.end - 49;
      core.expect_outside(code, row.what, row.end - 49, row.end);
      core.registers.general[row.general] = kDram;
      core.expect_outside(code, row.what, kDram, 0);
      core.registers.general[row.general] = 0;
      core.expect_outside(code, row.what, 0, 0);
    }
  }
}

TEST(ResolveMessage, Lengths) {
  for (const MachineCode &code : {kSend, kReceive}) {
    TestCore core = ready_to_send();
    core.registers.general[5] = 0xFFFFFFFF;
    core.expect_out_of_range(code, "reg_len", -1, 0);
    core.set_general({2, 0x900000, 0x900000, 0, 0});
    EXPECT_EQ(core.accesses(core.resolved<Message>(code)), Accesses{});
  }
}

// trans. r1: source, r2: bytes, r3: destination.
constexpr MachineCode kTrans = build::trans(r(3), r(1), r(2));

TEST(ResolveTrans, Offsets) {
  TestCore core;
  core.set_general({kInput, 100, kOutput});
  EXPECT_EQ(core.accesses(core.resolved<Trans>(kTrans)), (Accesses{"rs1 r 0x100000 100", "rd w 0x200000 100"}));
  const auto with = [](bool source, bool destination) { return build::trans(r(3), r(1), r(2), {2047, source, destination}); };
  EXPECT_EQ(core.accesses(core.resolved<Trans>(with(false, false))), (Accesses{"rs1 r 0x100000 100", "rd w 0x200000 100"}));
  EXPECT_EQ(core.accesses(core.resolved<Trans>(with(true, false))), (Accesses{"rs1 r 0x1007ff 100", "rd w 0x200000 100"}));
  EXPECT_EQ(core.accesses(core.resolved<Trans>(with(false, true))), (Accesses{"rs1 r 0x100000 100", "rd w 0x2007ff 100"}));
  EXPECT_EQ(core.accesses(core.resolved<Trans>(with(true, true))), (Accesses{"rs1 r 0x1007ff 100", "rd w 0x2007ff 100"}));
  core.registers.general[1] = 0xFFFFFFFF;  // the sum wraps to the array
  EXPECT_EQ(core.resolved<Trans>(with(true, false)).source, 2046U);
}

TEST(ResolveTrans, BetweenAllMemories) {
  TestCore core;
  const struct {
    std::uint32_t address;
    std::uint32_t bytes;
  } kMemories[] = {{0, 0x100000}, {kInput, 0x40000}, {kMetaBuffer, 0x40000}, {kDram, kDramPart}, {kDram + 3 * kDramPart, kDramPart}};
  for (const auto &from : kMemories) {
    for (const auto &to : kMemories) {
      const std::uint32_t bytes = std::min(from.bytes, to.bytes);
      core.set_general({from.address + from.bytes - bytes, bytes, to.address + to.bytes - bytes});
      const auto op = core.resolved<Trans>(kTrans);
      EXPECT_EQ(op.bytes, bytes);
      EXPECT_EQ(core.accesses(op).size(), 2U);
    }
  }
}

TEST(ResolveTrans, Refusals) {
  TestCore core;
  core.set_general({kInput, 0xFFFFFFFF, kOutput});
  core.expect_out_of_range(kTrans, "rs2", -1, 0);
  core.set_general({0x900000, 0, 0x900000});
  EXPECT_EQ(core.accesses(core.resolved<Trans>(kTrans)), Accesses{});
  const struct {
    std::uint32_t source, bytes, destination;
    ErrorCode code;
    const char *what;
    std::int64_t value, limit;
  } kRows[] = {
      {0xFFFFF, 2, kOutput, ErrorCode::address_outside_buffer, "rs1", 0xFFFFF, 0x100000},
      {kInput + 0x3FFFF, 2, kOutput, ErrorCode::address_outside_buffer, "rs1", kInput + 0x3FFFF, kInput + 0x40000},
      {0x800000, 1, kOutput, ErrorCode::address_outside_buffer, "rs1", 0x800000, 0},
      {kDram + kDramPart - 1, 2, kOutput, ErrorCode::address_outside_window, "rs1", kDram + kDramPart - 1, kDram + kDramPart},
      {0xFFFFFFFF, 2, kOutput, ErrorCode::address_outside_window, "rs1", 0xFFFFFFFF, 0x100000000},
      {kInput, 2, 0xFFFFF, ErrorCode::address_outside_buffer, "rd", 0xFFFFF, 0x100000},
      {kInput, 2, kOutput + 0x3FFFF, ErrorCode::address_outside_buffer, "rd", kOutput + 0x3FFFF, kOutput + 0x40000},
      {kInput, 2, kDram + 2 * kDramPart - 1U, ErrorCode::address_outside_window, "rd", kDram + 2 * kDramPart - 1U, kDram + 2 * kDramPart},
      {kInput, 2, kDram - 1, ErrorCode::address_outside_buffer, "rd", kDram - 1, 0},
      {0x800000, 2, 0x900000, ErrorCode::address_outside_buffer, "rs1", 0x800000, 0},  // the source comes first
  };
  for (const auto &row : kRows) {
    core.set_general({row.source, row.bytes, row.destination});
    core.expect_refused(kTrans, row.code, row.what, row.value, row.limit);
  }
}

TEST(ResolveTrans, WithoutDram) {
  TestCore core;
  core.configuration.dram_bytes = 0;
  core.set_general({kDram, 1, kOutput});
  core.expect_outside(kTrans, "rs1", kDram, 0);
}

}  // namespace resolve_control_test
}  // namespace cox::isa::pim
