// SPDX-License-Identifier: MIT
// There are three ways to look up an opcode in the table. Each way must find every opcode, and nothing for any other word.
#include <gtest/gtest.h>

#include "tests/isa/instruction_set/toys.h"

namespace cox::isa {
namespace {

// The three toy sets use the three ways of lookup.
static_assert(detail::kHasConsecutiveOpcodes<groups::Traits>);
static_assert(detail::kHasPlainOpcodes<toy::Traits> && !detail::kHasConsecutiveOpcodes<toy::Traits>);
static_assert(!detail::kHasPlainOpcodes<jumps::Traits>);

TEST(Lookup, PlacesByOpcodeBits) {
  for (std::uint32_t opcode = 0; opcode < 32; ++opcode) {
    const toy::Instruction *expected = opcode == 0    ? &toy::kInstructions[0]
                                       : opcode == 13 ? &toy::kInstructions[1]
                                       : opcode == 21 ? &toy::kInstructions[2]
                                       : opcode == 29 ? &toy::kInstructions[3]
                                                      : nullptr;
    EXPECT_EQ(toy::Set::find(opcode), expected) << opcode;
    EXPECT_EQ(toy::Set::find(opcode | 0xFFFFFFE0), expected) << opcode;
  }
}

TEST(Lookup, ConsecutiveOpcodes) {
  for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
    const groups::Instruction *expected = opcode >= 0x40 && opcode <= 0x42 ? &groups::kInstructions[opcode - 0x40] : nullptr;
    EXPECT_EQ(groups::Set::find(opcode), expected) << opcode;
    EXPECT_EQ(groups::Set::find(opcode | 0xFFFFFF00), expected) << opcode;
  }
}

TEST(Lookup, OpcodesOfDifferentWidths) {
  for (std::uint32_t top = 0; top < 8; ++top) {
    const jumps::Instruction *expected = top == 4 || top == 5 ? &jumps::kInstructions[0]
                                         : top == 7           ? &jumps::kInstructions[1]
                                         : top == 6           ? &jumps::kInstructions[2]
                                                              : nullptr;
    EXPECT_EQ(jumps::Set::find(top << 29), expected) << top;
    EXPECT_EQ(jumps::Set::find(top << 29 | 0x1FFFFFFF), expected) << top;
  }
}

TEST(Lookup, Names) {
  for (const toy::Instruction &row : toy::Set::instructions()) {
    EXPECT_EQ(toy::Set::find(row.name), &row);
    EXPECT_EQ(&toy::Set::row(row.opcode), &row);
  }
  EXPECT_EQ(toy::Set::find("MI"), nullptr);
  EXPECT_EQ(toy::Set::find("MIXX"), nullptr);
}

TEST(Lookup, FieldsOfTheRowAndItsHeader) {
  const toy::Instruction &mix = toy::Set::row(toy::Opcode::MIX), &floats = toy::Set::row(toy::Opcode::FLOATS);
  EXPECT_EQ(toy::Set::find_field(mix, "Small"), &toy::kMix[0]);
  EXPECT_EQ(toy::Set::find_field(mix, "Tokens"), &toy::kHeader[0]);
  EXPECT_EQ(toy::Set::find_field(floats, "Tokens"), nullptr);
  EXPECT_EQ(toy::Set::find_field(mix, "Half"), nullptr);
}

TEST(Lookup, FieldNamesAndTheirBits) {
  const toy::Instruction &mix = toy::Set::row(toy::Opcode::MIX);
  EXPECT_EQ(toy::Set::field_bit(mix, "Signed"), 26U);
  EXPECT_EQ(toy::Set::field_bit(mix, "Tokens"), 5U);
  EXPECT_EQ(toy::Set::field_bit(mix, "Half"), kNoField);
  EXPECT_STREQ(toy::Set::field_name(mix, 26), "Signed");
  EXPECT_STREQ(toy::Set::field_name(mix, 5), "Tokens");
  EXPECT_STREQ(toy::Set::field_name(mix, 27), "instruction");
  EXPECT_STREQ(toy::Set::field_name(mix, kNoField), "instruction");
}

}  // namespace
}  // namespace cox::isa
