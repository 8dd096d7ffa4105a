// SPDX-License-Identifier: MIT
// Writes fields one by one: their minimum, their maximum, and one value beyond.
#include <gtest/gtest.h>

#include <limits>

#include "tests/isa/instruction_set/toys.h"

namespace cox::isa {
namespace {

using toy::MachineCode;
using toy::Opcode;
using toy::Set;

const Field &mix(const char *name) { return *Set::find_field(Set::row(Opcode::MIX), name); }
const Field &floats(const char *name) { return *Set::find_field(Set::row(Opcode::FLOATS), name); }

TEST(Set, BeginHasTheOpcodeOnly) {
  EXPECT_EQ(Set::begin(Opcode::NOP), (MachineCode{}));
  EXPECT_EQ(Set::begin(Opcode::MIX), (MachineCode{13, 0, 0, 0}));
  EXPECT_EQ(Set::begin(Opcode::FLOATS), (MachineCode{21, 0, 0, 0}));
  EXPECT_EQ(jumps::Set::begin(jumps::Opcode::ADD)[0], 0x80000000U);
  EXPECT_EQ(jumps::Set::begin(jumps::Opcode::JUMP)[0], 0xE0000000U);
}

struct Case {
  const char *field;
  unsigned element;
  std::int64_t value;
  MachineCode code;  ///< the field alone, without an opcode; worked out by hand
};

/// Sets each field to its minimum and its maximum and compares the words with those worked out by hand.
TEST(Set, MinimaAndMaxima) {
  const Case cases[] = {
      {"Small", 0, 2, {2U << 16, 0, 0, 0}},
      {"Small", 0, 11, {11U << 16, 0, 0, 0}},
      {"Signed", 0, -2048, {0, 0x20, 0, 0}},
      {"Signed", 0, -1, {0xFC000000, 0x3F, 0, 0}},
      {"Signed", 0, 2047, {0xFC000000, 0x1F, 0, 0}},
      {"Flag", 0, 1, {0, 0x40, 0, 0}},
      {"Look", 0, 3, {0, 0x180, 0, 0}},
      {"Look", 1, 2, {0, 0x400, 0, 0}},
      {"Whole", 0, 4294967295, {0, 0, 0xFFFFFFFF, 0}},
      {"Triple", 0, -16, {0, 0, 0, 0x10}},
      {"Triple", 1, 15, {0, 0, 0, 0x1E0}},
      {"Triple", 2, -1, {0, 0, 0, 0x7C00}},
      {"Tokens", 0, 63, {0x7E0, 0, 0, 0}},
  };
  for (const Case &wanted : cases) {
    SCOPED_TRACE(testing::Message() << wanted.field << " " << wanted.value);
    MachineCode code{};
    ASSERT_TRUE(Set::set(code, mix(wanted.field), wanted.element, wanted.value).ok());
    EXPECT_EQ(code, wanted.code);
    EXPECT_EQ(read_integer(code, mix(wanted.field), wanted.element), wanted.value);
    // A second value replaces all bits of the first one.
    MachineCode ones{~0U, ~0U, ~0U, ~0U};
    ASSERT_TRUE(Set::set(ones, mix(wanted.field), wanted.element, wanted.value).ok());
    EXPECT_EQ(read_integer(ones, mix(wanted.field), wanted.element), wanted.value);
  }
}

TEST(Set, OneBitInEachOfTwoWords) {
  const Field &cross = *Set::find_field(Set::row(Opcode::CROSS), "Cross");
  for (std::uint32_t value = 0; value < 4; ++value) {
    MachineCode code{};
    ASSERT_TRUE(Set::set(code, cross, value).ok());
    EXPECT_EQ(code, (MachineCode{value << 31, value >> 1, 0, 0}));
    EXPECT_EQ(read_integer(code, cross), value);
  }
  MachineCode code{};
  EXPECT_EQ(Set::set(code, cross, 4).limit(), 3);
}

TEST(Set, OneBeyondIsRefusedAndChangesNothing) {
  struct Beyond {
    const char *field;
    unsigned element;
    std::int64_t value, limit;
  };
  const Beyond cases[] = {
      {"Small", 0, 1, 2},      {"Small", 0, 12, 11},  {"Signed", 0, -2049, -2048}, {"Signed", 0, 2048, 2047},
      {"Flag", 0, 2, 1},       {"Flag", 0, -1, 1},    {"Look", 0, 1, 3},           {"Look", 0, 2, 3},
      {"Look", 1, 0, 2},       {"Look", 1, 3, 2},     {"Whole", 0, -1, 0},         {"Whole", 0, 4294967296, 4294967295},
      {"Triple", 2, -17, -16}, {"Triple", 2, 16, 15}, {"Zero", 0, 1, 0},           {"Tokens", 0, 64, 63},
      {"Triple", 3, 3, 2},
  };
  for (const Beyond &wanted : cases) {
    SCOPED_TRACE(testing::Message() << wanted.field << " " << wanted.value);
    MachineCode code{1, 2, 3, 4};
    const Status status = Set::set(code, mix(wanted.field), wanted.element, wanted.value);
    EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
    EXPECT_STREQ(status.what(), wanted.field);
    EXPECT_EQ(status.index(), static_cast<std::int32_t>(wanted.element));
    EXPECT_EQ(status.value(), wanted.value);
    EXPECT_EQ(status.limit(), wanted.limit);
    EXPECT_EQ(code, (MachineCode{1, 2, 3, 4}));
  }
}

TEST(Set, FloatsAsBitsAndAsValues) {
  MachineCode code{};
  ASSERT_TRUE(Set::set_float(code, floats("Reals"), 0, 1.5F).ok());
  ASSERT_TRUE(Set::set(code, floats("Reals"), 1, 0xC0000000).ok());
  ASSERT_TRUE(Set::set(code, floats("Half"), 65535).ok());
  EXPECT_EQ(code, (MachineCode{0xFFFF00, 0x3FC00000, 0xC0000000, 0}));
  EXPECT_EQ(read_float(code, floats("Reals"), 1), -2.0F);
  EXPECT_EQ(Set::set(code, floats("Half"), 65536).code(), ErrorCode::field_out_of_range);
  EXPECT_EQ(Set::set_float(code, floats("Half"), 0, 1).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(Set::set_float(code, floats("Reals"), 2, 1).code(), ErrorCode::field_out_of_range);
}

/// A set with kFiniteFloats refuses NaN and infinities, a set without it accepts any bits.
TEST(Set, NanAndInfinities) {
  for (const std::uint32_t bits : {0x7F800000U, 0xFF800000U, 0x7FC00000U, 0x7F800001U}) {
    MachineCode code{};
    EXPECT_EQ(Set::set(code, floats("Reals"), 0, bits).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(Set::set_float(code, floats("Reals"), 0, std::bit_cast<float>(bits)).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(code, (MachineCode{}));
    groups::MachineCode any{};
    ASSERT_TRUE(groups::Set::set(any, groups::kPayload[1], bits).ok());
    EXPECT_EQ(any[1], bits);
    ASSERT_TRUE(groups::Set::set_float(any, groups::kPayload[1], 0, std::bit_cast<float>(bits)).ok());
  }
  MachineCode code{};
  EXPECT_TRUE(Set::set_float(code, floats("Reals"), 0, std::numeric_limits<float>::max()).ok());
}

}  // namespace
}  // namespace cox::isa
