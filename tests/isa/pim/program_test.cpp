// SPDX-License-Identifier: MIT
// Programs byte by byte: what Program::open() reads and refuses, and that ProgramWriter writes the same bytes.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "coxswain/isa/pim/build.h"
#include "coxswain/isa/pim/write_program.h"

namespace cox::isa::pim {
namespace program_test {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::initializer_list<unsigned> values) {
  Bytes bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// Two cores: core 0 has three instructions, core 1 runs the same code. One setting, two copies, a time limit.
// clang-format off
const Bytes kProgram = bytes_of({
    // 0: magic "PIM1", 2 cores
    0x50, 0x49, 0x4D, 0x31, 0x02, 0x00, 0x00, 0x00,
    // 8: settings at 64, one of them
    0x40, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    // 16: copies at 72, two of them
    0x48, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00,
    // 24: time limit 0x1234567890
    0x90, 0x78, 0x56, 0x34, 0x12, 0x00, 0x00, 0x00,
    // 32: code of core 0 at 48, 3 instructions; of core 1 the same
    0x30, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00,
    0x30, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00,
    // 48: general-li rd=1 imm=5; jmp 1; barrier rs_id=0 rs_num=1; padding
    0x05, 0x00, 0x20, 0xB0, 0x01, 0x00, 0x00, 0xF0,
    0x00, 0x00, 0x01, 0xF8, 0x00, 0x00, 0x00, 0x00,
    // 64: core 1, special register 5 (37), value 0x01020304
    0x01, 0x25, 0x00, 0x00, 0x04, 0x03, 0x02, 0x01,
    // 72: load for core 0 to 0x100000 from 0x80000000, 16 bytes
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00,
    0x00, 0x00, 0x00, 0x80, 0x10, 0x00, 0x00, 0x00,
    // 88: store of the registers of core 1 to 0xA0000000, 260 bytes
    0x02, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0xA0, 0x04, 0x01, 0x00, 0x00,
});
// clang-format on

TEST(Program, ReadsEveryPart) {
  const Result<Program> opened = Program::open(kProgram);
  ASSERT_TRUE(opened.ok()) << opened.status().what();
  const Program &program = opened.value();
  EXPECT_EQ(program.cores(), 2U);
  EXPECT_EQ(program.time_limit(), 0x1234567890U);
  EXPECT_EQ(program.entry(1).offset, 48U);
  EXPECT_EQ(program.entry(1).instructions, 3U);
  EXPECT_EQ(program.code(0, 0)[0], 0xB0200005U);
  EXPECT_EQ(program.code(1, 2)[0], 0xF8010000U);
  EXPECT_EQ(program.code(0).size(), 12U);
  EXPECT_EQ(program.code(0).data(), kProgram.data() + 48);
  ASSERT_EQ(program.header().settings, 1U);
  EXPECT_EQ(program.setting(0).core, 1);
  EXPECT_EQ(program.setting(0).place, 37);
  EXPECT_EQ(program.setting(0).value, 0x01020304U);
  ASSERT_EQ(program.header().copies, 2U);
  EXPECT_EQ(program.copy(0).kind, CopyKind::load);
  EXPECT_EQ(program.copy(0).local, 0x100000U);
  EXPECT_EQ(program.copy(0).dram, 0x80000000U);
  EXPECT_EQ(program.copy(0).bytes, 16U);
  EXPECT_EQ(program.copy(1).kind, CopyKind::store_registers);
  EXPECT_EQ(program.copy(1).core, 1);
  EXPECT_EQ(program.bytes().size(), kProgram.size());
}

TEST(Program, TruncatedAtEveryLength) {
  for (std::size_t length = 0; length < kProgram.size(); ++length) {
    const Bytes part(kProgram.begin(), kProgram.begin() + static_cast<std::ptrdiff_t>(length));  // so that sanitizers see reads behind it
    const Status status = Program::open(part).status();
    EXPECT_EQ(status.code(), ErrorCode::stream_truncated) << length;
    EXPECT_STREQ(status.what(), "program");
    EXPECT_EQ(status.value(), static_cast<std::int64_t>(length));
    EXPECT_GT(status.limit(), static_cast<std::int64_t>(length));
  }
}

TEST(Program, MoreBytesThanNeeded) {
  Bytes program = kProgram;
  program.resize(program.size() + 1000);
  EXPECT_TRUE(Program::open(program).ok());
}

struct Patch {
  std::size_t at;
  unsigned bytes;
  std::uint64_t number;
  ErrorCode code;
  const char *what;
  std::int32_t index;
  std::int64_t value, limit;
};

TEST(Program, Refusals) {
  constexpr auto kRange = ErrorCode::field_out_of_range, kAlign = ErrorCode::misaligned_address, kShort = ErrorCode::stream_truncated;
  const Patch kPatches[] = {
      {0, 4, 0x324D4950, kRange, "magic", -1, 0x324D4950, 0x314D4950},
      {4, 2, 0, kRange, "cores", -1, 0, 1},
      {4, 2, 65, kRange, "cores", -1, 65, 64},
      {4, 2, 64, kShort, "program", -1, 104, 544},  // 32 + 64 * 8
      {6, 2, 1, kRange, "reserved", -1, 1, 0},
      {8, 4, 68, kAlign, "settings", -1, 68, 8},
      {8, 4, 104, kShort, "program", -1, 104, 112},
      {8, 4, 0xFFFFFFF8, kShort, "program", -1, 104, 0x100000000},
      {12, 4, 6, kShort, "program", -1, 104, 112},
      {12, 4, 0xFFFFFFFF, kShort, "program", -1, 104, 64 + 8 * 0xFFFFFFFFLL},
      {16, 4, 76, kAlign, "copies", -1, 76, 8},
      {20, 4, 3, kShort, "program", -1, 104, 120},
      {20, 4, 0xFFFFFFFF, kShort, "program", -1, 104, 72 + 16 * 0xFFFFFFFFLL},
      {32, 4, 52, kAlign, "code", 0, 52, 8},
      {40, 4, 49, kAlign, "code", 1, 49, 8},
      {40, 4, 96, kShort, "program", -1, 104, 108},
      {36, 4, 0x40001, kRange, "instructions", 0, 0x40001, 0x40000},
      {44, 4, 0x40000, kShort, "program", -1, 104, 48 + 4 * 0x40000},
      {64, 1, 2, kRange, "setting", 0, 2, 1},
      {65, 1, 64, kRange, "setting", 0, 64, 63},
      {65, 1, 32 + 9, kRange, "setting", 0, 41, 52},
      {65, 1, 32 + 15, kRange, "setting", 0, 47, 52},
      {65, 1, 32 + 21, kRange, "setting", 0, 53, 52},
      {66, 2, 256, kRange, "setting", 0, 256, 0},
      {72, 1, 3, kRange, "copy", 0, 3, 2},
      {73, 1, 2, kRange, "copy", 0, 2, 1},
      {74, 2, 1, kRange, "copy", 0, 1, 0},
      {92, 4, 4, kRange, "copy", 1, 4, 0},
      {100, 4, 264, kRange, "copy", 1, 264, 260},
  };
  for (const Patch &patch : kPatches) {
    SCOPED_TRACE(testing::Message() << "byte " << patch.at << ": " << patch.number);
    Bytes program = kProgram;
    std::memcpy(program.data() + patch.at, &patch.number, patch.bytes);
    const Status status = Program::open(program).status();
    EXPECT_EQ(status.code(), patch.code) << error_name(status.code());
    EXPECT_STREQ(status.what(), patch.what);
    EXPECT_EQ(status.index(), patch.index);
    EXPECT_EQ(status.value(), patch.value);
    EXPECT_EQ(status.limit(), patch.limit);
  }
}

TEST(Program, EveryRegisterMayBeSet) {
  for (unsigned place = 0; place < 64; ++place) {
    Bytes program = kProgram;
    program[65] = static_cast<std::byte>(place);
    EXPECT_EQ(Program::open(program).ok(), place < 32 || is_special(place - 32)) << place;
  }
}

TEST(Program, Positions) {
  for (const unsigned core : {0U, 1U, 63U}) {
    for (const std::uint32_t instruction : {0U, 1U, (1U << 18) - 1}) {
      const std::uint32_t packed = Position{core, instruction}.pack();
      EXPECT_LT(packed, 1U << 24);
      EXPECT_EQ(Position::unpack(packed).core, core);
      EXPECT_EQ(Position::unpack(packed).instruction, instruction);
    }
  }
  EXPECT_EQ((Position{3, 5}.pack()), 0xC0005U);
}

TEST(Program, CopiesThatLieInMemories) {
  const Configuration &configuration = default_configuration();
  const auto checked = [&](const Copy &copy) { return check(copy, configuration); };
  EXPECT_TRUE(checked({.local = 0x13FFF0, .dram = 0xBFFFFFF0, .bytes = 16}).ok());
  EXPECT_TRUE(checked({.local = 0, .dram = 0x80000000, .bytes = 0x100000}).ok());  // the whole array
  EXPECT_TRUE(checked({.local = 5, .dram = 5, .bytes = 0}).ok());
  EXPECT_TRUE(checked({.kind = CopyKind::store_registers, .dram = 0x80000000, .bytes = 260}).ok());
  const Status outside = checked({.local = 0x13FFF1, .dram = 0x80000000, .bytes = 16});
  EXPECT_EQ(outside.code(), ErrorCode::address_outside_buffer);
  EXPECT_EQ(outside.value(), 0x13FFF1);
  EXPECT_EQ(checked({.local = 0xFFFFF, .dram = 0x80000000, .bytes = 2}).code(), ErrorCode::address_outside_buffer);
  EXPECT_EQ(checked({.local = 0x80000000, .dram = 0x80000000, .bytes = 2}).code(), ErrorCode::address_outside_buffer);
  const Status window = checked({.kind = CopyKind::store, .local = 0x100000, .dram = 0x9FFFFFF1, .bytes = 16});
  EXPECT_EQ(window.code(), ErrorCode::address_outside_window);
  EXPECT_EQ(window.value(), 0x9FFFFFF1);
  EXPECT_EQ(checked({.kind = CopyKind::store_registers, .dram = 0x9FFFFFF1, .bytes = 260}).code(), ErrorCode::address_outside_window);
  EXPECT_EQ(checked({.local = 0x100000, .dram = 0x200000, .bytes = 16}).code(), ErrorCode::address_outside_window);
}

// Writing.

Result<std::span<const std::byte>> write_example(std::span<std::byte> memory) {
  ProgramWriter writer(memory, 2);
  writer.begin_code(0);
  writer.append(build::general_li(build::r(1), 5));
  writer.append(build::jmp(0));  // the target is not known yet
  writer.replace(1, build::jmp(1));
  const MachineCode rest[] = {build::barrier(build::r(0), build::r(1))};
  writer.append(rest);
  writer.share_code(1, 0);
  writer.begin_settings();
  writer.append(Setting{.core = 1, .place = 37, .value = 0x01020304});
  writer.begin_copies();
  writer.append(Copy{.local = 0x100000, .dram = 0x80000000, .bytes = 16});
  writer.append(Copy{.kind = CopyKind::store_registers, .core = 1, .dram = 0xA0000000, .bytes = kStoredRegistersBytes});
  writer.set_time_limit(0x1234567890);
  return writer.finish();
}

TEST(ProgramWriter, WritesTheBytes) {
  Bytes memory(200, std::byte{0xFF});
  const auto program = write_example(memory);
  ASSERT_TRUE(program.ok()) << program.status().what();
  EXPECT_EQ(Bytes(program.value().begin(), program.value().end()), kProgram);
  EXPECT_EQ(program.value().data(), memory.data());
  EXPECT_EQ(memory[kProgram.size()], std::byte{0xFF});
  const std::uint32_t lengths[] = {3};
  EXPECT_EQ(program_bytes(2, lengths, 1, 2), kProgram.size());
}

TEST(ProgramWriter, NoRoomAtEveryLength) {
  for (std::size_t length = 0; length < kProgram.size(); ++length) {
    Bytes memory(length);
    const Status status = write_example(memory).status();
    EXPECT_EQ(status.code(), ErrorCode::no_room) << length;
    EXPECT_STREQ(status.what(), "program");
    EXPECT_EQ(status.limit(), static_cast<std::int64_t>(length));
  }
  Bytes memory(kProgram.size());
  EXPECT_TRUE(write_example(memory).ok());
}

TEST(ProgramWriter, EmptyProgram) {
  Bytes memory(40, std::byte{0xFF});
  const auto program = ProgramWriter(memory, 1).finish();
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program.value().size(), 40U);
  EXPECT_EQ(program_bytes(1, {}), 40U);
  EXPECT_EQ(Program::open(program.value()).value().entry(0).instructions, 0U);
}

TEST(ProgramWriter, CodesOfSeveralCores) {
  Bytes memory(1000);
  ProgramWriter writer(memory, 3);
  const std::uint32_t lengths[] = {3, 1};
  writer.begin_code(2);
  for (std::int32_t i = 0; i < 3; ++i) writer.append(build::jmp(i));
  EXPECT_EQ(writer.next_instruction(), 3U);
  writer.begin_code(0);
  EXPECT_EQ(writer.next_instruction(), 0U);
  writer.append(build::jmp(7));
  const auto bytes = writer.finish();
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes.value().size(), program_bytes(3, lengths));
  const Program program = Program::open(bytes.value()).value();
  EXPECT_EQ(program.entry(0).instructions, 1U);
  EXPECT_EQ(program.entry(1).instructions, 0U);
  EXPECT_EQ(program.entry(2).instructions, 3U);
  EXPECT_EQ(program.code(0, 0), build::jmp(7));
  EXPECT_EQ(program.code(2, 2), build::jmp(2));
}

TEST(ProgramWriter, Refusals) {
  const MachineCode any = build::jmp(0);
  struct Row {
    unsigned cores;
    void (*write)(ProgramWriter &writer, const MachineCode &code);
    ErrorCode code;
    const char *what;
    std::int64_t value;
  };
  const Row kRows[] = {
      {0, [](ProgramWriter &, const MachineCode &) {}, ErrorCode::invalid_argument, "cores", 0},
      {65, [](ProgramWriter &, const MachineCode &) {}, ErrorCode::invalid_argument, "cores", 65},
      {2, [](ProgramWriter &writer, const MachineCode &) { writer.begin_code(2); }, ErrorCode::invalid_argument, "core", 2},
      {2, [](ProgramWriter &writer, const MachineCode &code) { writer.append(code); }, ErrorCode::not_ready, "code", 0},
      {2, [](ProgramWriter &writer, const MachineCode &) { writer.append(Setting{}); }, ErrorCode::not_ready, "setting", 0},
      {2, [](ProgramWriter &writer, const MachineCode &) { writer.append(Copy{}); }, ErrorCode::not_ready, "copy", 0},
      {2,
       [](ProgramWriter &writer, const MachineCode &) {
         writer.begin_code(1);
         writer.begin_code(1);
       },
       ErrorCode::invalid_argument, "core", 1},
      {2, [](ProgramWriter &writer, const MachineCode &) { writer.share_code(0, 1); }, ErrorCode::invalid_argument, "core", 1},
      {2, [](ProgramWriter &writer, const MachineCode &) { writer.share_code(3, 1); }, ErrorCode::invalid_argument, "core", 3},
      {2,
       [](ProgramWriter &writer, const MachineCode &) {
         writer.begin_code(0);
         writer.share_code(0, 0);
       },
       ErrorCode::invalid_argument, "core", 0},
      {2,
       [](ProgramWriter &writer, const MachineCode &code) {
         writer.begin_code(0);
         writer.share_code(1, 0);
         writer.append(code);
       },
       ErrorCode::not_ready, "code", 0},
      {2,
       [](ProgramWriter &writer, const MachineCode &code) {
         writer.begin_code(0);
         writer.append(code);
         writer.replace(1, code);
       },
       ErrorCode::invalid_argument, "instruction", 1},
      {2,
       [](ProgramWriter &writer, const MachineCode &) {
         writer.begin_settings();
         writer.begin_settings();
       },
       ErrorCode::invalid_argument, "settings", 0},
      {2,
       [](ProgramWriter &writer, const MachineCode &) {
         writer.begin_copies();
         writer.begin_settings();
         writer.begin_copies();
       },
       ErrorCode::invalid_argument, "copies", 0},
  };
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    SCOPED_TRACE(i);
    Bytes memory(1000);
    ProgramWriter writer(memory, kRows[i].cores);
    kRows[i].write(writer, any);
    // The first error is kept.
    writer.replace(77, any);
    const Status status = writer.finish().status();
    EXPECT_EQ(status.code(), kRows[i].code) << error_name(status.code());
    EXPECT_STREQ(status.what(), kRows[i].what);
    EXPECT_EQ(status.value(), kRows[i].value);
  }
}

TEST(ProgramWriter, FinishChecksTheProgram) {
  Bytes memory(1000);
  ProgramWriter writer(memory, 2);
  writer.begin_settings();
  writer.append(Setting{.core = 2});
  const Status status = writer.finish().status();
  EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
  EXPECT_STREQ(status.what(), "setting");
}

TEST(ProgramWriter, TooManyInstructions) {
  Bytes memory((std::size_t{kMostInstructions} + 100) * 4);
  ProgramWriter writer(memory, 1);
  writer.begin_code(0);
  for (std::uint32_t i = 0; i < kMostInstructions; ++i) writer.append(build::jmp(1));
  EXPECT_EQ(writer.next_instruction(), kMostInstructions);
  ProgramWriter more = writer;
  EXPECT_TRUE(writer.finish().ok());
  more.append(build::jmp(1));
  EXPECT_EQ(more.finish().status().code(), ErrorCode::too_many_instructions);
}

}  // namespace program_test
}  // namespace cox::isa::pim
