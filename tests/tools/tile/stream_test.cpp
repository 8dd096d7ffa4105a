// SPDX-License-Identifier: MIT
// Reads both text forms of an instruction and prints one of them. Checks the message for each possible error: its position and the reason.
#include "tools/tile/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <ostream>

#include "coxswain/isa/tile/table.h"
#include "tests/tools/tile/small_stream.h"
#include "tools/file/error.h"
#include "tools/tile/assemble.h"
#include "tools/tile/disassemble.h"

namespace cox::task {
namespace {

using tools::FileError;

using isa::tile::get;
using isa::tile::Opcode;
using testing::HasSubstr;

TEST(Stream, BothFormsGiveTheSame) {
  const Instruction printed = assemble_line(
      "[lda_cfg, {'slyr': 0, 'clyr': [1, 0], 's_flyr': 2, 'c_flyr': [3], 'wkl': 4, 'tile': -1}, {'SME': 1, 'RS': 2, 'BAS': 3, 'DF': "
      "<DataFmt.FP16: 3>, 'STile': [3, 224, 225], 'DTile': [4, 5, 6]}]");
  const Instruction json = assemble_line(
      R"(["lda_cfg", {"slyr": 0, "clyr": [1, 0], "s_flyr": 2, "c_flyr": [3], "wkl": 4, "tile": -1}, {"SME": 1, "RS": 2, "BAS": 3, "DF": "FP16", "STile": [3, 224, 225], "DTile": [4, 5, 6]}])");
  EXPECT_TRUE(printed.same_instruction(json));
  EXPECT_EQ(json.mapping, (Mapping{0, {1, 0}, 2, {3}, 4, -1}));
  EXPECT_EQ((get<Opcode::lda_cfg, "STile", 2>(json.code)), 225);
  EXPECT_EQ((get<Opcode::lda_cfg, "DF">(json.code)), 3);
  EXPECT_FALSE(json.times.has_value());
}

TEST(Stream, TimesOfATraceFile) {
  const Instruction instruction =
      assemble_line("[ct_st, {'tile': 3}, {'inst_idx': 7, 'time': [161, 23549]}, {'Prev_Insts': [], 'Next_Insts': ['LW']}]");
  EXPECT_EQ(instruction.times, (Times{7, 161, 23549}));
  EXPECT_EQ(instruction.mapping.tile, 3);
  EXPECT_EQ(isa::tile::next_of(instruction.code), 1U << 2);
}

TEST(Stream, LinesAreCountedAndBlankOnesSkipped) {
  const std::vector<Instruction> instructions =
      read_stream("\n[ct_st, {}, {'Prev_Insts': [], 'Next_Insts': []}]\r\n  \n[ct_ed, {}, {'Prev_Insts': [], 'Next_Insts': []}]", "a.txt");
  ASSERT_EQ(instructions.size(), 2U);
  EXPECT_EQ(instructions[0].line, 2);
  EXPECT_EQ(instructions[1].line, 4);
}

TEST(Stream, IntegersMayBeWrittenAsRealNumbers) {
  EXPECT_EQ((get<Opcode::pe_cfg_dq, "DQC">(assemble_line(R"(["pe_cfg_dq", {}, {"DQC": 2.0, "DQB": 0, "DQK": 1}])").code)), 2);
}

TEST(Stream, RealNumbersComeBackToTheBit) {
  for (const std::uint32_t bits : {0x00000001U, 0x80000000U, 0x3DCCCCCDU, 0x7F7FFFFFU, 0xC3000000U, 0x4B800000U, 0x501502F9U}) {
    Instruction instruction = assemble_line(R"(["pe_cfg_dq", {}, {"DQC": 0, "DQB": 0, "DQK": 0}])");
    isa::insert_bits(instruction.code, 64, 32, bits);
    EXPECT_EQ(assemble_line(disassemble(instruction)).code, instruction.code) << disassemble(instruction);
  }
}

TEST(Stream, WritesTheShortestDecimal) {
  const Instruction instruction = assemble_line(R"(["pe_cfg_dq", {}, {"DQC": 0, "DQB": 0.1, "DQK": 43.62298146446928}])");
  EXPECT_THAT(disassemble(instruction), HasSubstr(R"({"DQC": 0, "DQB": 0.1, "DQK": 43.622982})"));
}

struct Wrong {
  const char *line;
  const char *message;
};

void PrintTo(const Wrong &wrong, std::ostream *out) { *out << wrong.line; }

class Refused : public testing::TestWithParam<Wrong> {};

TEST_P(Refused, SaysWhereAndWhat) {
  try {
    static_cast<void>(read_stream(std::string("\n") + GetParam().line + "\n", "bad.txt"));
    FAIL() << "taken: " << GetParam().line;
  } catch (const FileError &error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

const Wrong kWrong[] = {
    {"[ct_stt, {}, {}]", "bad.txt:2:1: 'ct_stt' is not an instruction; did you mean \"ct_st\"?"},
    {"[si_sync, {}, {'Prev_Insts': [], 'Next_Insts': []}]", "bad.txt:2:1: si_sync: Prev_Cores: missing"},
    {"[ct_st, {'core': 4}, {'Prev_Insts': [], 'Next_Insts': []}]", "bad.txt:2:10: ct_st: core: 4 is out of range (0 to 3)"},
    {"[ct_st, {'core': -1}, {'Prev_Insts': [], 'Next_Insts': []}]", "bad.txt:2:10: ct_st: core: -1 is out of range (0 to 3)"},
    {"[ct_st, {'core': 18446744073709551615}, {'Prev_Insts': [], 'Next_Insts': []}]",
     "bad.txt:2:10: ct_st: core: 18446744073709551615 is out of range (0 to 3)"},
    {"[ct_st, {'core': [1]}, {'Prev_Insts': [], 'Next_Insts': []}]", "bad.txt:2:10: ct_st: core: [1] is not a whole number"},
    {"[lda_cfg, {}, {'SME': 1, 'RS': 2, 'BAS': 3, 'DF': 'INT4', 'STile': [1, 1, 1], 'DTile': [1, 1, 1], 'CVT': 'INT64'}]",
     "bad.txt:2:99: lda_cfg: CVT: 'INT64' is not one of Conversion (SAME, INT4, INT8, INT16, FP16, BF16, INT32, FP32); did you mean "
     "\"INT4\"?"},
    {"[ct_st, {}]", "bad.txt:2:1: an instruction is a list of three: its name, the mapping part, the parameters"},
    {"[1, {}, {}]", "bad.txt:2:1: an instruction begins with its name"},
    {"[ct_st, {}, []]", "bad.txt:2:1: ct_st: the mapping part and the parameters must be in braces"},
    {"[ct_st, {}, {'Prev_Insts': []}]", "bad.txt:2:1: ct_st: Next_Insts: missing"},
    {"[ct_st, {}, {'Prev_Insts': [], 'Next_Insts': [], 'BCS': 0}]", "bad.txt:2:50: ct_st: BCS: no such field in this instruction"},
    {"[ct_st, {}, {'Prev_Insts': [], 'Next_Insts': ['XX']}]",
     "bad.txt:2:32: ct_st: Next_Insts: \"XX\" is not a class (CT, LD, LW, PE, VP, DT, ST, SI, SO)"},
    {"[ct_st, {}, {'Prev_Insts': ['LD', 'LD'], 'Next_Insts': []}]", "bad.txt:2:14: ct_st: Prev_Insts: \"LD\" is given twice"},
    {"[ct_st, {}, {'Prev_Insts': 'LD', 'Next_Insts': []}]", "bad.txt:2:14: ct_st: Prev_Insts: \"LD\" is not a list of classes"},
    {"[ct_st, {}, {'Prev_Insts': [], 'Prev_Insts': []}]", "bad.txt:2:32: Prev_Insts: given twice (first in column 14)"},
    {"[ct_st, {'slyrr': 1}, {'Prev_Insts': [], 'Next_Insts': []}]",
     "bad.txt:2:10: ct_st: slyrr: no such field in the mapping part; did you mean \"slyr\"?"},
    {"[ct_st, {'slyr': -2}, {'Prev_Insts': [], 'Next_Insts': []}]", "bad.txt:2:10: ct_st: slyr: -2 is out of range (-1 to 2147483647)"},
    {"[ct_st, {'clyr': 3}, {'Prev_Insts': [], 'Next_Insts': []}]", "bad.txt:2:10: ct_st: clyr: 3 is not a list"},
    {"[ct_st, {}, {'inst_idx': 1}, {'Prev_Insts': [], 'Next_Insts': []}]",
     "bad.txt:2:14: the part of a trace file must be {'inst_idx': n, 'time': [start, end]}"},
    {"[pe_cfg_dq, {}, {'DQC': 4, 'DQB': 0, 'DQK': 0}]", "bad.txt:2:18: pe_cfg_dq: DQC: 4 is out of range (0 to 3)"},
    {"[pe_cfg_dq, {}, {'DQC': 1.5, 'DQB': 0, 'DQK': 0}]", "bad.txt:2:18: pe_cfg_dq: DQC: 1.5 is not a whole number"},
    {"[pe_cfg_dq, {}, {'DQC': 18446744073709551615, 'DQB': 0, 'DQK': 0}]",
     "bad.txt:2:18: pe_cfg_dq: DQC: 18446744073709551615 is out of range (0 to 3)"},
    {"[pe_cfg_dq, {}, {'DQC': 1e30, 'DQB': 0, 'DQK': 0}]", "bad.txt:2:18: pe_cfg_dq: DQC: 1e+30 is out of range (0 to 3)"},
    {"[pe_cfg_dq, {}, {'DQC': True, 'DQB': 0, 'DQK': 0}]", "bad.txt:2:18: pe_cfg_dq: DQC: true is not a whole number"},
    {"[pe_cfg_dq, {}, {'DQC': 0, 'DQB': 1e39, 'DQK': 0}]",
     "bad.txt:2:28: pe_cfg_dq: DQB: 1e+39 is out of range of FP32 (-3.4028235e38 to 3.4028235e38)"},
    {"[pe_cfg_dq, {}, {'DQC': 0, 'DQB': 1e999, 'DQK': 0}]", "bad.txt:2:1: a number that is too large for any field"},
    {"[pe_cfg_dq, {}, {'DQC': 0, 'DQB': nan, 'DQK': 0}]", "bad.txt:2:35: 'nan' is neither a number nor a string"},
    {"[pe_cfg_dq, {}, {'DQC': 0, 'DQB': 'x', 'DQK': 0}]", "bad.txt:2:28: pe_cfg_dq: DQB: \"x\" is not a number"},
    {"[ct_bc, {}, {'BCS': 0, 'BufCut': [0, 8192, 0, 0, 0, 0, 0, 0], 'Prev_Insts': [], 'Next_Insts': []}]",
     "bad.txt:2:24: ct_bc: BufCut: 8192 is out of range (0 to 8191), element 1"},
    {"[ct_bc, {}, {'BCS': 0, 'BufCut': [0, 1], 'Prev_Insts': [], 'Next_Insts': []}]",
     "bad.txt:2:24: ct_bc: BufCut: needs a list of 8, has [0,1]"},
    {"[dt_cfg, {}, {'DF': <DataFmt.FP16: 1>, 'STile': [1, 1, 1], 'DTile': [1, 1, 1]}]",
     "bad.txt:2:15: dt_cfg: DF: <DataFmt.FP16: 1>: the number of that name is 3"},
    {"[dt_cfg, {}, {'DF': <DataSign.SIGNED: 1>, 'STile': [1, 1, 1], 'DTile': [1, 1, 1]}]",
     "bad.txt:2:15: dt_cfg: DF: <DataSign.SIGNED: 1> is a DataSign, not a DataFmt"},
    {"[dt_cfg, {}, {'DF': <FP16>, 'STile': [1, 1, 1], 'DTile': [1, 1, 1]}]", "bad.txt:2:15: dt_cfg: DF: <FP16> is not <Type.NAME: number>"},
    {"[dt_cfg, {}, {'DF': 'FP17', 'STile': [1, 1, 1], 'DTile': [1, 1, 1]}]",
     "bad.txt:2:15: dt_cfg: DF: 'FP17' is not one of DataFmt (INT4, INT8, INT16, FP16, BF16, INT32, FP32); did you mean \"FP16\"?"},
    {"[dt_cfg, {}, {'DF': 3, 'STile': [1, 1, 1], 'DTile': [1, 1, 1]}]",
     "bad.txt:2:15: dt_cfg: DF: 3 is not one of DataFmt (INT4, INT8, INT16, FP16, BF16, INT32, FP32)"},
    {"[dt_cfg, {}, {'DF': <DataFmt.FP16: 3, 'STile': [1, 1, 1]}]", "bad.txt:2:21: '<' without '>'"},
    {"[ct_st, {}, {'Prev_Insts", "bad.txt:2:14: string without an end"},
    {"[ct_st, {}, {'Prev_Insts': [], 'Next_Insts': []}", "bad.txt:2:49: not an instruction: neither JSON nor the printed form"},
    {"[ct_st, {}, {'Prev_Insts': [] 'Next_Insts': []}]", "bad.txt:2:42: not an instruction: neither JSON nor the printed form"},
    {"[ct_st; {}]", "bad.txt:2:7: unexpected character ';'"},
};

INSTANTIATE_TEST_SUITE_P(Lines, Refused, testing::ValuesIn(kWrong));

TEST(Stream, AnEmptyOneIsRefused) { EXPECT_THROW(static_cast<void>(read_stream(" \n\n", "empty.txt")), FileError); }

TEST(Stream, WhatAStreamCannotSayIsNotPrinted) {
  std::vector<Instruction> instructions = read_stream(test::kSmallStream, "small");
  EXPECT_EQ(read_stream(write_stream(instructions), "again")[3].code, instructions[3].code);
  const auto refuse = [&](unsigned bit) {
    std::vector<Instruction> changed = instructions;
    isa::insert_bits(changed[3].code, bit, 1, 1);
    EXPECT_THROW(static_cast<void>(write_stream(changed)), FileError) << bit;
  };
  refuse(8);    // bit 8 belongs to the context
  refuse(16);   // bit 16 is the completion
  refuse(24);   // bit 24 belongs to the batch index, which this instruction lacks
  refuse(255);  // bit 255 is reserved
  refuse(2);    // with bit 2, the opcode does not exist
}

TEST(Stream, OptionalFieldsMayBeLeftOutAndArePrintedWhereTheySaySomething) {
  const std::string bare = R"(["lda_cfg", {}, {"SME": 1, "RS": 2, "BAS": 3, "DF": "INT4", "STile": [1, 1, 1], "DTile": [1, 1, 1])";
  const Instruction same = assemble_line(bare + "}]");
  EXPECT_EQ(same.code, assemble_line(bare + R"(, "CVT": "SAME"}])").code);
  EXPECT_EQ(disassemble(same).find("CVT"), std::string::npos);
  const Instruction converted = assemble_line(bare + R"(, "CVT": "FP32"}])");
  EXPECT_EQ((get<Opcode::lda_cfg, "CVT">(converted.code)), 7);
  EXPECT_THAT(write_stream(std::vector<Instruction>{converted}), HasSubstr(R"("DTile": [1, 1, 1], "CVT": "FP32"})"));
}

TEST(Stream, OfSeveralElementsOneThatIsNotZeroIsEnough) {
  const Instruction instruction = assemble_line(
      R"(["pe_cfg_tp", {}, {"KERNEL": [1, 1], "Tile": [1, 1, 1, 1, 1], "MTK0": 0, "MTC0": 0, "MTI": [0, 0], "UPSAMPLE": [0, 2]}])");
  EXPECT_THAT(disassemble(instruction), HasSubstr(R"("MTI": [0, 0], "UPSAMPLE": [0, 2]})"));
  EXPECT_TRUE(assemble_line(disassemble(instruction)).same_instruction(instruction));
}

TEST(Stream, TheCoreStandsInTheMappingPart) {
  const char *line = R"(["so_sync", {"wkl": 3, "core": 2}, {"Prev_Cores": 1, "Next_Cores": 8, "Prev_Insts": [], "Next_Insts": ["SI"]}])";
  const Instruction instruction = assemble_line(line);
  EXPECT_EQ(isa::tile::core_of(instruction.code), 2U);
  EXPECT_EQ(instruction.code[0], 0x000400A2U);  // bits [18:17] are the core
  EXPECT_THAT(disassemble(instruction), HasSubstr(R"("tile": -1, "core": 2})"));
  EXPECT_TRUE(assemble_line(disassemble(instruction)).same_instruction(instruction));
  const Instruction first =
      assemble_line(R"(["so_sync", {"core": 0}, {"Prev_Cores": 1, "Next_Cores": 8, "Prev_Insts": [], "Next_Insts": []}])");
  EXPECT_EQ(disassemble(first).find("core"), std::string::npos);
}

}  // namespace
}  // namespace cox::task
