// SPDX-License-Identifier: MIT
// The text form of each instruction against words worked out by hand, directives, and the message for each error.
#include <gtest/gtest.h>

#include <cstring>

#include "coxswain/isa/pim/program.h"
#include "tests/tools/pim/text.h"

namespace cox::tools::pim::assemble_test {
namespace {

using test::message;
using test::words;

std::uint32_t word(const std::string &text) {
  const std::vector<std::uint32_t> all = words(text);
  EXPECT_EQ(all.size(), 1U) << text;
  return all.at(0);
}

// The expected words are sums of the specification's bits.

TEST(AssemblePim, Positional) {
  EXPECT_EQ(word("pim-compute r1, r2, r3"), 1U << 15 | 2U << 10 | 3U << 5);
  EXPECT_EQ(word("pim-compute r1, r2, r3, value_sparse, bit_sparse, group, group_input_mode"), 0xFU << 20 | 1U << 15 | 2U << 10 | 3U << 5);
  EXPECT_EQ(word("pim-compute r31, r30, r29, group"), 1U << 21 | 31U << 15 | 30U << 10 | 29U << 5);
  EXPECT_EQ(word("pim-batch r1, r2, r3, r4, mask_mode"), 1U << 28 | 1U << 22 | 1U << 15 | 2U << 10 | 3U << 5 | 4U);
  EXPECT_EQ(word("pim-batch r1, r2, r3, r4, meta_mode, input_mode"), 1U << 28 | 3U << 20 | 1U << 15 | 2U << 10 | 3U << 5 | 4U);
  EXPECT_EQ(word("pim-output r9"), 2U << 28 | 9U);
  EXPECT_EQ(word("pim-output r9, r1, r2, outsum_move, outsum"), 2U << 28 | 3U << 20 | 1U << 15 | 2U << 10 | 9U);
  EXPECT_EQ(word("pim-transfer r9, r1, r2, r3"), 3U << 28 | 1U << 15 | 2U << 10 | 3U << 5 | 9U);
  EXPECT_EQ(word("add r3, r1, r2"), 8U << 28 | 1U << 21 | 2U << 16 | 3U << 11);
  EXPECT_EQ(word("sub r3, r1, r2"), 8U << 28 | 1U << 21 | 2U << 16 | 3U << 11 | 1U);
  EXPECT_EQ(word("mod r3, r1, r2"), 8U << 28 | 1U << 21 | 2U << 16 | 3U << 11 | 7U);
  EXPECT_EQ(word("addi r3, r1, -2"), 9U << 28 | 1U << 21 | 3U << 16 | 0xFFFEU);
  EXPECT_EQ(word("muli r3, r1, 0x7fff"), 9U << 28 | 1U << 26 | 1U << 21 | 3U << 16 | 0x7FFFU);
  EXPECT_EQ(word("lui r3, -1"), 9U << 28 | 2U << 26 | 3U << 16 | 0xFFFFU);
  EXPECT_EQ(word("lui r3, 1, rs1=r7"), 9U << 28 | 2U << 26 | 7U << 21 | 3U << 16 | 1U);
  EXPECT_EQ(word("load-local r2, r1"), 10U << 28 | 1U << 21 | 2U << 16);
  EXPECT_EQ(word("store-local r2, r1, 8"), 10U << 28 | 1U << 26 | 1U << 21 | 2U << 16 | 8U);
  EXPECT_EQ(word("load-global r2, r1, -8"), 10U << 28 | 2U << 26 | 1U << 21 | 2U << 16 | 0xFFF8U);
  EXPECT_EQ(word("store-global r2, r1, 4"), 10U << 28 | 3U << 26 | 1U << 21 | 2U << 16 | 4U);
  EXPECT_EQ(word("general-li r5, 2097151"), 11U << 28 | 5U << 21 | 0x1FFFFFU);
  EXPECT_EQ(word("special-li group_size, 16"), 11U << 28 | 1U << 26 | 3U << 21 | 16U);
  EXPECT_EQ(word("special-li s20, 8"), 11U << 28 | 1U << 26 | 20U << 21 | 8U);
  EXPECT_EQ(word("general-to-special value_sparse_mask, r4"), 11U << 28 | 2U << 26 | 4U << 21 | 7U << 16);
  EXPECT_EQ(word("special-to-general r4, value_sparse_mask"), 11U << 28 | 3U << 26 | 4U << 21 | 7U << 16);
  EXPECT_EQ(word("trans r3, r1, r2"), 12U << 28 | 1U << 21 | 2U << 16 | 3U << 11);
  EXPECT_EQ(word("trans r3, r1, r2, 2047, source_offset, destination_offset"),
            12U << 28 | 3U << 26 | 1U << 21 | 2U << 16 | 3U << 11 | 2047U);
  EXPECT_EQ(word("send r1, r2, r3, r4, r5"), 0x1AU << 27 | 1U << 21 | 2U << 16 | 3U << 11 | 4U << 6 | 5U);
  EXPECT_EQ(word("send r1, r2, r3, r4, r5, async"), 0x1AU << 27 | 1U << 26 | 1U << 21 | 2U << 16 | 3U << 11 | 4U << 6 | 5U);
  EXPECT_EQ(word("receive r1, r2, r3, r4, r5, sync=1"), 0x1BU << 27 | 1U << 26 | 1U << 21 | 2U << 16 | 3U << 11 | 4U << 6 | 5U);
  EXPECT_EQ(word("wait r1, r2"), 7U << 29 | 5U << 26 | 1U << 21 | 2U << 16);
  EXPECT_EQ(word("barrier r1, r2"), 7U << 29 | 6U << 26 | 1U << 21 | 2U << 16);
  EXPECT_EQ(word("simd-compute r4, r1, r2, r3, opcode=0x82, input_num=1"), 0x5U << 28 | 0x82U << 20 | 1U << 15 | 2U << 10 | 3U << 5 | 4U);
}

TEST(AssemblePim, NamedFieldsInAnyOrder) {
  EXPECT_EQ(word("add rd=3 rs2=2 rs1=1"), word("add r3, r1, r2"));
  EXPECT_EQ(word("add rs1=r1, r3, rs2=2"), word("add r3, r1, r2"));
  EXPECT_EQ(word("pim-compute value_sparse=true bit_sparse=false group=1 group_input_mode=0 rs1=1 rs2=2 rs3=3"),
            word("pim-compute r1, r2, r3, value_sparse, group"));
  EXPECT_EQ(word("general-li rd=5 imm=(1 << 4) + 1"), word("general-li r5, 17"));
  EXPECT_EQ(word("simd-compute input_num=2 opcode=3 rs1=1 rs2=2 rs3=3 rd=4"), word("simd-quantify r4, r1, r2, r3, inputs=3"));
  EXPECT_EQ(word("special-li rd=3 imm=16"), word("special-li group_size, 16"));
}

TEST(AssemblePim, Simd) {
  const std::uint32_t registers = 1U << 15 | 2U << 10 | 3U << 5 | 4U;
  EXPECT_EQ(word("simd-add r4, r1, r2, r3"), 5U << 28 | registers);
  EXPECT_EQ(word("simd-add-scalar r4, r1, r2, r3"), 5U << 28 | 1U << 20 | registers);
  EXPECT_EQ(word("simd-multiply r4, r1, r2, r3"), 5U << 28 | 2U << 20 | registers);
  EXPECT_EQ(word("simd-quantify r4, r1, r2, r3, inputs=2"), 5U << 28 | 3U << 20 | registers);
  EXPECT_EQ(word("simd-quantify r4, r1, r2, r3, inputs=4"), 7U << 28 | 3U << 20 | registers);
  EXPECT_EQ(word("simd-quantify-resadd r4, r1, r2, r3"), 6U << 28 | 4U << 20 | registers);
  EXPECT_EQ(word("simd-quantify-multiply r4, r1, r2, r3"), 6U << 28 | 5U << 20 | registers);
  EXPECT_EQ(word("simd-maximum r4, r1, r2, r3"), 5U << 28 | 0x80U << 20 | registers);
  EXPECT_EQ(word("simd-relu r4, r1, r3"), 4U << 28 | 0x81U << 20 | (registers & ~(31U << 10)));
  EXPECT_EQ(word("simd-average r4, r1, r2, r3"), 5U << 28 | 0x82U << 20 | registers);
}

TEST(AssemblePim, JumpsCountFromTheInstruction) {
  EXPECT_EQ(words("loop: nop\nbeq r1, r2, loop\n").at(1), 7U << 29 | 1U << 21 | 2U << 16 | 0xFFFFU);
  EXPECT_EQ(words("bne r1, r2, end\nnop\nend:\n").at(0), 7U << 29 | 1U << 26 | 1U << 21 | 2U << 16 | 2U);
  EXPECT_EQ(words("bgt r1, r2, . + 1\n").at(0), 7U << 29 | 2U << 26 | 1U << 21 | 2U << 16 | 1U);
  EXPECT_EQ(words("blt r1, r2, 5\n").at(0), 7U << 29 | 3U << 26 | 1U << 21 | 2U << 16 | 5U);
  EXPECT_EQ(words("nop\njmp .-1\n").at(1), 7U << 29 | 4U << 26 | 0x3FFFFFFU);
  EXPECT_EQ(words("jmp offset=end\nend:\n").at(0), 7U << 29 | 4U << 26 | 1U);
}

TEST(AssemblePim, LoadImmediate) {
  EXPECT_EQ(words("li r5, 0x1fffff"), words("general-li r5, 0x1fffff"));
  EXPECT_EQ(words("li r5, 0x12345678"), words("lui r5, 0x1234\naddi r5, r5, 0x5678"));
  EXPECT_EQ(words("li r5, 0x1234ffff"), words("lui r5, 0x1235\naddi r5, r5, -1"));
  EXPECT_EQ(words("li r5, 0x80000000"), words("lui r5, -0x8000"));
  EXPECT_EQ(words("li r5, 0x7fffffff"), words("lui r5, -0x8000\naddi r5, r5, -1"));
  EXPECT_EQ(words("li r5, -1"), words("lui r5, 0\naddi r5, r5, -1"));
  EXPECT_EQ(words("li group_size, 16"), words("special-li group_size, 16"));
  // A value from behind the line takes two instructions, so that labels do not depend on it.
  EXPECT_EQ(words("li r5, end\nend:\n"), words("general-li r5, 2\naddi r5, r5, 0"));
  EXPECT_EQ(words("li r5, start - end\nstart: nop\nend:\n"), words("lui r5, 0\naddi r5, r5, -1\nnop"));
  EXPECT_EQ(words("start: nop\nli r5, start"), words("nop\ngeneral-li r5, 0"));
}

TEST(AssemblePim, Moves) {
  EXPECT_EQ(words("mv r1, r2"), words("addi r1, r2, 0"));
  EXPECT_EQ(words("mv group_size, r2"), words("general-to-special group_size, r2"));
  EXPECT_EQ(words("mv r2, group_size"), words("special-to-general r2, group_size"));
  EXPECT_EQ(words("nop"), words("addi r0, r0, 0"));
  EXPECT_EQ(words(".equ base = r7\nadd base, base, r1"), words("add r7, r7, r1"));
}

TEST(AssemblePim, CommentsLabelsAndBlanks) { EXPECT_EQ(words("# a comment\n\n  a: b:\tnop ; another\r\nc:\n"), words("nop")); }

TEST(AssemblePim, SeveralCores) {
  const Assembled program = assemble_program(
      ".core 0\nnop\n.core 1-3, 6\nadd r1, r1, r1\nend:\n.core 0\nend: jmp end\n.equ LAST = 4\n.core LAST..5\n", "test.pim");
  ASSERT_EQ(program.parts.cores.size(), 7U);
  ASSERT_EQ(program.parts.codes.size(), 2U);
  EXPECT_EQ(program.parts.cores[0], std::optional<std::size_t>(0));
  for (const unsigned core : {1U, 2U, 3U, 6U}) EXPECT_EQ(program.parts.cores[core], std::optional<std::size_t>(1)) << core;
  for (const unsigned core : {4U, 5U}) EXPECT_EQ(program.parts.cores[core], std::nullopt) << core;
  EXPECT_EQ(program.parts.codes[0], words("nop\njmp 0"));
  EXPECT_EQ(program.parts.codes[1], words("add r1, r1, r1"));
}

TEST(AssemblePim, SettingsAndCopies) {
  const ProgramParts parts = assemble_program(
                                 ".core 0-2\nnop\n.set r5 = CORE * 256 + CORES\n.set core1.group_size = 16\n"
                                 ".load input + 64, dram0 + CORE, 100\n.store core2, array, dram3, 8\n.store_registers core0, dram1\n"
                                 ".time_limit 1 << 40\n",
                                 "test.pim")
                                 .parts;
  ASSERT_EQ(parts.settings.size(), 4U);
  for (unsigned core = 0; core < 3; ++core) {
    EXPECT_EQ(parts.settings[core].core, core);
    EXPECT_EQ(parts.settings[core].place, 5);
    EXPECT_EQ(parts.settings[core].value, core * 256 + 3);
  }
  EXPECT_EQ(parts.settings[3].core, 1);
  EXPECT_EQ(parts.settings[3].place, 35);
  EXPECT_EQ(parts.settings[3].value, 16U);
  ASSERT_EQ(parts.copies.size(), 5U);
  for (unsigned core = 0; core < 3; ++core) {
    EXPECT_EQ(parts.copies[core].kind, isa::pim::CopyKind::load);
    EXPECT_EQ(parts.copies[core].core, core);
    EXPECT_EQ(parts.copies[core].local, 0x100040U);
    EXPECT_EQ(parts.copies[core].dram, 0x80000000U + core);
    EXPECT_EQ(parts.copies[core].bytes, 100U);
  }
  EXPECT_EQ(parts.copies[3].kind, isa::pim::CopyKind::store);
  EXPECT_EQ(parts.copies[3].core, 2);
  EXPECT_EQ(parts.copies[3].local, 0U);
  EXPECT_EQ(parts.copies[3].dram, 0xE0000000U);
  EXPECT_EQ(parts.copies[4].kind, isa::pim::CopyKind::store_registers);
  EXPECT_EQ(parts.copies[4].dram, 0xA0000000U);
  EXPECT_EQ(parts.copies[4].bytes, isa::pim::kStoredRegistersBytes);
  EXPECT_EQ(parts.time_limit, std::uint64_t{1} << 40);
}

TEST(AssemblePim, NamesOfAnotherConfiguration) {
  isa::pim::Configuration configuration = isa::pim::default_configuration();
  configuration.memories[0].set_name("scratch");
  configuration.memories[0].first = 0x180000;
  EXPECT_EQ(assemble_program(".word scratch", "test.pim", configuration).parts.codes.at(0).at(0), 0x180000U);
}

TEST(AssemblePim, TheContainerOpens) {
  const std::vector<std::uint8_t> bytes = build_program(assemble_program(".core 0-1\nnop\n.set r1 = 7\n.core 2\nnop\nnop\n", "x").parts);
  EXPECT_EQ(bytes.size() % 8, 0U);
  const auto program = isa::pim::Program::open(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(program);
  EXPECT_EQ(program.value().cores(), 3U);
  EXPECT_EQ(program.value().entry(0).offset, program.value().entry(1).offset);
  EXPECT_EQ(program.value().entry(2).instructions, 2U);
  EXPECT_EQ(program.value().header().settings, 2U);
}

TEST(AssemblePim, WhatIsNotAnInstruction) {
  EXPECT_EQ(message(""), "test.pim: no instruction in it");
  EXPECT_EQ(message("# only\n.equ A = 3\n"), "test.pim: no instruction in it");
  EXPECT_EQ(message("\n  addii r1, r2, 3"), "test.pim:2:3: 'addii' is not an instruction; did you mean \"addi\"?");
  EXPECT_EQ(message("pim_compute r1, r2, r3"), "test.pim:1:1: 'pim_compute' is not an instruction; did you mean \"pim-compute\"?");
  EXPECT_EQ(message(".cor 3"), "test.pim:1:1: '.cor' is not a directive; did you mean \".core\"?");
  EXPECT_EQ(message("a: 3"), "test.pim:1:4: '3' is not expected here; an instruction is missing");
  EXPECT_EQ(message("nop 3"), "test.pim:1:5: nop: '3' is not expected here");
  EXPECT_EQ(message(".load \"abc"), "test.pim:1:7: the text has no end; a second \" is missing");
}

TEST(AssemblePim, WrongOperands) {
  EXPECT_EQ(message("add r1, r2"), "test.pim:1:1: add: rs2: missing");
  EXPECT_EQ(message("add r1, r2, r3, r4"), "test.pim:1:17: add: 'r4': too many operands; they are rd, rs1, rs2");
  EXPECT_EQ(message("add r1, r2, r32"), "test.pim:1:13: add: there is no 'r32'");
  EXPECT_EQ(message("add r1, r2, 3"), "test.pim:1:13: add: rs2: wants a general register (r0 to r31), not a number");
  EXPECT_EQ(message("add r1, r2, group_size"), "test.pim:1:13: add: rs2: wants a general register (r0 to r31), not a special register");
  EXPECT_EQ(message("add r1, , r2"), "test.pim:1:9: add: rs1: no value");
  EXPECT_EQ(message("add r1, r2,"), "test.pim:1:12: add: rs2: no value");
  EXPECT_EQ(message("add rd=1 rs1=2 rs2=32"), "test.pim:1:20: add: rs2: 32 is out of range (0 to 31)");
  EXPECT_EQ(message("add rd=1 rs1=2 rs2=3 rd=4"), "test.pim:1:25: add: rd: is given twice");
  EXPECT_EQ(message("add rd=1 rs1=2 rs3=3"), "test.pim:1:16: add: rs3: no such field in this instruction; did you mean \"rs1\"?");
  EXPECT_EQ(message("addi r1, r2, 32768"),
            "test.pim:1:14: addi: imm: 32768 is out of range (-32768 to 32767); li takes any 32-bit constant");
  EXPECT_EQ(message("general-li r1, -1"),
            "test.pim:1:16: general-li: imm: -1 is out of range (0 to 2097151); li takes any 32-bit constant");
  EXPECT_EQ(message("addi r1, r2, r3"), "test.pim:1:14: addi: imm: wants a number, not a general register");
  EXPECT_EQ(message("addi r1 r2 -4"), "test.pim:1:12: addi: a register has no value here; a comma may be missing");
  EXPECT_EQ(message("special-li r3, 1"), "test.pim:1:12: special-li: rd: wants a special register, not a general register");
  EXPECT_EQ(message("special-li s9, 1"), "test.pim:1:12: special-li: rd: there is no special register 9");
  EXPECT_EQ(message("special-li group_sise, 1"), "test.pim:1:12: special-li: there is no 'group_sise'; did you mean \"group_size\"?");
  EXPECT_EQ(message("pim-compute r1, r2, r3, valu_sparse"),
            "test.pim:1:25: pim-compute: 'valu_sparse': too many operands; they are rs1, rs2, rs3; did you mean \"value_sparse\"?");
  EXPECT_EQ(message("send r1, r2, r3, r4, r5, asinc"),
            "test.pim:1:26: send: 'asinc': too many operands; they are rs, rd1, rd2, reg_id, reg_len; did you mean \"async\"?");
  EXPECT_EQ(message("pim-compute r1, r2, r3, group=2"), "test.pim:1:31: pim-compute: group: 2 is out of range (0 to 1)");
  EXPECT_EQ(message("trans r1, r2, r3, 2048"), "test.pim:1:19: trans: offset: 2048 is out of range (0 to 2047)");
  EXPECT_EQ(message("simd-compute r1, r2, r3, r4, input_num=1"), "test.pim:1:1: simd-compute: opcode: missing");
  EXPECT_EQ(message("simd-compute r1, r2, r3, r4, opcode=1"), "test.pim:1:1: simd-compute: input_num: missing");
  EXPECT_EQ(message("simd-quantify r1, r2, r3, r4"), "test.pim:1:1: simd-quantify: inputs: missing");
  EXPECT_EQ(message("simd-quantify r1, r2, r3, r4, inputs=5"), "test.pim:1:38: simd-quantify: inputs: 5 is out of range (1 to 4)");
  EXPECT_EQ(message("simd-add r1, r2, r3, r4, inputs=2"), "test.pim:1:33: simd-add: input_num: is given twice");
  EXPECT_EQ(message("simd-quantify r1, r31, r3, r4, inputs=3"),
            "test.pim:1:1: simd-quantify: rs1: register 31 has no register behind it for the next input");
  EXPECT_EQ(message("beq r1, r2, 32768"),
            "test.pim:1:13: beq: offset: the target is 32768 instructions away, out of range (-32768 to 32767)");
}

TEST(AssemblePim, WrongPseudoInstructions) {
  EXPECT_EQ(message("li 3, 4"), "test.pim:1:4: li: rd: wants a register");
  EXPECT_EQ(message("li r3 4"), "test.pim:1:7: li: a comma is missing");
  EXPECT_EQ(message("li r3, 0x100000000"), "test.pim:1:8: li: 4294967296 does not fit into 32 bits");
  EXPECT_EQ(message("li s9, 4"), "test.pim:1:4: li: there is no special register 9");
  EXPECT_EQ(
      message("li group_size, 0x200000"),
      "test.pim:1:16: li: 2097152 is out of range (0 to 2097151) for a special register; load a general register and copy it with mv");
  EXPECT_EQ(message("li r3, 4 5"), "test.pim:1:10: li: '5' is not expected here");
  EXPECT_EQ(message("mv r3, 4"), "test.pim:1:8: mv: mv copies registers; li loads constants");
  EXPECT_EQ(message("mv r3 r4"), "test.pim:1:7: mv: a comma is missing");
  EXPECT_EQ(message("mv r3, s21"), "test.pim:1:8: mv: there is no special register 21");
  EXPECT_EQ(message("mv s3, s4"),
            "test.pim:1:4: mv: a special register cannot be copied to another at once; use a general register between them");
}

TEST(AssemblePim, WrongNames) {
  EXPECT_EQ(message("a:\na: nop"), "test.pim:2:1: 'a' is defined already, in line 1");
  EXPECT_EQ(message(".equ a = 1\n.equ a = 2\nnop"), "test.pim:2:6: 'a' is defined already, in line 1");
  for (const std::string name : {"r5", "group_size", "s3", "CORE", "CORES", "async", "true"})
    EXPECT_EQ(message(name + ": nop"), "test.pim:1:1: '" + name + "' is a word of the assembler, and cannot be defined");
  EXPECT_EQ(message(".equ 3 = 4"), "test.pim:1:6: .equ: a name is missing");
  EXPECT_EQ(message(".equ a 4"), "test.pim:1:8: .equ: a = is missing");
  EXPECT_EQ(message(".equ a = 4 4"), "test.pim:1:12: '4' is not expected here");
  EXPECT_EQ(message(".equ a = b\n.equ b = 4"), "test.pim:1:10: there is no 'b'");
  EXPECT_EQ(message(".core 0\na: nop\n.core 1\njmp a"), "test.pim:4:5: jmp: there is no 'a'");  // labels belong to their code
}

TEST(AssemblePim, WrongCores) {
  EXPECT_EQ(message(".core 64"), "test.pim:1:7: .core: 64 is out of range (0 to 63)");
  EXPECT_EQ(message(".core -1"), "test.pim:1:7: .core: the number of a core is missing");
  EXPECT_EQ(message(".core x"), "test.pim:1:7: .core: 'x' is not a number");
  EXPECT_EQ(message(".core 3-1"), "test.pim:1:7: .core: 3 to 1 is no range");
  EXPECT_EQ(message(".core 0 1"), "test.pim:1:9: '1' is not expected here");
  EXPECT_EQ(message(".core 0-2\nnop\n.core 2"), "test.pim:3:1: .core: core 2 has code already, from line 1");
  EXPECT_EQ(message("nop\n.core 0-1"), "test.pim:2:1: .core: core 0 has code already, from line 1");
}

TEST(AssemblePim, WrongDirectives) {
  EXPECT_EQ(message("nop\n.set x = 3"), "test.pim:2:6: .set: 'x' is not a register");
  EXPECT_EQ(message("nop\n.set 3 = 3"), "test.pim:2:6: .set: a register is missing");
  EXPECT_EQ(message("nop\n.set s9 = 3"), "test.pim:2:6: .set: there is no special register 9");
  EXPECT_EQ(message("nop\n.set r1 3"), "test.pim:2:9: .set: a = is missing");
  EXPECT_EQ(message("nop\n.set core1.r1 = 3"), "test.pim:2:6: .set: there is no core 1; the program has 1");
  EXPECT_EQ(message("nop\n.set r1 = 3\n.set core0.r1 = 4"), "test.pim:3:6: .set: core 0: r1 is set twice");
  EXPECT_EQ(message("nop\n.set r1 = 0x100000000"), "test.pim:2:11: .set: 4294967296 does not fit into 32 bits");
  EXPECT_EQ(message("nop\n.load 0, 0"), "test.pim:2:11: .load: a comma is missing");
  EXPECT_EQ(message("nop\n.load core0 0, 0, 0"), "test.pim:2:13: .load: a comma is missing");
  EXPECT_EQ(message("nop\n.store 0, 0, 0, 0"), "test.pim:2:15: .store: ',' is not expected here");
  EXPECT_EQ(message("nop\n.store_registers core7, 0"), "test.pim:2:18: .store_registers: there is no core 7; the program has 1");
  EXPECT_EQ(message("nop\n.time_limit 0"), "test.pim:2:13: .time_limit: 0 is no number of cycles");
}

TEST(AssemblePim, AsLongAsACoreTakes) {
  std::string text;
  for (unsigned i = 0; i < isa::pim::kMostInstructions; ++i) text += "nop\n";
  EXPECT_EQ(message(text), "no error");
  EXPECT_EQ(message(text + "nop\n"), "test.pim:262145:1: the code is longer than a core takes (262144 instructions)");
}

}  // namespace
}  // namespace cox::tools::pim::assemble_test
