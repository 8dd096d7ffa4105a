// SPDX-License-Identifier: MIT
// Tests the parts of the generated page docs/isa/mx.md in which errors are likely. Another test compares the whole page.
#include <gtest/gtest.h>

#include <string>

#include "tools/mx/page.h"

namespace cox::tools {
namespace {

std::string prose_without(const std::string &left_out) {
  std::string prose;
  for (const char *mark : {"opcodes", "fields of CONFBADDR", "fields of CONVACT", "fields of ELADD", "fields of ELMUL", "fields of SMULI",
                           "fields of SIGMOID", "fields of SOFTMAX", "fields of POOL", "fields of MOVE", "enumerations"}) {
    if (left_out != mark) prose += std::string("<!-- ") + mark + " -->\n";
  }
  return prose;
}

TEST(MxPage, SaysBitsAsTheBlocksCountThem) {
  const std::string page = mx_page(prose_without(""));
  EXPECT_NE(page.find("| WeightOffset | block 2 [55:32] | 0 to 16777215 |"), std::string::npos);
  EXPECT_NE(page.find("| Activation | block 1 [24:23] | Activation |"), std::string::npos);
  EXPECT_NE(page.find("| Immediate | block 1 [21:6] | BF16 |"), std::string::npos);
  EXPECT_NE(page.find("| [SOFTMAX](#softmax) | 0b1010 | 0b11 | 16 |"), std::string::npos);
  // Reserved bits of CONVACT, POOL and CONFBADDR, as the specification lists them.
  EXPECT_NE(page.find("Reserved: block 1 [31:26], block 1 [63:52], block 2 [7:0], block 2 [63:56], block 3 [7:0], block 3 [63:56].\n"),
            std::string::npos);
  EXPECT_NE(
      page.find(
          "Reserved: block 1 [19:13], block 1 [25:25], block 1 [63:52], block 2 [7:0], block 2 [63:32], block 3 [7:0], block 3 [63:32].\n"),
      std::string::npos);
  EXPECT_NE(page.find("Reserved: block 1 [63:31].\n"), std::string::npos);
}

TEST(MxPage, AnInstructionThatTheProseForgetsIsMissed) {
  for (const char *mark : {"opcodes", "fields of POOL", "fields of CONFBADDR", "enumerations"}) {
    EXPECT_EQ(mx_page(prose_without(mark)), "") << mark;
  }
}

}  // namespace
}  // namespace cox::tools
