// SPDX-License-Identifier: MIT
// Tests the conversion of the text form to slots: each way to write a value, and the message for each error.
#include "tools/cube/assemble.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tools/file/error.h"

namespace cox::tools::cube {
namespace {

using Slot = std::array<std::uint32_t, 8>;

std::vector<Slot> slots(const std::string &text) {
  const std::vector<std::uint8_t> stream = assemble(text, "test.cube");
  EXPECT_EQ(stream.size() % 32, 0U);
  std::vector<Slot> all(stream.size() / 32);
  for (std::size_t byte = 0; byte < stream.size(); ++byte) {
    all[byte / 32][byte % 32 / 4] |= static_cast<std::uint32_t>(std::uint32_t{stream[byte]} << byte % 4 * 8);
  }
  return all;
}

std::string message(const std::string &text) {
  try {
    static_cast<void>(assemble(text, "test.cube"));
  } catch (const tools::FileError &error) {
    return error.what();
  }
  return "no error";
}

TEST(Assemble, AStreamOfAFewLines) {
  // The bits are those of docs/isa/cube.md. The mask Wait begins at bit 8 of word 0, and the mask Set is word 1. MAD waits for event 0 of
  // MTE1 (bit 8 + 0 of Wait) and for event 1 of FIX (bit 16 + 1 of Wait). It sets event 7 for FIX (bit 16 + 7 of Set).
  EXPECT_EQ(slots("# begins with a comment\n"
                  "DRAM_TO_L1 Source=0x60000000 Rows=128 SourcePitch=256 RowBytes=128 Format=Fractal DestinationPitch=8\n"
                  "\n"
                  "MAD Left=0x8000 Right=512 M=128 K=64 N=17 Type=int8 CmatrixInitVal=true Wait=MTE1:0,FIX:1 Set=FIX:7  # one more\n"
                  "BARRIER Pipes=MTE1,FIX\n"
                  "OUT_CFG Scale=0.5 ZeroPoint=-3 ScaleMode=Tensor Activation=Clip ActivationParameter=6\n"),
            (std::vector<Slot>{
                {4, 0, 0x60000000, 128U << 16, 256, 128 + (1U << 20), 0, 8},
                {10 + (1U << 16) + (1U << 25), 1U << 23, 0, 0, 0x8000, 512, 128 + (64U << 12), 17 + (3U << 12) + (1U << 18)},
                {3, 0, 0b1010, 0, 0, 0, 0, 0},
                {11, 0, 0x3F000000, 0, 1U << 20, 0, (3U << 21) + (0xFDU << 24), 0x40C00000},
            }));
}

TEST(Assemble, FieldsInAnyOrderAndAnyBlanks) {
  const std::vector<Slot> expected = {{9 + (1U << 8), 0, 0x1C0, 64 + (192U << 16), 0, 0, 0, 0}};
  EXPECT_EQ(slots("L1_TO_BT Source=0x1C0 Destination=64 Bytes=192 Wait=MTE2:0"), expected);
  EXPECT_EQ(slots("\tL1_TO_BT  Wait=MTE2:0\tBytes=0xC0 Destination=0x40   Source=448#no blank before it\r\n\r\n  # nothing else\n"),
            expected);
}

TEST(Assemble, WhatIsLeftOutIsZero) {
  EXPECT_EQ(slots("MAD"), (std::vector<Slot>{{10}}));
  EXPECT_EQ(slots("MAD M=0 Type=bfloat16 KDirectionAlign=false FeatOffset=0"), (std::vector<Slot>{{10}}));
  EXPECT_EQ(message(" BARRIER"), "test.cube:1:2: BARRIER: Pipes: missing");
  EXPECT_EQ(message("L1_TO_BT Source=0"), "test.cube:1:1: L1_TO_BT: Bytes: missing");
  EXPECT_EQ(message("DRAM_TO_L1 RowBytes=1"), "test.cube:1:1: DRAM_TO_L1: Rows: missing");
}

/// Each pipe exchanges flags with the three other pipes.
TEST(Assemble, Flags) {
  const auto masks = [](const std::string &text) {
    const Slot slot = slots(text).front();
    return std::pair(slot[0] >> 8, slot[1]);
  };
  EXPECT_EQ(masks("DRAM_TO_L1 Rows=1 RowBytes=1 Wait=MTE1:1,M:2,FIX:3 Set=MTE1:7"),
            std::pair((1U << 1) + (1U << 10) + (1U << 19), 1U << 7));
  EXPECT_EQ(masks("L1_TO_BT Bytes=64 Wait=MTE2:1,M:2,FIX:3 Set=MTE2:7"), std::pair((1U << 1) + (1U << 10) + (1U << 19), 1U << 7));
  EXPECT_EQ(masks("MAD Wait=MTE2:1,MTE1:2,FIX:3 Set=MTE1:7"), std::pair((1U << 1) + (1U << 10) + (1U << 19), 1U << 15));
  EXPECT_EQ(masks("OUT_CFG Wait=MTE2:1,MTE1:2,M:3 Set=M:7"), std::pair((1U << 1) + (1U << 10) + (1U << 19), 1U << 23));
  // Wait and Set are flags of the pipe that the field Pipe names, even if Pipe comes after them in the line.
  EXPECT_EQ(masks("SET_FLAG Wait=FIX:0 Pipe=M Target=MTE1 Event=3 Set=MTE2:0"), std::pair(1U << 16, 1U));
  EXPECT_EQ(masks("WAIT_FLAG Set=M:0 Origin=M Pipe=FIX"), std::pair(0U, 1U << 16));
}

TEST(Assemble, FlagsThatAreNone) {
  EXPECT_EQ(message("MAD Wait="), "test.cube:1:10: MAD: Wait: no value");
  EXPECT_EQ(message("MAD Wait=3"), "test.cube:1:10: MAD: Wait: '3' is not PIPE:event");
  EXPECT_EQ(message("MAD Wait=MTE3:0"), "test.cube:1:10: MAD: Wait: 'MTE3' is not one of Pipe (MTE2, MTE1, M, FIX)");
  EXPECT_EQ(message("MAD Set=FIX:0,M:1"), "test.cube:1:15: MAD: Set: M is the instruction's own pipe");
  for (const std::string event : {"8", "-1", "", "x", "99999999999"}) {
    EXPECT_EQ(message("MAD Set=FIX:" + event), "test.cube:1:13: MAD: Set: event '" + event + "' is not one of 0 to 7");
  }
  EXPECT_EQ(message("MAD Set=FIX:0,MTE1:1,FIX:0"), "test.cube:1:22: MAD: Set: FIX:0 is given twice");
  EXPECT_EQ(message("MAD Set=FIX:0,"), "test.cube:1:15: MAD: Set: ends in a comma");
  EXPECT_EQ(message("MAD Set=,FIX:0"), "test.cube:1:9: MAD: Set: '' is not PIPE:event");
  EXPECT_EQ(message("MAD Set=FIX:0 Set=FIX:1"), "test.cube:1:15: MAD: Set: is given twice");
  EXPECT_EQ(message("BARRIER Pipes=M Wait=FIX:0"), "test.cube:1:17: BARRIER: Wait: no such field in this instruction");
  EXPECT_EQ(message("BARRIER Pipes=M,M"), "test.cube:1:17: BARRIER: Pipes: M is given twice");
  EXPECT_EQ(message("BARRIER Pipes=15"), "test.cube:1:15: BARRIER: Pipes: '15' is not one of Pipe (MTE2, MTE1, M, FIX)");
}

TEST(Assemble, Numbers) {
  const auto scale = [](const std::string &text) { return slots("OUT_CFG Scale=" + text).front()[2]; };
  EXPECT_EQ(scale("1"), 0x3F800000U);
  EXPECT_EQ(scale("-0"), 0x80000000U);
  EXPECT_EQ(scale("0.1"), 0x3DCCCCCDU);
  EXPECT_EQ(scale("1e-45"), 1U);              // the smallest FP32 number
  EXPECT_EQ(scale("16777217"), 0x4B800000U);  // halfway between two FP32 numbers; rounded to even
  EXPECT_EQ(scale("0x7FC00000"), 0x7FC00000U);
  EXPECT_EQ(scale("0xffffffff"), 0xFFFFFFFFU);
  EXPECT_EQ(message("OUT_CFG Scale=1e39"), "test.cube:1:15: OUT_CFG: Scale: 1e39 is out of range of FP32");
  EXPECT_EQ(message("OUT_CFG Scale=1e-99"), "test.cube:1:15: OUT_CFG: Scale: 1e-99 is out of range of FP32");
  EXPECT_EQ(message("OUT_CFG Scale=0x100000000"), "test.cube:1:15: OUT_CFG: Scale: 0x100000000 has more than 32 bits");
  for (const std::string value : {"inf", "nan", "x", "1.0f", "--1", "+1", "-"}) {
    EXPECT_EQ(message("OUT_CFG Scale=" + value), "test.cube:1:15: OUT_CFG: Scale: '" + value + "' is not a number");
  }
  EXPECT_EQ(message("OUT_CFG Scale="), "test.cube:1:15: OUT_CFG: Scale: no value");
}

TEST(Assemble, ValuesThatAreNone) {
  EXPECT_EQ(message("MAD M=4096"), "test.cube:1:7: MAD: M: 4096 is out of range (0 to 4095)");
  EXPECT_EQ(message("MAD M=-1"), "test.cube:1:7: MAD: M: -1 is out of range (0 to 4095)");
  EXPECT_EQ(message("MAD FeatOffset=1 M=1 K=1 N=1"), "test.cube:1:16: MAD: FeatOffset: 1 is out of range (0 to 0)");
  EXPECT_EQ(message("OUT_CFG ZeroPoint=128"), "test.cube:1:19: OUT_CFG: ZeroPoint: 128 is out of range (-128 to 127)");
  EXPECT_EQ(message("DRAM_TO_L1 Rows=0"), "test.cube:1:17: DRAM_TO_L1: Rows: 0 is out of range (1 to 65535)");
  EXPECT_EQ(message("MAD M=1.5"), "test.cube:1:7: MAD: M: '1.5' is not a whole number");
  EXPECT_EQ(message("MAD Type=fp16"), "test.cube:1:10: MAD: Type: 'fp16' is not one of Type (bfloat16, half, float, int8, int4)");
  EXPECT_EQ(message("MAD CmatrixInitVal=1"), "test.cube:1:20: MAD: CmatrixInitVal: '1' is neither true nor false");
}

/// Like the unit, the assembler takes any value that fits into the field.
TEST(Assemble, AnEmptyMadMayHaveAnyValue) {
  EXPECT_EQ(slots("MAD Left=0xFFFFFF FeatOffset=255 M=1 K=0 N=4095 IsWeightOffset=1"),
            (std::vector<Slot>{{10, 0, 0, 0, 0xFFFFFFFF, 0, 1, 4095 + (1U << 16)}}));
  EXPECT_EQ(message("MAD Left=0xFFFFFF FeatOffset=255 M=1 K=1 N=4095"), "test.cube:1:10: MAD: Left: 0xFFFFFF is out of range (0 to 65535)");
  EXPECT_EQ(message("MAD K=0 FeatOffset=256"), "test.cube:1:20: MAD: FeatOffset: 256 is out of range (0 to 0)");
  EXPECT_EQ(message("MAD K=0 M=4096"), "test.cube:1:11: MAD: M: 4096 is out of range (0 to 4095)");
}

TEST(Assemble, WhatIsNoInstructionOrField) {
  EXPECT_EQ(message("\n\n  MADD M=3"), "test.cube:3:3: 'MADD' is not an instruction; did you mean \"MAD\"?");
  EXPECT_EQ(message("mad"), "test.cube:1:1: 'mad' is not an instruction; did you mean \"MAD\"?");
  EXPECT_EQ(message(""), "test.cube: no instruction in it");
  EXPECT_EQ(message("# only\n\n# comments"), "test.cube: no instruction in it");
  EXPECT_EQ(message("MAD M"), "test.cube:1:5: MAD: 'M' is not Field=value");
  EXPECT_EQ(message("MAD Rows=1"), "test.cube:1:5: MAD: Rows: no such field in this instruction");
  EXPECT_EQ(message("MAD M=1 N=1 M=1"), "test.cube:1:13: MAD: M: is given twice");
}

TEST(Assemble, AsLongAsAnEngineTakes) {
  EXPECT_EQ(assemble("MAD\nMAD\n", "test.cube", 64).size(), 64U);
  try {
    static_cast<void>(assemble("MAD\n\nMAD\nMAD\n", "test.cube", 64));
    ADD_FAILURE() << "no error";
  } catch (const tools::FileError &error) {
    EXPECT_STREQ(error.what(), "test.cube:4:1: MAD: the stream is longer than an engine takes (64 bytes)");
  }
}

}  // namespace
}  // namespace cox::tools::cube
