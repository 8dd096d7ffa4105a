// SPDX-License-Identifier: MIT
// Tests the parts of the generated page docs/isa/cube.md in which errors are likely. Another test compares the whole page.
#include <gtest/gtest.h>

#include <string>

#include "tools/cube/page.h"

namespace cox::tools {
namespace {

std::string prose_without(const std::string &left_out) {
  std::string prose;
  for (const char *mark :
       {"opcodes", "fields of every slot", "fields of SET_FLAG", "fields of WAIT_FLAG", "fields of BARRIER", "fields of DRAM_TO_L1",
        "fields of L1_TO_L0A", "fields of L1_TO_L0B", "fields of IM2COL_CFG", "fields of IM2COL_TO_L0A", "fields of L1_TO_BT",
        "fields of MAD", "fields of OUT_CFG", "fields of L0C_TO_DRAM", "fields of L0C_TO_L1", "enumerations"}) {
    if (left_out != mark) prose += std::string("<!-- ") + mark + " -->\n";
  }
  return prose;
}

TEST(CubePage, SaysBitsValuesAndPipes) {
  const std::string page = cube_page(prose_without(""));
  for (const char *line : {
           "| [IM2COL_TO_L0A](#im2col_to_l0a) | 8 | MTE1 |", "| [SET_FLAG](#set_flag) | 1 | any |", "| [BARRIER](#barrier) | 3 | none |",
           "| Wait | [31:8] | 0 to 16777215 |", "| Set | [55:32] | 0 to 16777215 |", "Opcode 10, pipe M: c = a * b + c.\n",
           "| K | [215:204] | 0 to 4095 |", "| FeatOffset | [159:152] | 0 |", "| CmatrixInitVal | [242] | false, true |",
           "| Scale | [95:64] | FP32 |", "| ZeroPoint | [223:216] | -128 to 127 |",
           "Reserved: [255:243].\n",                                                                                      // MAD
           "Reserved: [79:76], [95:92], [119:115], [191:180], [199:198], [207:206], [215:214], [223:222], [255:252].\n",  // IM2COL_CFG
       }) {
    EXPECT_NE(page.find(line), std::string::npos) << line;
  }
}

TEST(CubePage, AnInstructionThatTheProseForgetsIsMissed) {
  for (const char *mark : {"opcodes", "fields of every slot", "fields of MAD", "fields of BARRIER", "enumerations"}) {
    EXPECT_EQ(cube_page(prose_without(mark)), "") << mark;
  }
}

}  // namespace
}  // namespace cox::tools
