// SPDX-License-Identifier: MIT
// check() looks at one instruction at a time. These are instructions that it must refuse.
#include <gtest/gtest.h>

#include "tests/isa/cube/instruction.h"

namespace cox::isa::cube {
namespace {

/// The bits that an instruction may have according to docs/isa/cube.md: opcode, flags (BARRIER has none) and each field.
struct Legal {
  Opcode opcode;
  MachineCode bits;
};

// clang-format off
const Legal kLegal[] = {
    {Opcode::SET_FLAG, {0xFFFFFFFF, 0x00FFFFFF, 0x0000007F, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {Opcode::WAIT_FLAG, {0xFFFFFFFF, 0x00FFFFFF, 0x0000007F, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {Opcode::BARRIER, {0x000000FF, 0x00000000, 0x0000000F, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {Opcode::DRAM_TO_L1, {0xFFFFFFFF, 0x00FFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0x001FFFFF, 0x000FFFFF, 0x000FFFFF}},
    {Opcode::L1_TO_L0A, {0xFFFFFFFF, 0x00FFFFFF, 0x01FFFFFF, 0x0000FFFF, 0x00000FFF, 0x0FFF0FFF, 0x00000000, 0x00000000}},
    {Opcode::L1_TO_L0B, {0xFFFFFFFF, 0x00FFFFFF, 0x01FFFFFF, 0x0000FFFF, 0x00000FFF, 0x0FFF0FFF, 0x00000000, 0x00000000}},
    {Opcode::IM2COL_CFG, {0xFFFFFFFF, 0x00FFFFFF, 0x0FFF0FFF, 0xFF07FFFF, 0xFFFFFFFF, 0x000FFFFF, 0x3F3F3F3F, 0x0FFFFFFF}},
    {Opcode::IM2COL_TO_L0A, {0xFFFFFFFF, 0x00FFFFFF, 0x010FFFFF, 0x0000FFFF, 0x00FFFFFF, 0x0FFF0FFF, 0x00FFFFFF, 0x00000000}},
    {Opcode::L1_TO_BT, {0xFFFFFFFF, 0x00FFFFFF, 0x000FFFFF, 0x07FF03FF, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {Opcode::MAD, {0xFFFFFFFF, 0x00FFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0x0007FFFF}},
    {Opcode::OUT_CFG, {0xFFFFFFFF, 0x00FFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0x003FFFFF, 0x001FFFFF, 0xFFFFFFFF, 0xFFFFFFFF}},
    {Opcode::L0C_TO_DRAM, {0xFFFFFFFF, 0x00FFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0x003FFFFF, 0x0FFF0FFF, 0x1FFFFFFF}},
    {Opcode::L0C_TO_L1, {0xFFFFFFFF, 0x00FFFFFF, 0x000FFFFF, 0xFFFF0000, 0x000FFFFF, 0x007FFFFF, 0x0FFF0FFF, 0x1FFFFFFF}},
};
// clang-format on

TEST(Check, EveryReservedBit) {
  for (const Legal &legal : kLegal) {
    for (unsigned bit = kOpcodeWidth; bit < 256; ++bit) {
      SCOPED_TRACE(testing::Message() << instruction_of(legal.opcode).name << " bit " << bit);
      MachineCode code = smallest(legal.opcode);
      ASSERT_TRUE(check(code).ok());
      const std::uint32_t mask = 1U << (bit % 32);
      code[bit / 32] |= mask;
      const Status status = check(code);
      if ((legal.bits[bit / 32] & mask) != 0) {
        EXPECT_NE(status.code(), ErrorCode::reserved_bits);
        continue;
      }
      EXPECT_EQ(status.code(), ErrorCode::reserved_bits);
      EXPECT_STREQ(status.what(), instruction_of(legal.opcode).name);
      EXPECT_EQ(status.index(), static_cast<std::int32_t>(bit));
    }
  }
}

TEST(Check, TheLowestReservedBitIsNamed) { EXPECT_EQ(check({2, 0, 0x180, 0, 0, 0, 0, 1}).index(), 64 + 7); }

TEST(Check, All256Opcodes) {
  for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
    SCOPED_TRACE(opcode);
    const bool known = opcode >= 1 && opcode <= 13;
    const Status status = check({opcode | 0x12345600, 0, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(find_instruction(opcode) != nullptr, known);
    EXPECT_EQ(status.code() != ErrorCode::unknown_instruction, known);
    if (known) continue;
    EXPECT_STREQ(status.what(), "opcode");
    EXPECT_EQ(status.value(), opcode);
  }
}

void expect_out_of_range(MachineCode code, unsigned bit, std::uint32_t value, const char *field, std::int64_t said, std::int64_t limit) {
  SCOPED_TRACE(testing::Message() << field << " " << said);
  code[bit / 32] |= value << bit % 32;
  const Status status = check(code);
  EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
  EXPECT_STREQ(status.what(), field);
  EXPECT_EQ(status.value(), said);
  EXPECT_EQ(status.limit(), limit);
}

/// A MAD that computes one product. A MAD in which M, K or N is 0 ignores most of its fields.
MachineCode smallest_product() { return instruction(Opcode::MAD, {{"M", 1}, {"K", 1}, {"N", 1}}); }

/// Parameters of docs/isa/cube.md that this version does not enable.
TEST(Check, ParametersThatMustBeZero) {
  const MachineCode mad = smallest_product();
  for (const std::uint32_t value : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 255U}) {
    expect_out_of_range(mad, 152, value, "FeatOffset", value, 0);
    expect_out_of_range(mad, 184, value, "SmaskOffset", value, 0);
    expect_out_of_range(mad, 216, value, "UnitFlag", value, 0);
  }
  expect_out_of_range(mad, 240, 1, "IsWeightOffset", 1, 0);
}

TEST(Check, PointersOutsideOfTheirBuffer) {
  const MachineCode mad = smallest_product();
  expect_out_of_range(mad, 64, 262144, "Destination", 262144, 262143);
  expect_out_of_range(mad, 128, 65536, "Left", 65536, 65535);
  expect_out_of_range(mad, 160, 65536, "Right", 65536, 65535);
}

TEST(Check, AnEmptyMadIsRefusedOnlyForItsTypeAndReservedBits) {
  for (const char *side : {"M", "K", "N"}) {
    SCOPED_TRACE(side);
    const MachineCode empty = empty_mad_with_every_bit(side);
    EXPECT_TRUE(check(empty).ok()) << check(empty).what();
    expect_out_of_range(empty, 236, 7, "Type", 7, 4);
    MachineCode reserved = empty;
    reserved[7] |= 1U << 31;
    EXPECT_EQ(check(reserved).code(), ErrorCode::reserved_bits);
  }
}

TEST(Check, EnumerationsThatAreNone) {
  for (const std::uint32_t value : {5U, 6U, 7U}) {
    expect_out_of_range(smallest(Opcode::MAD), 236, value, "Type", value, 4);
    expect_out_of_range(smallest(Opcode::L1_TO_L0A), 84, value, "Type", value, 4);
    expect_out_of_range(smallest(Opcode::L1_TO_L0B), 84, value, "Type", value, 4);
    expect_out_of_range(smallest(Opcode::IM2COL_CFG), 112, value, "Type", value, 4);
    expect_out_of_range(smallest(Opcode::L0C_TO_DRAM), 179, value, "To", value, 4);
    expect_out_of_range(smallest(Opcode::L0C_TO_L1), 179, value, "To", value, 4);
  }
  for (const std::uint32_t value : {4U, 7U}) expect_out_of_range(smallest(Opcode::OUT_CFG), 213, value, "Activation", value, 3);
  expect_out_of_range(smallest(Opcode::OUT_CFG), 148, 3, "ScaleMode", 3, 2);
}

TEST(Check, FieldsThatMayNotBeZero) {
  // If all fields of an instruction are 0, the check names the first field that must not be 0. These are the names.
  const struct {
    Opcode opcode;
    const char *field;
    std::int64_t least;
  } kFields[] = {{Opcode::BARRIER, "Pipes", 1},         {Opcode::DRAM_TO_L1, "Rows", 1},   {Opcode::L1_TO_L0A, "SourcePitch", 1},
                 {Opcode::L1_TO_L0B, "SourcePitch", 1}, {Opcode::IM2COL_CFG, "Height", 1}, {Opcode::IM2COL_TO_L0A, "Rows", 1},
                 {Opcode::L1_TO_BT, "Bytes", 64},       {Opcode::L0C_TO_DRAM, "Rows", 1},  {Opcode::L0C_TO_L1, "Rows", 1}};
  for (const auto &one : kFields) {
    const Status status = check(begin(one.opcode));
    EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
    EXPECT_STREQ(status.what(), one.field);
    EXPECT_EQ(status.value(), 0);
    EXPECT_EQ(status.limit(), one.least);
  }
}

/// resolve() refuses fields that contradict each other; check() accepts them.
TEST(Check, ContradictionsPass) {
  EXPECT_TRUE(check(begin(Opcode::SET_FLAG)).ok());
  EXPECT_TRUE(check(instruction(Opcode::MAD, {{"K", 3}, {"Type", 4}, {"Left", 1}})).ok());
}

TEST(FieldBit, ByNameAndBack) {
  const Instruction &mad = instruction_of(Opcode::MAD);
  EXPECT_EQ(field_bit(mad, "K"), 204U);
  EXPECT_EQ(field_bit(mad, "Wait"), 8U);
  EXPECT_EQ(field_bit(mad, "Set"), 32U);
  EXPECT_EQ(field_bit(mad, "opcode"), kNoField);
  EXPECT_STREQ(field_name(mad, 204), "K");
  EXPECT_STREQ(field_name(mad, 8), "Wait");
  EXPECT_STREQ(field_name(mad, 32), "Set");
  EXPECT_STREQ(field_name(mad, 205), "instruction");
  EXPECT_STREQ(field_name(mad, kNoField), "instruction");
}

}  // namespace
}  // namespace cox::isa::cube
