// SPDX-License-Identifier: MIT
// Every field at its least and greatest value and one beyond, every reserved bit, and the registers that are illegal. The layout below is
// written from the specification, so that the table of the instruction set is compared with a second source.
#include <gtest/gtest.h>

#include <string_view>

#include "coxswain/isa/pim/table.h"

namespace cox::isa::pim {
namespace fields_test {

struct Layout {
  const char *instruction;
  const char *field;
  unsigned high, low;  ///< bits
  std::int64_t least, most;
};

// clang-format off
const Layout kLayouts[] = {
    {"pim-compute", "value_sparse", 23, 23, 0, 1}, {"pim-compute", "bit_sparse", 22, 22, 0, 1}, {"pim-compute", "group", 21, 21, 0, 1},
    {"pim-compute", "group_input_mode", 20, 20, 0, 1},
    {"pim-compute", "rs1", 19, 15, 0, 31}, {"pim-compute", "rs2", 14, 10, 0, 31}, {"pim-compute", "rs3", 9, 5, 0, 31},
    {"pim-batch", "mask_mode", 22, 22, 0, 1}, {"pim-batch", "meta_mode", 21, 21, 0, 1}, {"pim-batch", "input_mode", 20, 20, 0, 1},
    {"pim-batch", "rs1", 19, 15, 0, 31}, {"pim-batch", "rs2", 14, 10, 0, 31}, {"pim-batch", "rs3", 9, 5, 0, 31}, {"pim-batch", "rs4", 4, 0, 0, 31},
    {"pim-output", "outsum_move", 21, 21, 0, 1}, {"pim-output", "outsum", 20, 20, 0, 1},
    {"pim-output", "rs1", 19, 15, 0, 31}, {"pim-output", "rs2", 14, 10, 0, 31}, {"pim-output", "rd", 4, 0, 0, 31},
    {"pim-transfer", "rs1", 19, 15, 0, 31}, {"pim-transfer", "rs2", 14, 10, 0, 31}, {"pim-transfer", "rs3", 9, 5, 0, 31}, {"pim-transfer", "rd", 4, 0, 0, 31},
    {"simd-compute", "input_num", 29, 28, 0, 3}, {"simd-compute", "opcode", 27, 20, 0, 255},
    {"simd-compute", "rs1", 19, 15, 0, 31}, {"simd-compute", "rs2", 14, 10, 0, 31}, {"simd-compute", "rs3", 9, 5, 0, 31}, {"simd-compute", "rd", 4, 0, 0, 31},
    {"add", "rs1", 25, 21, 0, 31}, {"add", "rs2", 20, 16, 0, 31}, {"add", "rd", 15, 11, 0, 31},
    {"sub", "rs1", 25, 21, 0, 31}, {"sub", "rs2", 20, 16, 0, 31}, {"sub", "rd", 15, 11, 0, 31},
    {"mul", "rs1", 25, 21, 0, 31}, {"mul", "rs2", 20, 16, 0, 31}, {"mul", "rd", 15, 11, 0, 31},
    {"div", "rs1", 25, 21, 0, 31}, {"div", "rs2", 20, 16, 0, 31}, {"div", "rd", 15, 11, 0, 31},
    {"sll", "rs1", 25, 21, 0, 31}, {"sll", "rs2", 20, 16, 0, 31}, {"sll", "rd", 15, 11, 0, 31},
    {"srl", "rs1", 25, 21, 0, 31}, {"srl", "rs2", 20, 16, 0, 31}, {"srl", "rd", 15, 11, 0, 31},
    {"sra", "rs1", 25, 21, 0, 31}, {"sra", "rs2", 20, 16, 0, 31}, {"sra", "rd", 15, 11, 0, 31},
    {"mod", "rs1", 25, 21, 0, 31}, {"mod", "rs2", 20, 16, 0, 31}, {"mod", "rd", 15, 11, 0, 31},
    {"addi", "rs1", 25, 21, 0, 31}, {"addi", "rd", 20, 16, 0, 31}, {"addi", "imm", 15, 0, -32768, 32767},
    {"muli", "rs1", 25, 21, 0, 31}, {"muli", "rd", 20, 16, 0, 31}, {"muli", "imm", 15, 0, -32768, 32767},
    {"lui", "rs1", 25, 21, 0, 31}, {"lui", "rd", 20, 16, 0, 31}, {"lui", "imm", 15, 0, -32768, 32767},
    {"load-local", "rs1", 25, 21, 0, 31}, {"load-local", "rs2", 20, 16, 0, 31}, {"load-local", "offset", 15, 0, -32768, 32767},
    {"store-local", "rs1", 25, 21, 0, 31}, {"store-local", "rs2", 20, 16, 0, 31}, {"store-local", "offset", 15, 0, -32768, 32767},
    {"load-global", "rs1", 25, 21, 0, 31}, {"load-global", "rs2", 20, 16, 0, 31}, {"load-global", "offset", 15, 0, -32768, 32767},
    {"store-global", "rs1", 25, 21, 0, 31}, {"store-global", "rs2", 20, 16, 0, 31}, {"store-global", "offset", 15, 0, -32768, 32767},
    {"general-li", "rd", 25, 21, 0, 31}, {"general-li", "imm", 20, 0, 0, 2097151},
    {"special-li", "rd", 25, 21, 0, 20}, {"special-li", "imm", 20, 0, 0, 2097151},
    {"general-to-special", "rs1", 25, 21, 0, 31}, {"general-to-special", "rs2", 20, 16, 0, 20},
    {"special-to-general", "rs1", 25, 21, 0, 31}, {"special-to-general", "rs2", 20, 16, 0, 20},
    {"trans", "source_offset", 27, 27, 0, 1}, {"trans", "destination_offset", 26, 26, 0, 1},
    {"trans", "rs1", 25, 21, 0, 31}, {"trans", "rs2", 20, 16, 0, 31}, {"trans", "rd", 15, 11, 0, 31}, {"trans", "offset", 10, 0, 0, 2047},
    {"send", "sync", 26, 26, 0, 1}, {"send", "rs", 25, 21, 0, 31}, {"send", "rd1", 20, 16, 0, 31}, {"send", "rd2", 15, 11, 0, 31},
    {"send", "reg_id", 10, 6, 0, 31}, {"send", "reg_len", 4, 0, 0, 31},
    {"receive", "sync", 26, 26, 0, 1}, {"receive", "rs1", 25, 21, 0, 31}, {"receive", "rs2", 20, 16, 0, 31}, {"receive", "rd", 15, 11, 0, 31},
    {"receive", "reg_id", 10, 6, 0, 31}, {"receive", "reg_len", 4, 0, 0, 31},
    {"beq", "rs1", 25, 21, 0, 31}, {"beq", "rs2", 20, 16, 0, 31}, {"beq", "offset", 15, 0, -32768, 32767},
    {"bne", "rs1", 25, 21, 0, 31}, {"bne", "rs2", 20, 16, 0, 31}, {"bne", "offset", 15, 0, -32768, 32767},
    {"bgt", "rs1", 25, 21, 0, 31}, {"bgt", "rs2", 20, 16, 0, 31}, {"bgt", "offset", 15, 0, -32768, 32767},
    {"blt", "rs1", 25, 21, 0, 31}, {"blt", "rs2", 20, 16, 0, 31}, {"blt", "offset", 15, 0, -32768, 32767},
    {"jmp", "offset", 25, 0, -33554432, 33554431},
    {"wait", "rs_core", 25, 21, 0, 31}, {"wait", "rs_id", 20, 16, 0, 31},
    {"barrier", "rs_id", 25, 21, 0, 31}, {"barrier", "rs_num", 20, 16, 0, 31},
};

struct Bits {
  const char *instruction;
  std::uint32_t identity;  ///< values of class, type and opcode; zero elsewhere
  std::uint32_t reserved;
};
const Bits kBits[] = {
    {"pim-compute", 0b00'00'0000'0000'00000'00000'00000'00000, 0b00'00'1111'0000'00000'00000'00000'11111},
    {"pim-batch", 0b00'01'00000'000'00000'00000'00000'00000, 0b00'00'11111'000'00000'00000'00000'00000},
    {"pim-output", 0b00'10'000000'00'00000'00000'00000'00000, 0b00'00'111111'00'00000'00000'11111'00000},
    {"pim-transfer", 0b00'11'00000000'00000'00000'00000'00000, 0b00'00'11111111'00000'00000'00000'00000},
    {"simd-compute", 0b01'00'00000000'00000'00000'00000'00000, 0},
    {"add", 0b10'00'00'00000'00000'00000'00000000'000, 0b00'00'11'00000'00000'00000'11111111'000},
    {"sub", 0b10'00'00'00000'00000'00000'00000000'001, 0b00'00'11'00000'00000'00000'11111111'000},
    {"mul", 0b10'00'00'00000'00000'00000'00000000'010, 0b00'00'11'00000'00000'00000'11111111'000},
    {"div", 0b10'00'00'00000'00000'00000'00000000'011, 0b00'00'11'00000'00000'00000'11111111'000},
    {"sll", 0b10'00'00'00000'00000'00000'00000000'100, 0b00'00'11'00000'00000'00000'11111111'000},
    {"srl", 0b10'00'00'00000'00000'00000'00000000'101, 0b00'00'11'00000'00000'00000'11111111'000},
    {"sra", 0b10'00'00'00000'00000'00000'00000000'110, 0b00'00'11'00000'00000'00000'11111111'000},
    {"mod", 0b10'00'00'00000'00000'00000'00000000'111, 0b00'00'11'00000'00000'00000'11111111'000},
    {"addi", 0b10'01'00'00000'00000'0000000000000000, 0},
    {"muli", 0b10'01'01'00000'00000'0000000000000000, 0},
    {"lui", 0b10'01'10'00000'00000'0000000000000000, 0},
    {"load-local", 0b10'10'00'00000'00000'0000000000000000, 0},
    {"store-local", 0b10'10'01'00000'00000'0000000000000000, 0},
    {"load-global", 0b10'10'10'00000'00000'0000000000000000, 0},
    {"store-global", 0b10'10'11'00000'00000'0000000000000000, 0},
    {"general-li", 0b10'11'00'00000'000000000000000000000, 0},
    {"special-li", 0b10'11'01'00000'000000000000000000000, 0},
    {"general-to-special", 0b10'11'10'00000'00000'0000000000000000, 0b00'00'00'00000'00000'1111111111111111},
    {"special-to-general", 0b10'11'11'00000'00000'0000000000000000, 0b00'00'00'00000'00000'1111111111111111},
    {"trans", 0b110'0'00'00000'00000'00000'00000000000, 0},
    {"send", 0b110'10'0'00000'00000'00000'00000'0'00000, 0b000'00'0'00000'00000'00000'00000'1'00000},
    {"receive", 0b110'11'0'00000'00000'00000'00000'0'00000, 0b000'00'0'00000'00000'00000'00000'1'00000},
    {"beq", 0b111'000'00000'00000'0000000000000000, 0},
    {"bne", 0b111'001'00000'00000'0000000000000000, 0},
    {"bgt", 0b111'010'00000'00000'0000000000000000, 0},
    {"blt", 0b111'011'00000'00000'0000000000000000, 0},
    {"jmp", 0b111'100'00000000000000000000000000, 0},
    {"wait", 0b111'101'00000'00000'0000000000000000, 0b000'000'00000'00000'1111111111111111},
    {"barrier", 0b111'110'00000'00000'0000000000000000, 0b000'000'00000'00000'1111111111111111},
};
// clang-format on

const Bits &bits_of(std::string_view instruction) {
  for (const Bits &bits : kBits) {
    if (bits.instruction == instruction) return bits;
  }
  ADD_FAILURE() << instruction;
  return kBits[0];
}

std::uint32_t mask_of(const Layout &layout) { return (~std::uint32_t{0} >> (31 - layout.high)) & (~std::uint32_t{0} << layout.low); }

/// The instruction with one field, and zeros elsewhere.
std::uint32_t word_with(const Layout &layout, std::int64_t value) {
  return bits_of(layout.instruction).identity | (static_cast<std::uint32_t>(value) << layout.low & mask_of(layout));
}

TEST(Fields, TheLayoutHasEveryFieldOfTheTable) {
  std::size_t fields = 0;
  for (const Instruction &row : Set::instructions()) fields += row.fields.size();
  EXPECT_EQ(fields, std::size(kLayouts));
  EXPECT_EQ(Set::instructions().size(), std::size(kBits));
  EXPECT_EQ(Set::instructions().size(), 34U);
}

TEST(Fields, EveryBitIsIdentityFieldOrReserved) {
  for (const Bits &bits : kBits) {
    std::uint32_t fields = 0;
    for (const Layout &layout : kLayouts) {
      if (std::string_view(layout.instruction) != bits.instruction) continue;
      EXPECT_EQ(fields & mask_of(layout), 0U) << bits.instruction << " " << layout.field;
      fields |= mask_of(layout);
    }
    EXPECT_EQ(fields & bits.reserved, 0U) << bits.instruction;
    EXPECT_EQ((fields | bits.reserved) & bits.identity, 0U) << bits.instruction;
    EXPECT_EQ(Set::legal_bits(*Set::find(bits.instruction))[0], ~bits.reserved) << bits.instruction;
  }
}

TEST(Fields, FindQuicklyFindsTheSameRows) {
  // All values of the bits that identify instructions, and of one bit beside them.
  for (std::uint32_t high = 0; high < 128; ++high) {
    for (std::uint32_t low = 0; low < 16; ++low) {
      const MachineCode code{high << 25 | low};
      EXPECT_EQ(find_quickly(code), Set::find(code)) << std::hex << code[0];
    }
  }
}

TEST(Fields, LeastAndGreatestValues) {
  for (const Layout &layout : kLayouts) {
    SCOPED_TRACE(testing::Message() << layout.instruction << " " << layout.field);
    const Instruction *row = Set::find(std::string_view(layout.instruction));
    ASSERT_NE(row, nullptr);
    const Field *field = Set::find_field(*row, layout.field);
    ASSERT_NE(field, nullptr);
    for (const std::int64_t value : {layout.least, layout.most}) {
      MachineCode code = Set::begin(*row);
      EXPECT_TRUE(Set::set(code, *field, value).ok());
      EXPECT_EQ(code[0], word_with(layout, value)) << value;
      EXPECT_EQ(read_integer(code, *field), value);
      EXPECT_TRUE(Set::check(code).ok());
      EXPECT_TRUE(check(code).ok());
      EXPECT_EQ(Set::find(code), row);
    }
  }
}

TEST(Fields, OneBeyondIsRefused) {
  for (const Layout &layout : kLayouts) {
    SCOPED_TRACE(testing::Message() << layout.instruction << " " << layout.field);
    const Instruction &row = *Set::find(std::string_view(layout.instruction));
    const Field &field = *Set::find_field(row, layout.field);
    for (const std::int64_t value : {layout.least - 1, layout.most + 1}) {
      MachineCode code = Set::begin(row);
      const Status status = Set::set(code, field, value);
      EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
      EXPECT_STREQ(status.what(), layout.field);
      EXPECT_EQ(status.value(), value);
      EXPECT_EQ(code, Set::begin(row));
    }
  }
}

TEST(Fields, EveryReservedBitIsRefused) {
  for (const Bits &bits : kBits) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if ((bits.reserved >> bit & 1) == 0) continue;
      const Status status = check(MachineCode{bits.identity | 1U << bit});
      EXPECT_EQ(status.code(), ErrorCode::reserved_bits) << bits.instruction << " " << bit;
      EXPECT_STREQ(status.what(), bits.instruction);
      EXPECT_EQ(status.value(), bit);
    }
  }
}

TEST(Fields, IllegalSpecialRegistersAreRefused) {
  for (std::uint32_t number = 0; number < 32; ++number) {
    const bool legal = number <= 8 || (number >= 16 && number <= 20);
    const struct {
      std::uint32_t word;
      const char *field;
    } kUsers[] = {{0b10'11'01'00000'000000000000000000000U | number << 21, "rd"},
                  {0b10'11'10'00000'00000'0000000000000000U | number << 16, "rs2"},
                  {0b10'11'11'00000'00000'0000000000000000U | number << 16, "rs2"}};
    for (const auto &user : kUsers) {
      const Status status = check(MachineCode{user.word});
      EXPECT_EQ(status.ok(), legal) << number;
      if (legal) continue;
      EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
      EXPECT_STREQ(status.what(), user.field);
      EXPECT_EQ(status.value(), number);
    }
  }
}

TEST(Fields, RegistersBehindRegister31AreRefused) {
  for (std::uint32_t inputs = 1; inputs <= 4; ++inputs) {
    // class'input_num'opcode'rs1'rs2'rs3'rd
    const std::uint32_t count = (inputs - 1) << 28;
    const Status rs1 = check(MachineCode{0b01'00'00000000'11111'00000'00000'00000U | count});
    EXPECT_EQ(rs1.ok(), inputs < 3) << inputs;
    const Status rs2 = check(MachineCode{0b01'00'00000000'00000'11111'00000'00000U | count});
    EXPECT_EQ(rs2.ok(), inputs < 4) << inputs;
    for (const auto &[status, field] : {std::pair(rs1, "rs1"), std::pair(rs2, "rs2")}) {
      if (status.ok()) continue;
      EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
      EXPECT_STREQ(status.what(), field);
      EXPECT_EQ(status.value(), 31);
      EXPECT_EQ(status.limit(), 30);
    }
    EXPECT_TRUE(check(MachineCode{0b01'00'00000000'11110'11110'11111'11111U | count}).ok()) << inputs;
  }
}

}  // namespace fields_test
}  // namespace cox::isa::pim
