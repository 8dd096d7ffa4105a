// SPDX-License-Identifier: MIT
// The listing of a program.
#include <gtest/gtest.h>

#include "tools/unity/assemble.h"

namespace cox::tools::unity::listing_test {
namespace {

TEST(ListingUnity, NumbersWordsAndSource) {
  const std::string text =
      "# two units\n"
      ".tensor a window=0 bytes=256 in\n"
      ".unit 0\n"
      "ADD D=a S0=a S1=a LEN=4 D_UNIT=s32 S0_UNIT=s32 S1_UNIT=s32\n"
      "EXIT\n"
      ".unit 1\n"
      "EXIT  # at once\n";
  // Header and entries have 48 bytes, so the images begin at 64 and 160, and the operand table at 224.
  EXPECT_EQ(listing(text, assemble(text, "test.xdsa")),
            "                                                   # two units\n"
            "                                                   .tensor a window=0 bytes=256 in\n"
            "                                                   .unit 0\n"
            "unit 0     0 0000007f 00000000 000000e0 00000000   ADD D=a S0=a S1=a LEN=4 D_UNIT=s32 S0_UNIT=s32 S1_UNIT=s32\n"
            "unit 0     1 003fff3f 00000000 00000000 00000000   EXIT\n"
            "                                                   .unit 1\n"
            "unit 1     0 003fff3f 00000000 00000000 00000000   EXIT  # at once\n");
}

}  // namespace
}  // namespace cox::tools::unity::listing_test
