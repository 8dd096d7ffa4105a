// SPDX-License-Identifier: MIT
// What `cox check` finds in programs, and what it does not report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/unity/assemble.h"
#include "tools/unity/check_program.h"

namespace cox::tools::unity::check_test {
namespace {

using testing::HasSubstr;

constexpr const char *kTensors = R"(
.tensor a window=0 offset=0 bytes=4096
.tensor b window=1 offset=0 bytes=4096
.tensor c window=2 offset=0 bytes=4096
.tensor d window=2 offset=0x1000 bytes=4096
)";
/// `ADD` of u8 vectors.
std::string add(const std::string &d, const std::string &s, const std::string &rest = "", const std::string &length = "1024") {
  return "    ADD D=" + d + " S0=" + s + " S1=" + s + " LEN=" + length + " S0_UNIT=u8 S1_UNIT=u8 D_UNIT=u8 " + rest + "\n";
}
Report check(const std::string &text) {
  const Assembled assembled = assemble(kTensors + text, "program");
  return check_program({.container = assembled.container, .bindings = assembled.bindings});
}
void expect_clean(const std::string &text) {
  const Report report = check(text);
  for (const auto *findings : {&report.errors, &report.warnings}) {
    for (const Finding &finding : *findings) ADD_FAILURE() << text << finding.kind << ": " << finding.message;
  }
}
std::string only_error(const std::string &text) {
  const Report report = check(text);
  EXPECT_EQ(report.errors.size(), 1U) << text;
  return report.errors.empty() ? "" : report.errors[0].kind + ": " + report.errors[0].message;
}

TEST(CheckUnity, OrderInAUnit) {
  EXPECT_EQ(
      only_error(".unit 0\n" + add("b", "a") + add("c", "b")),
      "hazard: unit 0, program 0, instruction 0 (ADD) writes bytes 0x2000000 to 0x20003ff (D), which unit 0, program 0, instruction 1 "
      "(ADD) reads (S0); nothing orders the two");
  expect_clean(".unit 0\n" + add("b", "a", "blk") + add("c", "b"));
  // BLK of an instruction orders what is behind it, but not what was in flight before it.
  EXPECT_THAT(only_error(".unit 0\n" + add("b", "a") + add("d", "a", "blk") + add("c", "b")), HasSubstr("instruction 0 (ADD) writes"));
  expect_clean(".unit 0\n" + add("b", "a") + ".unit 0\n" + add("c", "b"));  // the end of a program
  expect_clean(".unit 0\n" + add("b", "a", "deposit=0:1") + add("c", "b", "fetch=0:1"));
  expect_clean(".unit 0\n" + add("b", "a") + add("c", "a"));       // two reads
  expect_clean(".unit 0\n" + add("b", "a") + add("b+1024", "a"));  // neighbours
  EXPECT_THAT(only_error(".unit 0\n" + add("b", "a") + add("b+1023", "a")), HasSubstr("writes bytes 0x20003ff to 0x20003ff (D)"));
}

TEST(CheckUnity, OrderByKeys) {
  EXPECT_THAT(only_error(".unit 0\n" + add("b", "a") + ".unit 1\n" + add("c", "b")), HasSubstr("nothing orders the two"));
  expect_clean(".unit 0\n" + add("b", "a", "deposit=0:1") + ".unit 1\n" + add("c", "b", "fetch=0:1"));
  // A key that was there before may let the second one go on too early.
  EXPECT_THAT(only_error(".key 0:1 = 1\n.unit 0\n" + add("b", "a", "deposit=0:1") + ".unit 1\n" + add("c", "b", "fetch=0:1")),
              HasSubstr("nothing orders the two"));
  // Two producers, one entry: only both keys prove that the first has ended.
  const std::string producers = ".unit 0\n" + add("b", "a", "deposit=0:1") + ".unit 1\n" + add("b+1024", "a", "deposit=0:1") + ".unit 2\n";
  expect_clean(producers + add("c", "b", "fetch=2*0:1", "2048"));
  EXPECT_EQ(check(producers + add("c", "b", "fetch=0:1", "2048")).errors.size(), 2U);
  // The first taker has either key, the second one has proof of both.
  expect_clean(producers + add("c", "a", "fetch=0:1") + add("d", "b", "fetch=0:1", "2048"));
  // Through a third unit, and back.
  expect_clean(".unit 0\n" + add("b", "a", "deposit=0:1") + add("a", "d", "fetch=0:3") + ".unit 1\n" +
               add("c", "a", "fetch=0:1 deposit=0:2") + ".unit 2\n" + add("c", "b", "fetch=0:2 deposit=0:3"));
  // A ring of two buffers with keys for free ones.
  expect_clean(".key 0:0 = 1\n.unit 0\n" + add("b", "a", "fetch=0:0 deposit=0:1") + add("b", "a", "fetch=0:0 deposit=0:1") + ".unit 1\n" +
               add("c", "b", "fetch=0:1 deposit=0:0") + add("d", "b", "fetch=0:1 deposit=0:0"));
}

TEST(CheckUnity, KeysOfBranches) {
  const std::string branch = ".unit 0\nCOND PRED=yes TRUE=body UNIT=u8 deposit=0:1\n.unit 1\n" + add("d", "b", "fetch=0:1");
  const std::string yes = ".data yes\n.u8 1\n";
  // A branch gives its key when its sub-program has ended.
  expect_clean(branch + ".sub body\n" + add("b", "a") + yes);
  // An instruction of the sub-program gives the same key before another one has ended.
  EXPECT_THAT(only_error(branch + ".sub body\n" + add("c", "a", "deposit=0:1") + add("b", "a") + yes), HasSubstr("nothing orders the two"));
}

TEST(CheckUnity, OperandTablesCount) {
  // The first instruction writes the second one's table, which lies in window 1 (the page).
  const std::string text = ".page 0x2000000\n.unit 0\n" + add("0x2000000", "a") + "    ADD space=16 table=16\n";
  EXPECT_THAT(check(text).warnings.at(0).message, HasSubstr("the operand tables of 1 instructions lie outside"));
}

TEST(CheckUnity, KeysThatNeverCome) {
  // The example of the readings, without unit 1's deposit.
  const Report report = check(".unit 0\n" + add("b", "a", "deposit=0:5") + add("c", "b", "fetch=2*0:5 deposit=0:6", "2048") + ".unit 1\n" +
                              add("b+1024", "a") + add("d", "c", "fetch=0:6"));
  ASSERT_FALSE(report.errors.empty());
  EXPECT_EQ(report.errors[0].kind, "deadlock");
  EXPECT_EQ(report.errors[0].message,
            "deadlock: 2 units wait for keys that never come\n"
            "  unit 0, program 0, instruction 1 (ADD): entry 0:5 holds 1, wants 2\n"
            "  unit 1, program 1, instruction 1 (ADD): entry 0:6 holds 0, wants 1");
  EXPECT_EQ(report.errors[0].instructions, (std::vector<std::int32_t>{1, 3}));
  const Report waits = check(".host_deposits\n.time_limit 5000\n.unit 0\n" + add("b", "a", "fetch=0:5"));
  EXPECT_TRUE(waits.errors.empty());
  EXPECT_EQ(waits.warnings.size(), 1U);
}

TEST(CheckUnity, InstructionsAndTables) {
  EXPECT_THAT(only_error(".unit 0\n" + add("b", "a", "", "0")), HasSubstr("instruction 0 (ADD): field_out_of_range: LEN: 0"));
  EXPECT_THAT(only_error(".unit 0\nADD D=b+1 S0=a S1=a LEN=1 D_UNIT=s16\n"),
              HasSubstr("misaligned_address: D: 0x2000001 is no multiple of 2"));
  EXPECT_THAT(only_error(".unit 0\n" + add("0x9000000", "a")), HasSubstr("address_outside_window: D: 0x9000000"));
  EXPECT_THAT(only_error(".unit 0\n" + add("self", "a") + ".data self\n.zero 1024\n"), HasSubstr("address_outside_window: D"));
  expect_clean(".unit 0\n" + add("b", "self") + ".data self\n.zero 1024\n");
  EXPECT_THAT(only_error(".unit 0\nADD table=0x100000\n"), HasSubstr("address_outside_window: table: 0x100000"));
  EXPECT_THAT(only_error(".unit 0\n.payload 0x800041, 0, 0, 0\n"), HasSubstr("unknown_instruction"));
  EXPECT_THAT(only_error(".units 5\n.unit 0\n" + add("b", "a")), HasSubstr("the program has 5 units, the device 4"));
  const std::vector<std::uint8_t> broken(8);
  EXPECT_EQ(check_program({.container = broken, .bindings = {}}).errors.size(), 1U);
}

TEST(CheckUnity, ListsAndDescriptorsInMemory) {
  // The descriptor exists only while the program runs, and the list lies in memory that another instruction writes.
  const std::string zeros = "ZEROS DESC=c DATA=c+64 SHAPE=dims RANK=2 UNIT=s16 blk\n", dims = ".data dims\n.u32 2, 3\n";
  expect_clean(".unit 0\n" + zeros + "SIZE DESC=c D=d blk\nHAS_NAN DESC=c D=d+4\n" + dims);
  EXPECT_THAT(only_error(".unit 0\nZEROS DESC=c DATA=c+62 SHAPE=dims RANK=2 UNIT=s16\n" + dims), HasSubstr("tensor_overlap: DESC"));
  EXPECT_THAT(only_error(".unit 0\nSIZE DESC=c D=d MODE=1\n"), HasSubstr("MODE: 1"));
  EXPECT_THAT(only_error(".unit 0\nSIZE DESC=c D=d\n"), HasSubstr("field_out_of_range: DESC"));
  const std::string unstack = "UNSTACK S=a LIST=list FN=2 FH=1 FW=1 FC=8 UNIT=u8\n";
  expect_clean(".unit 0\n" + unstack + ".data list\n.u32 b, b+8\n");
  EXPECT_THAT(only_error(".unit 0\n" + unstack + ".data list\n.u32 b, b+7\n"), HasSubstr("tensor_overlap: LIST"));
  EXPECT_THAT(only_error(".unit 0\n" + unstack + add("c", "b+8", "", "4") + ".data list\n.u32 b, b+8\n"), HasSubstr("(LIST)"));
}

TEST(CheckUnity, Branches) {
  const std::string body = ".sub body\n" + add("c", "b");
  expect_clean(".unit 0\n" + add("b", "a") + "COND PRED=yes TRUE=body UNIT=u8\n" + add("d", "c") + body + ".data yes\n.u8 1\n");
  EXPECT_THAT(only_error(".unit 0\nWHILE_LOOP PRED=yes BODY=body LIMIT=3 UNIT=u8\n" + body + ".data yes\n.u8 1\n"), HasSubstr("LIMIT"));
  EXPECT_THAT(only_error(".unit 0\nCOND PRED=yes TRUE=32 UNIT=u8\n.data yes\n.u8 1\n"),
              HasSubstr("branch_outside_program: 0x20 is no sub-program"));
}

}  // namespace
}  // namespace cox::tools::unity::check_test
