// SPDX-License-Identifier: MIT
// Errors name file, line, column and field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/file/error.h"
#include "tools/unity/assemble.h"

namespace cox::tools::unity::bad_text_test {
namespace {

std::string error_of(const std::string &text) {
  try {
    static_cast<void>(assemble(text, "bad.xdsa"));
  } catch (const FileError &error) {
    return error.what();
  }
  return "no error";
}

TEST(BadTextUnity, PlaceAndReason) {
  const std::pair<const char *, const char *> kTexts[] = {
      {".unit 0\n  AD D=1\n", "bad.xdsa:2:3: 'AD' is not an instruction; did you mean \"ADD\"?"},
      {".unit 0\nADD DUNIT=s32\n", "bad.xdsa:2:5: ADD: 'DUNIT' is not a field of ADD; did you mean \"D_UNIT\"?"},
      {".unit 0\nADD D_UNIT=s31\n", "bad.xdsa:2:12: ADD: D_UNIT: 's31' is not a unit; did you mean"},
      {".unit 0\nADD D_UNIT=13\n", "bad.xdsa:2:12: ADD: D_UNIT: 13 is out of range (at most 12)"},
      {".unit 0\nCONV2D T_PAD=16\n", "bad.xdsa:2:14: CONV2D: T_PAD: 16 is out of range (at most 15)"},
      {".unit 0\nADD LEN=1 LEN=2\n", "bad.xdsa:2:11: ADD: LEN: the field is given twice"},
      {".unit 0\nADD LEN=\n", "bad.xdsa:2:9: ADD: a value is missing"},
      {".unit 0\nADD LEN 4\n", "bad.xdsa:2:9: ADD: a = is missing"},
      {".unit 0\nADD D=nowhere\n", "bad.xdsa:2:7: ADD: there is no 'nowhere'"},
      {".tensor a window=0 offset=0\n.tensor aa window=0\n.unit 0\nADD D=aaa\n",
       "bad.xdsa:4:7: ADD: there is no 'aaa'; did you mean \"aa\"?"},
      {".unit 0\nADD fetch=9*0:1\n", "bad.xdsa:2:11: ADD: fetch: keys: 9 is out of range (1 to 8)"},
      {".unit 0\nADD fetch=4:1\n", "fetch: table: 4 is out of range (0 to 3)"},
      {".unit 0\nADD deposit=0:256\n", "bad.xdsa:2:15: ADD: entry of keys: 256 is out of range (0 to 255)"},
      {".unit 0\nADD space=31\n", "bad.xdsa:2:11: ADD: space: 31 is not 16, 32 or 64"},
      {".unit 0\nADD D=1 space=64\n", "space: the address space comes before the fields"},
      {".unit 0\nADD space=16 D=1\n", "an operand table of a 16-bit address space lies in the page"},
      {".unit 0\nADD table=4 D=1\n", "bad.xdsa:2:5: ADD: table: the operand table is written beside the instruction already"},
      {".unit 0\nELE_ADD MUL0=1\n", "bad.xdsa:2:9: ELE_ADD: MUL0: the field is in the table's extension, which LSHIFT decides"},
      {".unit 0\nEXIT D=1\n", "bad.xdsa:2:6: EXIT: 'D' is not expected here; the instruction has no fields"},
      {".unit 0\nADD D=1/0\n", "bad.xdsa:2:8: ADD: division by zero"},
      {".unit 8\n", "bad.xdsa:1:7: .unit: 8 is out of range (0 to 7)"},
      {".units 1\n.unit 1\n", "bad.xdsa: unit 1 has a program, but .units says 1"},
      {".units 2\n", "bad.xdsa: no unit has a program"},
      {"ADD\n", "bad.xdsa:1:1: an instruction stands behind .unit or .sub"},
      {".u8 1\n", "bad.xdsa:1:1: data stand behind .data"},
      {".data d\n.u8 256\n", "bad.xdsa:2:5: .u8: 256 is out of range (0 to 255)"},
      {".data d\n.u8 -1\n", ".u8: -1 is out of range (0 to 255)"},
      {".data d\n.s8 -129\n", ".s8: -129 is out of range (-128 to 255)"},
      {".unit 0\n.dota d\n", "bad.xdsa:2:1: '.dota' is not a directive; did you mean \".data\"?"},
      {".unit 0 at=33\n", "bad.xdsa:1:12: at: 33 is no multiple of 32"},
      {".data d align=3\n", "align: 3 is no power of two"},
      {".tensor a window=0 offset=0x400000 bytes=1\n", "'a' ends behind window 0, which has 4194304 bytes"},
      {".sub a\n.sub a\n", "bad.xdsa:2:6: 'a' is defined already, in line 1"},
      {".sub a\n.equ B = a\n", "bad.xdsa:2:10: 'a' is a label, which has no value yet"},
      {".unit 0\n.bytes 0: \"0x\"\n", ".bytes: two hexadecimal digits a byte are needed"},
      {".unit 0\n.size 4\n", ".size: the container has 112 bytes already"},
      {".unit 0\n.bytes 4: \"09\"\n", "bad.xdsa: field_out_of_range: units: 9, the limit is 8"},
      {".unit 0\nADD D=\"x\n", "the text has no end"},
      {".unit 0\nADD D=0x1FFFFFFFFFFFFFFFF\n", "is too large"},
      {".unit 0\nsubmit npu slots=1\n", "'npu' is not an engine: tile, mx, cube or pim"},
      {".key 0:1 = 65536\n", ".key: 65536 is out of range (0 to 65535)"},
      {".page 1\n", ".page: the address is no multiple of 64 KiB"},
  };
  for (const auto &[text, error] : kTexts) EXPECT_THAT(error_of(text), testing::HasSubstr(error)) << text;
}

}  // namespace
}  // namespace cox::tools::unity::bad_text_test
