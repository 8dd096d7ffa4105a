// SPDX-License-Identifier: MIT
// Tests the findings of `cox check` on streams of the matrix unit: refusals with their position, hazards, and warnings.
#include "tools/cube/check_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/cube/assemble.h"

namespace cox::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Report check_text(const std::string &text) { return check_cube_stream(cube::assemble(text, "test.cube")); }

/// Returns a stream that loads a matrix to L1, moves it to L0A and multiplies it. Flags order the three steps.
std::string product(const std::string &mte1_wait, const std::string &mad_wait, const std::string &mad_more = "") {
  return "DRAM_TO_L1 Source=0x60000000 Rows=16 SourcePitch=32 RowBytes=32 Format=Fractal DestinationPitch=1 Set=MTE1:0\n"
         "L1_TO_L0A SourcePitch=1 Rows=16 Columns=16 " +
         mte1_wait +
         " Set=M:0\n"
         "MAD M=16 K=16 N=16 CmatrixInitVal=true " +
         mad_wait + " " + mad_more + "\n";
}

TEST(CheckCubeStream, NothingToSay) {
  const Report report = check_text(product("Wait=MTE2:0", "Wait=MTE1:0"));
  EXPECT_THAT(report.errors, IsEmpty());
  EXPECT_THAT(report.warnings, IsEmpty());
}

TEST(CheckCubeStream, AFlagTooFew) {
  // The move does not wait for the load's flag. So its read of L1 is a hazard with the load's write, and the flag is left over.
  const Report report = check_text(product("", "Wait=MTE1:0"));
  ASSERT_THAT(report.errors, SizeIs(2));
  EXPECT_EQ(report.errors[0].kind, "hazard");
  EXPECT_THAT(report.errors[0].instructions, ElementsAre(0, 1));
  EXPECT_THAT(report.errors[0].message, HasSubstr("DRAM_TO_L1"));
  EXPECT_THAT(report.errors[0].message, HasSubstr("L1_TO_L0A"));
  EXPECT_EQ(report.errors[0].message.find("hazard"), std::string::npos);
  EXPECT_EQ(report.errors[1].kind, "flag_left");
  EXPECT_EQ(report.errors[1].instructions.front(), 0);
  EXPECT_THAT(report_text(report, 3, "test.cube"), HasSubstr("error: hazard: "));
  EXPECT_THAT(report_text(report, 3, "test.cube"), HasSubstr("test.cube: 3 instructions: 2 errors, 0 warnings\n"));
}

TEST(CheckCubeStream, AWaitForNothing) {
  const Report report = check_text(product("Wait=MTE2:0", "Wait=MTE1:0,FIX:3"));
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_EQ(report.errors[0].kind, "deadlock");
  EXPECT_EQ(report.errors[0].instructions.back(), 2);
}

TEST(CheckCubeStream, MoreFlagsThanCount) {
  std::string text;
  for (int i = 0; i < 16; ++i) text += "SET_FLAG Pipe=M Target=FIX Event=2\n";
  const Report report = check_text(text);
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_EQ(report.errors[0].kind, "flag_overflow");
  EXPECT_EQ(report.errors[0].instructions.back(), 15);
}

struct Refused {
  std::string text, kind, message;
};

TEST(CheckCubeStream, Refusals) {
  const Refused kCases[] = {
      {"MAD Left=288 M=16 K=16 N=16", "misaligned_address", "instruction 1 (MAD): misaligned_address: Left: 288 is not a multiple of 512"},
      {"MAD Left=0xFE00 M=17 K=16 N=16", "address_outside_buffer",
       "instruction 1 (MAD): address_outside_buffer: Left: the access ends at byte 66048, the buffer at 65536"},
      {"MAD M=16 K=15 N=16 Type=int4", "shape_mismatch", "instruction 1 (MAD): shape_mismatch: K: 15, the limit is 2"},
      {"L0C_TO_L1 Rows=1 Columns=1 SourcePitch=1", "missing_configuration",
       "instruction 1 (L0C_TO_L1): missing_configuration: no OUT_CFG before it"},
  };
  for (const Refused &one : kCases) {
    const Report report = check_text("SET_FLAG Pipe=M Target=FIX\n" + one.text + "\nWAIT_FLAG Pipe=FIX Origin=MTE1\n");
    // The check ignores what follows a refused instruction, including flags that are not waited for.
    ASSERT_THAT(report.errors, SizeIs(1)) << one.text;
    EXPECT_EQ(report.errors[0].kind, one.kind);
    EXPECT_EQ(report.errors[0].message, one.message);
    EXPECT_THAT(report.errors[0].instructions, ElementsAre(1));
    EXPECT_THAT(report_text(report, 3, "test.cube"), testing::StartsWith("error: instruction 1 ("));
  }
}

TEST(CheckCubeStream, RefusedForItsBits) {
  std::vector<std::uint8_t> stream = cube::assemble("MAD\nMAD\n", "test.cube");
  stream[63] = 0x80;
  Report report = check_cube_stream(stream);
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_EQ(report.errors[0].message, "instruction 1 (MAD): reserved_bits: bit 255 must be 0");
  stream[32] = 99;
  report = check_cube_stream(stream);
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_EQ(report.errors[0].message, "instruction 1: unknown_instruction: no instruction has 99 in bits [7:0]");
  stream.resize(40);
  report = check_cube_stream(stream);
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_EQ(report.errors[0].message, "instruction 1: stream_truncated: 8 bytes are left of 32");
}

TEST(CheckCubeStream, NothingAtAll) {
  // A stream without slots is an error, because the unit refuses a descriptor of no bytes.
  const Report report = check_cube_stream({});
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_EQ(report.errors[0].kind, "stream_truncated");
}

TEST(CheckCubeStream, FindingsBeforeARefusalStay) {
  const Report report = check_text(product("", "Wait=MTE1:0") + "MAD Left=1 M=1 K=1 N=1\n");
  ASSERT_THAT(report.errors, SizeIs(2));
  EXPECT_EQ(report.errors[0].kind, "misaligned_address");
  EXPECT_EQ(report.errors[1].kind, "hazard");
}

TEST(CheckCubeStream, Warnings) {
  const Report report = check_text(
      "MAD M=0 K=16 N=16 Left=1 UnitFlag=1\n"
      "MAD M=16 K=16 N=16 CmatrixSource=true BiasAddress=1024\n"
      "MAD M=16 K=16 N=16 CmatrixSource=true BiasAddress=960\n");
  EXPECT_THAT(report.errors, IsEmpty());
  ASSERT_THAT(report.warnings, SizeIs(2));
  EXPECT_EQ(report.warnings[0].kind, "empty_mad");
  EXPECT_THAT(report.warnings[0].instructions, ElementsAre(0));
  EXPECT_EQ(report.warnings[1].kind, "bias_wrapped");
  EXPECT_THAT(report.warnings[1].instructions, ElementsAre(1));
  EXPECT_THAT(report.warnings[1].message, HasSubstr("16 biases from 1024"));
}

TEST(CheckCubeStream, Json) {
  const std::string json = report_json(check_text("MAD M=0"), 1, "test.cube");
  EXPECT_THAT(json, HasSubstr("\"instructions\": 1"));
  EXPECT_THAT(json, HasSubstr("\"kind\": \"empty_mad\""));
  EXPECT_EQ(json.find("mending_bits"), std::string::npos);
}

}  // namespace
}  // namespace cox::tools
