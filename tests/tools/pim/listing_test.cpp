// SPDX-License-Identifier: MIT
// The listing of a program.
#include <gtest/gtest.h>

#include "tests/tools/pim/text.h"

namespace cox::tools::pim::listing_test {
namespace {

TEST(ListingPim, NumbersWordsAndSource) {
  const std::string text = "# two cores\n.core 0\n  li r1, -2  # two words\nend: jmp end\n.core 1\nadd r3, r1, r2\n";
  EXPECT_EQ(listing(text, assemble_program(text, "test.pim")),
            "                        # two cores\n"
            "                        .core 0\n"
            " 0      0  98010000      li r1, -2  # two words\n"
            " 0      1  9021fffe    \n"
            " 0      2  f0000000    end: jmp end\n"
            "                        .core 1\n"
            " 1      0  80221800    add r3, r1, r2\n");
}

}  // namespace
}  // namespace cox::tools::pim::listing_test
