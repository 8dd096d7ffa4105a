// SPDX-License-Identifier: MIT
// Tests the conversion of the text form to bytes: each way to write a value, and the message for each error.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tools/file/error.h"
#include "tools/mx/text.h"

namespace cox::tools::mx {
namespace {

/// Returns the 64-bit blocks of a stream.
std::vector<std::uint64_t> blocks(const std::string &text) {
  const std::vector<std::uint8_t> stream = Text::assemble(text, "test.mx");
  EXPECT_EQ(stream.size() % 8, 0U);
  std::vector<std::uint64_t> all;
  for (std::size_t at = 0; at + 8 <= stream.size(); at += 8) {
    std::uint64_t block = 0;
    for (unsigned byte = 0; byte < 8; ++byte) block |= std::uint64_t{stream[at + byte]} << 8 * byte;
    all.push_back(block);
  }
  return all;
}

std::string message(const std::string &text) {
  try {
    static_cast<void>(Text::assemble(text, "test.mx"));
  } catch (const tools::FileError &error) {
    return error.what();
  }
  return "no error";
}

using Expected = std::vector<std::uint64_t>;

TEST(Assemble, ANetworkOfAFewLines) {
  EXPECT_EQ(blocks("# begins with a comment\n"
                   "CONFBADDR InputBase1=1 InputBase2=2 OutputBase1=3 OutputBase2=4 WeightBase=31\n"
                   "\n"
                   "CONVACT InChannels=3 OutChannels=7 Kernel=3x3 Stride=1 Padding=1 Activation=SiLU Split=true InHeight=639 InWidth=319 "
                   "InOffset=0x123456 WeightOffset=0xABCDEF OutOffset1=0x13579B OutOffset2=0xFEDCBA  # block 1 as in the vectors\n"
                   "SMULI Immediate=-1 Length1=1000 InOffset=0x654320 Length2=3 OutOffset=0x0a0b0c\n"),
            (Expected{0x000000007C831040,  // CONFBADDR: (1<<6) + (2<<11) + (3<<16) + (4<<21) + (31<<26), its five fields
                      0x0004FE7F02F0E0C9, 0x00ABCDEF12345600, 0x00FEDCBA13579B00,  // CONVACT: worked out in tests/isa/mx/vectors_test.cpp
                      0x03654320FA2FE01A, 0x000000000A0B0C00}));
}

TEST(Assemble, FieldsInAnyOrderAndAnyBlanks) {
  // Block 1: opcode 0xA, funct 2<<4, Length1 3<<22, InOffset 36<<32, Length2 3<<56. Block 2: OutOffset 18<<8.
  const Expected expected = {0x0300002400C0002A, 0x0000000000001200};
  EXPECT_EQ(blocks("SIGMOID Length1=3 InOffset=36 Length2=3 OutOffset=18"), expected);
  EXPECT_EQ(blocks("\tSIGMOID   OutOffset=18\tLength2=3 InOffset=0x24 Length1=0x3#no blank before it\r\n\r\n  # nothing else\n"), expected);
}

TEST(Assemble, BooleansAndEnumerationsByName) {
  const std::string start =
      "CONVACT InChannels=0 OutChannels=0 Stride=0 Padding=0 InHeight=0 InWidth=0 InOffset=0 WeightOffset=0 OutOffset1=0 "
      "OutOffset2=0 ";
  EXPECT_EQ(blocks(start + "Kernel=1x1 Activation=None Split=false").front(), 0x9U);
  EXPECT_EQ(blocks(start + "Kernel=3x3 Activation=ReLU Split=true").front(), 0x9U + (1U << 20) + (2U << 23) + (1U << 25));
  const std::string pool = "POOL Channels=0 Padding=0 Kernel=2 Stride=2 InHeight=0 InWidth=0 InOffset=0 OutOffset1=0 ";
  EXPECT_EQ(blocks(pool + "Mode=Maximum").front(), 0xCU + (2U << 26) + (2U << 30));
  EXPECT_EQ(blocks(pool + "Mode=Average").front(), 0xCU + (1U << 23) + (2U << 26) + (2U << 30));
}

std::uint64_t immediate(const std::string &text) {
  return blocks("SMULI Length1=0 InOffset=0 Length2=0 OutOffset=0 Immediate=" + text).front() >> 6 & 0xFFFF;
}

TEST(Assemble, ImmediatesInDecimalAndBits) {
  EXPECT_EQ(immediate("1"), 0x3F80U);
  EXPECT_EQ(immediate("-2.5"), 0xC020U);
  EXPECT_EQ(immediate("1e0"), 0x3F80U);
  EXPECT_EQ(immediate("0.10009765625"), 0x3DCDU);  // exactly this BF16 number
  EXPECT_EQ(immediate("0.1"), 0x3DCDU);            // the shortest decimal number for the same BF16 number
  EXPECT_EQ(immediate("0"), 0x0000U);
  EXPECT_EQ(immediate("-0"), 0x8000U);
  EXPECT_EQ(immediate("0x3DCD"), 0x3DCDU);
  EXPECT_EQ(immediate("0x7F80"), 0x7F80U);
  EXPECT_EQ(immediate("0xffff"), 0xFFFFU);
}

const std::string kSmuli = "SMULI Length1=0 InOffset=0 Length2=0 OutOffset=0 Immediate=";  // the value begins in column 60

TEST(Assemble, ImmediatesThatAreNone) {
  EXPECT_EQ(message(kSmuli + "0.1001"), "test.mx:1:60: SMULI: Immediate: 0.1001 is no BF16, the nearest is 0.1");
  EXPECT_EQ(message(kSmuli + "257"), "test.mx:1:60: SMULI: Immediate: 257 is no BF16, the nearest is 256");
  EXPECT_EQ(message(kSmuli + "1e39"), "test.mx:1:60: SMULI: Immediate: 1e39 is out of range of BF16 (-3.39e+38 to 3.39e+38)");
  EXPECT_EQ(message(kSmuli + "-1e999"), "test.mx:1:60: SMULI: Immediate: -1e999 is out of range of BF16 (-3.39e+38 to 3.39e+38)");
  EXPECT_EQ(message(kSmuli + "1e-999"), "test.mx:1:60: SMULI: Immediate: 1e-999 is no BF16, the nearest is 0");
  EXPECT_EQ(message(kSmuli + "inf"), "test.mx:1:60: SMULI: Immediate: 'inf' is not a number");
  EXPECT_EQ(message(kSmuli + "nan"), "test.mx:1:60: SMULI: Immediate: 'nan' is not a number");
  EXPECT_EQ(message(kSmuli + "1.0f"), "test.mx:1:60: SMULI: Immediate: '1.0f' is not a number");
  EXPECT_EQ(message(kSmuli + "--1"), "test.mx:1:60: SMULI: Immediate: '--1' is not a number");
  EXPECT_EQ(message(kSmuli + "0x10000"), "test.mx:1:60: SMULI: Immediate: 0x10000 is out of range (0 to 65535)");
  EXPECT_EQ(message(kSmuli), "test.mx:1:60: SMULI: Immediate: no value");
}

TEST(Assemble, WhatIsNotAnInstruction) {
  EXPECT_EQ(message("\n\n  CONV InChannels=3"), "test.mx:3:3: 'CONV' is not an instruction");
  EXPECT_EQ(message("convact"), "test.mx:1:1: 'convact' is not an instruction; did you mean \"CONVACT\"?");
  EXPECT_EQ(message(""), "test.mx: no instruction in it");
  EXPECT_EQ(message("# only\n\n# comments"), "test.mx: no instruction in it");
}

TEST(Assemble, FieldsThatAreNone) {
  EXPECT_EQ(message("SIGMOID Length1"), "test.mx:1:9: SIGMOID: 'Length1' is not Field=value");
  EXPECT_EQ(message("SIGMOID Length1 = 3"), "test.mx:1:9: SIGMOID: 'Length1' is not Field=value");
  EXPECT_EQ(message("SIGMOID Immediate=0"), "test.mx:1:9: SIGMOID: Immediate: no such field in this instruction");
  EXPECT_EQ(message("SIGMOID =0"), "test.mx:1:9: SIGMOID: : no such field in this instruction");
  EXPECT_EQ(message("SIGMOID Length1=1 Length2=2 Length1=1"), "test.mx:1:29: SIGMOID: Length1: is given twice");
  EXPECT_EQ(message(" SIGMOID Length1=1 Length2=2 OutOffset=1"), "test.mx:1:2: SIGMOID: InOffset: missing");
}

TEST(Assemble, ValuesThatAreNone) {
  EXPECT_EQ(message("SIGMOID Length1=1024"), "test.mx:1:17: SIGMOID: Length1: 1024 is out of range (0 to 1023)");
  EXPECT_EQ(message("SIGMOID Length1=-1"), "test.mx:1:17: SIGMOID: Length1: -1 is out of range (0 to 1023)");
  EXPECT_EQ(message("SIGMOID InOffset=0x1000000"), "test.mx:1:18: SIGMOID: InOffset: 0x1000000 is out of range (0 to 16777215)");
  EXPECT_EQ(message("SIGMOID InOffset=99999999999999999999"),
            "test.mx:1:18: SIGMOID: InOffset: 99999999999999999999 is out of range (0 to 16777215)");
  EXPECT_EQ(message("POOL Kernel=0"), "test.mx:1:13: POOL: Kernel: 0 is out of range (1 to 15)");
  for (const std::string value : {"1.5", "3x", "x", "0x", "0x-1", "0xG", "1e3", "+1", "true"}) {
    EXPECT_EQ(message("SIGMOID Length1=" + value), "test.mx:1:17: SIGMOID: Length1: '" + value + "' is not a whole number");
  }
  EXPECT_EQ(message("SIGMOID Length1= 3"), "test.mx:1:17: SIGMOID: Length1: no value");
  EXPECT_EQ(message("CONVACT Split=1"), "test.mx:1:15: CONVACT: Split: '1' is neither true nor false");
  EXPECT_EQ(message("CONVACT Activation=relu"),
            "test.mx:1:20: CONVACT: Activation: 'relu' is not one of Activation (None, SiLU, ReLU); did you mean \"ReLU\"?");
  EXPECT_EQ(message("CONVACT Kernel=1"), "test.mx:1:16: CONVACT: Kernel: '1' is not one of Kernel (1x1, 3x3)");
}

TEST(Assemble, AsLongAsAnEngineTakes) {
  const std::string line = "CONFBADDR InputBase1=0 InputBase2=0 OutputBase1=0 OutputBase2=0 WeightBase=0\n";
  EXPECT_EQ(Text::assemble(line + line, "test.mx", 16).size(), 16U);
  try {
    static_cast<void>(Text::assemble(line + line + "\n" + line, "test.mx", 16));
    ADD_FAILURE() << "no error";
  } catch (const tools::FileError &error) {
    EXPECT_STREQ(error.what(), "test.mx:4:1: the stream is longer than an engine takes (16 bytes)");
  }
}

}  // namespace
}  // namespace cox::tools::mx
