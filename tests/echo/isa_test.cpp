// SPDX-License-Identifier: MIT
// Encodings of echo instructions, worked out by hand, and instructions that are refused.
#include "tests/echo/isa/echo.h"

#include <gtest/gtest.h>

#include "tests/echo/kernels/build.h"

namespace cox::isa::echo {
namespace {

TEST(EchoIsa, WordsOfACopy) {
  MachineCode code = Set::begin(Opcode::COPY);
  ASSERT_TRUE(Set::set(code, *Set::find_field(Set::row(Opcode::COPY), "Bytes"), 0x123456).ok());
  ASSERT_TRUE(Set::set(code, *Set::find_field(Set::row(Opcode::COPY), "Source"), 0x60000001).ok());
  ASSERT_TRUE(Set::set(code, *Set::find_field(Set::row(Opcode::COPY), "Destination"), 0x70000002).ok());
  EXPECT_EQ(code, (MachineCode{0x12345601, 0x60000001, 0x70000002, 0}));
  EXPECT_EQ(code, copy(0x60000001, 0x70000002, 0x123456));
}

TEST(EchoIsa, WordsOfAFill) {
  EXPECT_EQ(fill(0xA5, 0x70000002, 0x123456), (MachineCode{0x12345604, 0xA5, 0x70000002, 0}));
  const Operation operation = resolve(fill(0xA5, 0x70000002, 0x123456)).value();
  EXPECT_EQ(operation.value, 0xA5);
  EXPECT_EQ(operation.destination, 0x70000002U);
  EXPECT_EQ(operation.bytes, 0x123456U);
  const Footprint touched = footprint(operation);
  ASSERT_EQ(touched.count, 1U);
  EXPECT_TRUE(touched.accesses[0].write);
  MachineCode code = fill(0, 0, 1);
  const Field &value = *Set::find_field(Set::row(Opcode::FILL), "Value");
  EXPECT_EQ(Set::set(code, value, 255).code(), ErrorCode::ok);
  EXPECT_EQ(Set::set(code, value, 256).code(), ErrorCode::field_out_of_range);
  EXPECT_EQ(Set::set(code, value, -1).code(), ErrorCode::field_out_of_range);
}

TEST(EchoIsa, FieldsAtTheirEndsAndOneBeyond) {
  const Instruction &row = Set::row(Opcode::COPY);
  const auto set = [&](const char *name, std::int64_t value) {
    MachineCode code = copy(0, 1, 1);
    return Set::set(code, *Set::find_field(row, name), value).code();
  };
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{kMostBytes}}) EXPECT_EQ(set("Bytes", bytes), ErrorCode::ok);
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{kMostBytes} + 1})
    EXPECT_EQ(set("Bytes", bytes), ErrorCode::field_out_of_range);
  for (const char *name : {"Source", "Destination"}) {
    for (const std::int64_t address : {std::int64_t{0}, std::int64_t{0xFFFFFFFF}}) EXPECT_EQ(set(name, address), ErrorCode::ok) << name;
    for (const std::int64_t address : {std::int64_t{-1}, std::int64_t{1} << 32})
      EXPECT_EQ(set(name, address), ErrorCode::field_out_of_range) << name;
  }
}

TEST(EchoIsa, WhatIsRefused) {
  EXPECT_EQ(Set::check({9}).code(), ErrorCode::unknown_instruction);
  MachineCode reserved = copy(0, 64, 64);
  reserved[3] = 1;
  EXPECT_EQ(Set::check(reserved).code(), ErrorCode::reserved_bits);
  EXPECT_EQ(resolve(fail()).status().code(), ErrorCode::unsupported);
  // Source and destination may lie side by side, but may not share a byte.
  EXPECT_TRUE(resolve(copy(0, 64, 64)).ok());
  EXPECT_TRUE(resolve(copy(64, 0, 64)).ok());
  EXPECT_EQ(resolve(copy(0, 63, 64)).status().code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(resolve(copy(63, 0, 64)).status().code(), ErrorCode::tensor_overlap);
}

TEST(EchoIsa, AWindowHoldsBothEnds) {
  const Window window{.base = 0x1000, .bytes = 0x100, .read = true, .write = true};
  const auto code_of = [&](std::uint64_t source, std::uint64_t destination) {
    return check_windows(footprint(resolve(copy(source, destination, 0x80)).value()), {&window, 1});
  };
  EXPECT_TRUE(code_of(0x1000, 0x1080).ok());
  EXPECT_STREQ(code_of(0xFFF, 0x1080).what(), "Source");
  EXPECT_STREQ(code_of(0x1000, 0x1081).what(), "Destination");
}

}  // namespace
}  // namespace cox::isa::echo
