// SPDX-License-Identifier: MIT
// check() looks at one instruction at a time. These are instructions that it must refuse.
#include <gtest/gtest.h>

#include <iterator>

#include "tests/isa/mx/instruction.h"

namespace cox::isa::mx {
namespace {

/// The bits that an instruction may have according to docs/isa/mx.md: opcode, funct and each field. The comments list them, block by block.
struct Legal {
  Opcode opcode;
  Blocks bits;
};

constexpr std::uint64_t kAll = 0xFFFFFFFFFFFFFFFF;
constexpr Legal kLegal[] = {
    // block 1: [30:0]
    {Opcode::CONFBADDR, {0x000000007FFFFFFF, 0, 0}},
    // block 1: [25:0], [51:32]; blocks 2 and 3: [31:8], [55:32]
    {Opcode::CONVACT, {0x000FFFFF03FFFFFF, 0x00FFFFFFFFFFFF00, 0x00FFFFFFFFFFFF00}},
    // block 1: all except [7:6]; block 2: [31:8], [41:32]
    {Opcode::ELADD, {0xFFFFFFFFFFFFFF3F, 0x000003FFFFFFFF00, 0}},
    {Opcode::ELMUL, {0xFFFFFFFFFFFFFF3F, 0x000003FFFFFFFF00, 0}},
    // block 1: all; block 2: [31:8]
    {Opcode::SMULI, {kAll, 0x00000000FFFFFF00, 0}},
    // block 1: all except the immediate, [21:6]; block 2: [31:8]
    {Opcode::SIGMOID, {0xFFFFFFFFFFC0003F, 0x00000000FFFFFF00, 0}},
    {Opcode::SOFTMAX, {0xFFFFFFFFFFC0003F, 0x00000000FFFFFF00, 0}},
    // block 1: [12:0], [24:20], [31:26], [51:32]; blocks 2 and 3: [31:8]
    {Opcode::POOL, {0x000FFFFFFDF01FFF, 0x00000000FFFFFF00, 0x00000000FFFFFF00}},
    // block 1: all except [7:6]; block 2: [23:0], [55:32]; block 3: [17:0], [49:32]
    {Opcode::MOVE, {0xFFFFFFFFFFFFFF3F, 0x00FFFFFF00FFFFFF, 0x0003FFFF0003FFFF}},
};
static_assert(std::size(kLegal) == std::size(kInstructions), "each instruction has an entry");

TEST(Check, EveryReservedBit) {
  constexpr int kFirst = kFunctBit + kFunctWidth;  // a change of lower bits would select another instruction, or none
  for (const Legal &legal : kLegal) {
    for (int bit = kFirst; bit < 192; ++bit) {
      SCOPED_TRACE(testing::Message() << instruction_of(legal.opcode).name << " bit " << bit);
      const MachineCode before = smallest(legal.opcode);
      ASSERT_TRUE(check(before).ok());
      Blocks blocks = blocks_of_code(before);
      const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
      blocks[static_cast<std::size_t>(bit / 64)] |= mask;
      const Status status = check(code_of_blocks(blocks));
      if ((legal.bits[static_cast<std::size_t>(bit / 64)] & mask) != 0) {
        EXPECT_NE(status.code(), ErrorCode::reserved_bits);
        continue;
      }
      EXPECT_EQ(status.code(), ErrorCode::reserved_bits);
      EXPECT_STREQ(status.what(), instruction_of(legal.opcode).name);
      EXPECT_EQ(status.index(), bit);
    }
  }
}

TEST(Check, TheLowestReservedBitIsNamed) {
  // Bits 31 and 63 of CONFBADDR are reserved.
  EXPECT_EQ(check(code_of_blocks({0x8000000080000000, 0, 0})).index(), 31);
}

/// Bits [5:0] of an instruction are its opcode plus 16 times its funct: CONFBADDR 0x00; CONVACT 0x09; SMULI 0x1A; SIGMOID 0x2A; SOFTMAX
/// 0x3A; ELADD 0x0B; ELMUL 0x1B; POOL 0x0C; MOVE 0x0D.
TEST(Check, All64Opcodes) {
  constexpr unsigned kKnown[] = {0x00, 0x09, 0x1A, 0x2A, 0x3A, 0x0B, 0x1B, 0x0C, 0x0D};
  for (unsigned opcode = 0; opcode < 64; ++opcode) {
    SCOPED_TRACE(opcode);
    bool known = false;
    for (const unsigned one : kKnown) known = known || one == opcode;
    const Status status = check(MachineCode{opcode});
    EXPECT_EQ(find_instruction(opcode) != nullptr, known);
    EXPECT_EQ(status.code() != ErrorCode::unknown_instruction, known);
    if (known) continue;
    EXPECT_STREQ(status.what(), "opcode");
    EXPECT_EQ(status.value(), opcode);
  }
}

void expect_out_of_range(const Blocks &blocks, const char *field, std::int64_t value, std::int64_t limit) {
  SCOPED_TRACE(testing::Message() << field << " " << value);
  const Status status = check(code_of_blocks(blocks));
  EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
  EXPECT_STREQ(status.what(), field);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

TEST(Check, ChannelsBeyond1024) {
  for (std::uint64_t value = 64; value < 128; ++value) {
    const auto number = static_cast<std::int64_t>(value);
    expect_out_of_range({0x9 + (value << 6), 0, 0}, "InChannels", number, 63);
    expect_out_of_range({0x9 + (value << 13), 0, 0}, "OutChannels", number, 63);
    expect_out_of_range({0xC + (value << 6) + (1U << 26) + (1U << 30), 0, 0}, "Channels", number, 63);
  }
}

TEST(Check, ActivationThatIsNone) { expect_out_of_range({0x9 + (3U << 23), 0, 0}, "Activation", 3, 2); }

TEST(Check, PoolModeThatIsNone) {
  for (const std::uint64_t mode : {2, 3}) {
    expect_out_of_range({0xC + (mode << 23) + (1U << 26) + (1U << 30), 0, 0}, "Mode", static_cast<std::int64_t>(mode), 1);
  }
}

TEST(Check, PoolWithoutKernelOrStride) {
  expect_out_of_range({0xC + (1U << 30), 0, 0}, "Kernel", 0, 1);
  expect_out_of_range({0xC + (1U << 26), 0, 0}, "Stride", 0, 1);
}

/// resolve() refuses fields that contradict each other; check() accepts them.
TEST(Check, ContradictionsPass) {
  EXPECT_TRUE(check(instruction(Opcode::POOL, {{"Kernel", 15}, {"Stride", 3}, {"Padding", 7}})).ok());
  EXPECT_TRUE(check(instruction(Opcode::CONVACT, {{"Kernel", 1}, {"Split", 1}})).ok());
}

TEST(FieldBit, ByNameAndBack) {
  const Instruction &pool = instruction_of(Opcode::POOL);
  EXPECT_EQ(field_bit(pool, "Mode"), 23U);
  EXPECT_EQ(field_bit(pool, "OutOffset1"), 136U);
  EXPECT_EQ(field_bit(pool, "opcode"), kNoField);
  EXPECT_STREQ(field_name(pool, 26), "Kernel");
  EXPECT_STREQ(field_name(pool, 27), "instruction");
  EXPECT_STREQ(field_name(pool, kNoField), "instruction");
}

}  // namespace
}  // namespace cox::isa::mx
