// SPDX-License-Identifier: MIT
// check() with arbitrary bits. It must refuse unknown opcodes, each reserved bit, and each field beyond its range.
#include <gtest/gtest.h>

#include <limits>

#include "tests/isa/instruction_set/toys.h"

namespace cox::isa {
namespace {

using toy::MachineCode;
using toy::Set;

/// The smallest MIX that check() accepts: Small is 2, and the two elements of Look are 0 and 1.
constexpr MachineCode kMix{13 | 2U << 16, 1U << 9, 0, 0};

struct Legal {
  const char *name;
  MachineCode code, bits;
};
/// The bits that an instruction may have, worked out by hand.
const Legal kLegal[] = {
    {"NOP", {0, 0, 0, 0}, {0x1F, 0, 0, 0}},
    {"MIX", kMix, {0xFC0F07FF, 0x7FF, 0xFFFFFFFF, 0x3FFFF}},
    {"FLOATS", {21, 0, 0, 0}, {0xFFFF1F, 0xFFFFFFFF, 0xFFFFFFFF, 0}},
    {"CROSS", {29, 0, 0, 0}, {0x8000001F, 1, 0, 0}},
};

TEST(Check, EveryReservedBit) {
  for (const Legal &legal : kLegal) {
    EXPECT_EQ(Set::legal_bits(*Set::find(legal.name)), legal.bits) << legal.name;
    for (unsigned bit = 5; bit < 128; ++bit) {
      SCOPED_TRACE(testing::Message() << legal.name << " bit " << bit);
      MachineCode code = legal.code;
      ASSERT_TRUE(Set::check(code).ok());
      const std::uint32_t mask = 1U << bit % 32;
      code[bit / 32] |= mask;
      const Status status = Set::check(code);
      if ((legal.bits[bit / 32] & mask) != 0) {
        EXPECT_NE(status.code(), ErrorCode::reserved_bits);
        continue;
      }
      EXPECT_EQ(status.code(), ErrorCode::reserved_bits);
      EXPECT_STREQ(status.what(), legal.name);
      EXPECT_EQ(status.index(), static_cast<std::int32_t>(bit));
      EXPECT_EQ(status.value(), bit);
    }
  }
}

TEST(Check, TheLowestReservedBitIsNamed) { EXPECT_EQ(Set::check({0, 0x180000, 0x1000, 1}).index(), 51); }

/// Opcodes have two or three bits here. Bit 29 belongs to the wider ones, and is reserved in an instruction with a two-bit opcode.
TEST(Check, OpcodesOfDifferentWidths) {
  EXPECT_TRUE(jumps::Set::check({0x8000001F}).ok());
  EXPECT_EQ(jumps::Set::check({0xA0000000}).index(), 29);
}

TEST(Check, EveryUnknownOpcode) {
  for (std::uint32_t opcode = 0; opcode < 32; ++opcode) {
    SCOPED_TRACE(opcode);
    const Status status = Set::check({opcode | 0xABCDE000, 0, 0, 0});
    const bool known = opcode == 0 || opcode == 13 || opcode == 21 || opcode == 29;
    EXPECT_EQ(status.code() != ErrorCode::unknown_instruction, known);
    if (known) continue;
    EXPECT_STREQ(status.what(), "opcode");
    EXPECT_EQ(status.index(), -1);
    EXPECT_EQ(status.value(), opcode);
  }
  // Opcodes have two or three bits here. The error of an unknown opcode gives all three bits.
  EXPECT_EQ(jumps::Set::check({0x7FFFFFFF}).value(), 0x60000000);
}

void expect_refused(const MachineCode &code, const char *field, int element, std::int64_t value, std::int64_t limit) {
  SCOPED_TRACE(testing::Message() << field << " " << element << " " << value);
  const Status status = Set::check(code);
  EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
  EXPECT_STREQ(status.what(), field);
  EXPECT_EQ(status.index(), element);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

MachineCode with(MachineCode code, unsigned bit, unsigned width, std::uint32_t value) {
  insert_bits(code, bit, width, value);
  return code;
}

TEST(Check, FieldsBeyondTheirRanges) {
  expect_refused(with(kMix, 16, 4, 1), "Small", 0, 1, 2);
  expect_refused(with(kMix, 16, 4, 12), "Small", 0, 12, 11);
  expect_refused(with(kMix, 39, 2, 1), "Look", 0, 1, 3);
  expect_refused(with(kMix, 41, 2, 0), "Look", 1, 0, 2);
  expect_refused(with(kMix, 41, 2, 3), "Look", 1, 3, 2);
  expect_refused(with(kMix, 111, 3, 4), "Zero", 0, 4, 0);
  for (const std::uint32_t small : {2U, 11U}) EXPECT_TRUE(Set::check(with(kMix, 16, 4, small)).ok());
  for (const std::uint32_t bits : {0U, 0x7FFU, 0x800U, 0xFFFU}) EXPECT_TRUE(Set::check(with(kMix, 26, 12, bits)).ok());
  for (const std::uint32_t tokens : {1U, 63U}) EXPECT_TRUE(Set::check(with(kMix, 5, 6, tokens)).ok());
}

TEST(Check, FloatsAreFiniteIfTheSetSaysSo) {
  expect_refused({21, 0x7F800000, 0, 0}, "Reals", 0, 0x7F800000, 0);
  expect_refused({21, 0, 0xFFC00000, 0}, "Reals", 1, 0xFFC00000, 0);
  EXPECT_TRUE(Set::check({21, 0x7F7FFFFF, 0x80000001, 0}).ok());
  EXPECT_TRUE(groups::Set::check({0x41, 0x7FC00000}).ok());
}

}  // namespace
}  // namespace cox::isa
