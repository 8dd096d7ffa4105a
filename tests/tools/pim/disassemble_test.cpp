// SPDX-License-Identifier: MIT
// Assembling what the disassembler prints gives the same bytes, for random programs; and the text itself.
#include "tools/pim/disassemble.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/tools/pim/text.h"
#include "tools/pim/instruction_text.h"
#include "tools/pim/open_program.h"

namespace cox::tools::pim::disassemble_test {
namespace {

using isa::pim::MachineCode;
using isa::pim::Set;

std::string text_of(const std::vector<std::uint8_t> &bytes) { return disassemble(open_program(bytes, "test.pims")); }
std::vector<std::uint8_t> bytes_of(const std::string &text) { return build_program(assemble_program(text, "test.pim").parts); }

/// An instruction with random fields that check() accepts. Offsets of jumps may lead anywhere.
MachineCode random_instruction(std::mt19937 &random) {
  const auto rows = Set::instructions();
  for (;;) {
    const isa::pim::Instruction &row = rows[random() % rows.size()];
    MachineCode code = Set::begin(row);
    for (const isa::Field &field : row.fields) {
      const auto range = static_cast<std::uint64_t>(field.maximum - field.minimum) + 1;
      // Zeros, small numbers and ends of ranges are more frequent than in a uniform choice.
      std::int64_t value = field.minimum + static_cast<std::int64_t>(random() % range);
      if (random() % 3 == 0) value = static_cast<std::int64_t>(random() % 3);
      if (random() % 8 == 0) value = random() % 2 == 0 ? field.minimum : field.maximum;
      static_cast<void>(Set::set(code, field, value));
    }
    if (isa::pim::check(code)) return code;
  }
}

std::uint32_t random_word(std::mt19937 &random) {
  if (random() % 16 == 0) return static_cast<std::uint32_t>(random());  // mostly no instruction
  MachineCode code = random_instruction(random);
  // Jumps to near instructions get labels.
  const isa::pim::Instruction &row = *Set::find(code);
  if (const isa::Field *field = Set::find_field(row, "offset"); field != nullptr && random() % 4 != 0)
    static_cast<void>(Set::set(code, *field, static_cast<std::int64_t>(random() % 21) - (field->minimum < 0 ? 10 : 0)));
  return code[0];
}

ProgramParts random_program(std::mt19937 &random) {
  ProgramParts parts;
  const unsigned cores = 1 + random() % 8;
  for (unsigned core = 0; core < cores; ++core) {
    switch (random() % 4) {
      case 0: parts.cores.emplace_back(); break;
      case 1:
        if (!parts.codes.empty()) {
          parts.cores.emplace_back(random() % parts.codes.size());
          break;
        }
        [[fallthrough]];
      default: {
        Code code(1 + random() % 40);
        for (std::uint32_t &word : code) word = random_word(random);
        parts.cores.emplace_back(parts.codes.size());
        parts.codes.push_back(std::move(code));
      }
    }
  }
  for (unsigned core = 0; core < cores; ++core) {
    for (const unsigned place : {0, 5, 31, 32, 40, 52}) {
      if (random() % 3 == 0)
        parts.settings.push_back({.core = static_cast<std::uint8_t>(core),
                                  .place = static_cast<std::uint8_t>(place),
                                  .value = static_cast<std::uint32_t>(random())});
    }
  }
  std::shuffle(parts.settings.begin(), parts.settings.end(), random);
  for (unsigned i = random() % 4; i > 0; --i) {
    isa::pim::Copy copy;
    copy.kind = static_cast<isa::pim::CopyKind>(random() % 3);
    copy.core = static_cast<std::uint8_t>(random() % cores);
    copy.local = copy.kind == isa::pim::CopyKind::store_registers ? 0 : static_cast<std::uint32_t>(random());
    copy.dram = static_cast<std::uint32_t>(random());
    copy.bytes = copy.kind == isa::pim::CopyKind::store_registers ? isa::pim::kStoredRegistersBytes : static_cast<std::uint32_t>(random());
    parts.copies.push_back(copy);
  }
  if (random() % 2 == 0) parts.time_limit = 1 + (static_cast<std::uint64_t>(random()) << 20);
  return parts;
}

TEST(DisassemblePim, RandomProgramsAssembleToTheSameBytes) {
  std::mt19937 random(20261123);
  for (unsigned i = 0; i < 3000; ++i) {
    const std::vector<std::uint8_t> bytes = build_program(random_program(random));
    const std::string text = text_of(bytes);
    ASSERT_EQ(bytes_of(text), bytes) << text;
    ASSERT_EQ(text_of(bytes_of(text)), text);
  }
}

TEST(DisassemblePim, EveryInstructionAndEveryField) {
  std::mt19937 random(1);
  for (const isa::pim::Instruction &row : Set::instructions()) {
    for (const isa::Field &field : row.fields) {
      for (const std::int64_t value : {field.minimum, field.maximum, std::int64_t{1}}) {
        MachineCode code = Set::begin(row);
        if (!Set::set(code, field, value) || !isa::pim::check(code)) continue;
        EXPECT_EQ(test::words(instruction_text(code)), Code{code[0]}) << instruction_text(code);
      }
    }
  }
  for (unsigned i = 0; i < 10000; ++i) {
    const MachineCode code = random_instruction(random);
    ASSERT_EQ(test::words(instruction_text(code)), Code{code[0]}) << instruction_text(code);
  }
}

TEST(DisassemblePim, Text) {
  EXPECT_EQ(text_of(bytes_of(".core 0-2, 4\nloop: addi r1, r1, -1\n bgt r1, r2, loop\n beq r0, r0, end\n .word 0x80000008\nend:\n"
                             ".core 3\n.set core4.r5 = 7\n.set core0.group_size = 16\n.load core1, input, dram, 64\n"
                             ".store core1, 0, dram1, 8\n.store_registers core4, dram2\n.time_limit 500\n")),
            ".core 0-2, 4\n"
            "L0:\n"
            "    addi r1, r1, -1                           # 0\n"
            "    bgt r1, r2, L0                            # 1\n"
            "    beq r0, r0, L4                            # 2\n"
            "    .word 0x80000008  # reserved_bits: add: bit 3 must be 0  # 3\n"
            "L4:\n"
            ".core 3\n"
            ".set core4.r5 = 0x7\n"
            ".set core0.group_size = 0x10\n"
            ".load core1, 0x100000, 0x80000000, 64\n"
            ".store core1, 0x0, 0xa0000000, 8\n"
            ".store_registers core4, 0xc0000000\n"
            ".time_limit 500\n");
}

/// Programs that other software wrote may have what the assembler does not write; their text still assembles.
TEST(DisassemblePim, RepeatedSettingsAndALongLimit) {
  ProgramParts parts;
  parts.codes = {{0x90000000}};
  parts.cores = {0};
  parts.settings = {{.core = 0, .place = 5, .value = 1}, {.core = 0, .place = 5, .value = 2}};
  parts.time_limit = ~std::uint64_t{0};
  const std::string text = text_of(build_program(parts));
  EXPECT_EQ(text.find("r5 = 0x1"), std::string::npos) << text;
  EXPECT_NE(text.find(".set core0.r5 = 0x2\n.time_limit 9223372036854775807\n"), std::string::npos) << text;
  EXPECT_FALSE(bytes_of(text).empty());
}

TEST(DisassemblePim, OneInstruction) {
  const auto text = [](const std::string &source) { return instruction_text({test::words(source).at(0)}); };
  EXPECT_EQ(text("pim-compute r1, r2, r3, group_input_mode, value_sparse"), "pim-compute r1, r2, r3, value_sparse, group_input_mode");
  EXPECT_EQ(text("pim-output r4, r0, r0"), "pim-output r4");
  EXPECT_EQ(text("pim-output r4, r0, r1"), "pim-output r4, r0, r1");
  EXPECT_EQ(text("simd-relu r1, r2, r3"), "simd-relu r1, r2, r3");
  EXPECT_EQ(text("simd-relu r1, r2, r3, rs2=r9"), "simd-relu r1, r2, r3, rs2=r9");
  EXPECT_EQ(text("simd-quantify r1, r2, r3, r4, inputs=2"), "simd-quantify r1, r2, r3, r4, inputs=2");
  EXPECT_EQ(text("simd-compute r1, r2, r3, r4, opcode=0, input_num=3"), "simd-compute r1, r2, r3, r4, input_num=3, opcode=0x00");
  EXPECT_EQ(text("send r1, r2, r3, r4, r5, async"), "send r1, r2, r3, r4, r5, async");
  EXPECT_EQ(text("lui r3, 1, rs1=r7"), "lui r3, 1, rs1=r7");
  EXPECT_EQ(text("jmp -3"), "jmp .-3");
  EXPECT_EQ(text("beq r1, r2, 3"), "beq r1, r2, .+3");
  EXPECT_EQ(text("mv group_size, r1"), "general-to-special group_size, r1");
  EXPECT_EQ(instruction_text({0xFC000000}), ".word 0xfc000000  # unknown_instruction: no instruction has these bits");
}

TEST(DisassemblePim, WhatIsNoProgram) {
  const auto message = [](std::vector<std::uint8_t> bytes) {
    try {
      static_cast<void>(text_of(bytes));
    } catch (const FileError &error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  std::vector<std::uint8_t> bytes = bytes_of("nop\n.set r1 = 3\n.store_registers dram\n");
  EXPECT_EQ(message({}), "test.pims: stream_truncated: the program has 0 bytes, and a part of it ends at byte 32");
  std::vector<std::uint8_t> other = bytes;
  other[0] = 'X';
  EXPECT_EQ(message(other), "test.pims: field_out_of_range: the file does not begin like a PIM program");
  other = bytes;
  other.resize(other.size() - 8);
  EXPECT_EQ(message(other), "test.pims: stream_truncated: the program has " + std::to_string(bytes.size() - 8) +
                                " bytes, and a part of it ends at byte " + std::to_string(bytes.size()));
  other = bytes;
  other[4] = 65;
  EXPECT_EQ(message(other), "test.pims: field_out_of_range: cores: 65, the limit is 64");
  other = bytes;
  other[32] = 1;
  EXPECT_EQ(message(other), "test.pims: misaligned_address: core 0: code: offset 1 is not a multiple of 8");
  other = bytes;
  other[48] = 1;  // the setting's core
  EXPECT_EQ(message(other), "test.pims: field_out_of_range: setting 0: 1, the limit is 0");
}

}  // namespace
}  // namespace cox::tools::pim::disassemble_test
