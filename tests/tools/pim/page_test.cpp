// SPDX-License-Identifier: MIT
// The page of the instruction set.
#include "tools/pim/page.h"

#include <gtest/gtest.h>

namespace cox::tools::pim::page_test {
namespace {

std::string prose() {
  std::string text = "# PIM\n\n<!-- opcodes -->\n\n<!-- enumerations -->\n";
  for (const char *name :
       {"pim-compute", "pim-batch", "pim-output", "pim-transfer", "simd-compute", "add", "addi", "load-local", "store-local", "general-li",
        "special-li", "general-to-special", "trans", "send", "receive", "beq", "jmp", "wait", "barrier"})
    text += std::string("\n## ") + name + "\n\n<!-- fields of " + name + " -->\n";
  return text;
}

TEST(PagePim, EveryInstruction) {
  const std::string made = page(prose());
  EXPECT_NE(made.find("| add | [31:28] = 0b1000, [2:0] = 0b000 | sum |"), std::string::npos) << made;
  EXPECT_NE(made.find("- `mod`, [31:28] = 0b1000, [2:0] = 0b111: remainder of div.\n"), std::string::npos) << made;
  EXPECT_NE(made.find("| imm | [15:0] | -32768 to 32767 | operand 2 |"), std::string::npos) << made;
  EXPECT_NE(made.find("Reserved: [27:26], [10:3].\n"), std::string::npos) << made;
  EXPECT_NE(made.find("Reserved: none.\n"), std::string::npos) << made;
  EXPECT_EQ(made.find("<!-- fields"), std::string::npos) << made;
}

TEST(PagePim, AMarkIsMissing) {
  const std::string mark = "<!-- fields of trans -->";
  std::string text = prose();
  text.replace(text.find(mark), mark.size(), "");
  EXPECT_EQ(page(text), "");
  EXPECT_EQ(page("<!-- opcodes -->\n"), "");
}

}  // namespace
}  // namespace cox::tools::pim::page_test
