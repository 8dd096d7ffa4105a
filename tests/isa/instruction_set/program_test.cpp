// SPDX-License-Identifier: MIT
// Fetches instructions from programs, and locates faults in programs, with each of the toy sets in toys.h.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/isa/instruction_set/toys.h"

namespace cox::isa {
namespace {

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t> &words) {
  std::vector<std::byte> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

/// A NOP at byte 0, FLOATS at byte 8, and a NOP at byte 24.
std::vector<std::byte> toy_program() { return bytes_of({0, 0, 21, 1, 2, 3, 0, 0}); }

void expect_location(const Location &location, int instruction, std::uint32_t byte, const char *name, const char *field) {
  EXPECT_EQ(location.instruction, instruction);
  EXPECT_EQ(location.byte, byte);
  EXPECT_STREQ(location.name, name);
  EXPECT_STREQ(location.field, field);
}

TEST(Program, FetchOfDifferentLengths) {
  const std::vector<std::byte> program = toy_program();
  const auto nop = toy::Set::fetch(program);
  ASSERT_TRUE(nop.ok());
  EXPECT_STREQ(nop.value().instruction->name, "NOP");
  EXPECT_EQ(nop.value().next, 8U);
  const auto floats = toy::Set::fetch(program, 8);
  ASSERT_TRUE(floats.ok());
  EXPECT_STREQ(floats.value().instruction->name, "FLOATS");
  EXPECT_EQ(floats.value().code, (toy::MachineCode{21, 1, 2, 3}));
  EXPECT_EQ(floats.value().next, 24U);
  // Words beyond a short instruction are zero, whatever follows it in the program.
  const auto last = toy::Set::fetch(bytes_of({0, 0, ~0U, ~0U}));
  EXPECT_EQ(last.value().code, (toy::MachineCode{}));
}

TEST(Program, FetchPastTheEnd) {
  const std::vector<std::byte> program = toy_program();
  for (std::size_t size = 0; size < 24; ++size) {
    SCOPED_TRACE(size);
    const Status status = toy::Set::fetch(std::span(program).first(size), 8).status();
    const auto left = static_cast<std::int64_t>(size < 8 ? 0 : size - 8);
    EXPECT_EQ(status.code(), ErrorCode::stream_truncated);
    EXPECT_STREQ(status.what(), left < 8 ? "stream" : "FLOATS");
    EXPECT_EQ(status.value(), left);
    EXPECT_EQ(status.limit(), left < 8 ? 8 : 16);
  }
  EXPECT_TRUE(toy::Set::fetch(std::span(program).first(24), 8).ok());
}

TEST(Program, FetchOfNoInstruction) {
  const Status status = toy::Set::fetch(bytes_of({0x123 << 5 | 30, 0})).status();
  EXPECT_EQ(status.code(), ErrorCode::unknown_instruction);
  EXPECT_EQ(status.value(), 30);
}

TEST(Program, LocateAmongDifferentLengths) {
  const std::vector<std::byte> program = toy_program();
  expect_location(toy::Set::locate(program, 0), 0, 0, "NOP", "instruction");
  expect_location(toy::Set::locate(program, 8, 32), 1, 8, "FLOATS", "Reals");
  expect_location(toy::Set::locate(program, 24, 32), 2, 24, "NOP", "instruction");
  // No instruction begins at these positions.
  for (const std::uint32_t position : {4U, 12U, 16U, 32U, 33U, 0xFFFFFFU}) {
    expect_location(toy::Set::locate(program, position), -1, 0, "", "");
  }
}

/// The instruction that cannot be decoded has a number. Those behind it have none, because its length is unknown.
TEST(Program, LocateBehindNoInstruction) {
  const std::vector<std::byte> program = bytes_of({0, 0, 30, 0, 0, 0});
  expect_location(toy::Set::locate(program, 8, 5), 1, 8, "", "");
  expect_location(toy::Set::locate(program, 16), -1, 0, "", "");
}

TEST(Program, LocateAmongOneLength) {
  const std::vector<std::byte> program = bytes_of({0x80000001, 0xE0000002, 0, 0xC0000000});
  expect_location(jumps::Set::locate(program, 4, 0), 1, 4, "JUMP", "Offset");
  expect_location(jumps::Set::locate(program, 8, 0), 2, 8, "", "");
  expect_location(jumps::Set::locate(program, 12), 3, 12, "LOAD", "instruction");
  for (const std::uint32_t position : {1U, 6U, 16U, 0xFFFFFCU}) expect_location(jumps::Set::locate(program, position), -1, 0, "", "");
}

/// Five instructions: a group of four in 20 bytes, then a group that has four opcode bytes and one payload.
TEST(Program, Groups) {
  const std::vector<std::byte> program = bytes_of({0x42414042, 10, 11, 12, 13, 0x41, 14});
  const std::uint32_t payloads[] = {10, 11, 12, 13, 14}, first_bytes[] = {4, 8, 12, 16, 24};
  const char *const names[] = {"THIRD", "FIRST", "SECOND", "THIRD", "SECOND"};
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto fetched = groups::Set::fetch(program, i);
    ASSERT_TRUE(fetched.ok());
    EXPECT_EQ(fetched.value().code[1], payloads[i]);
    EXPECT_EQ(fetched.value().next, i + 1);
    expect_location(groups::Set::locate(program, i), static_cast<int>(i), first_bytes[i], names[i], "instruction");
  }
  expect_location(groups::Set::locate(program, 1, 32), 1, 8, "FIRST", "Value");
  expect_location(groups::Set::locate(program, 5), -1, 0, "", "");
}

}  // namespace
}  // namespace cox::isa
