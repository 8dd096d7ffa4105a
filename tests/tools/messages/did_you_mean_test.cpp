// SPDX-License-Identifier: MIT
// The name that a message proposes for an unknown one.
#include "tools/names/did_you_mean.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace cox::tools {
namespace {

TEST(EditDistance, CountsLettersThatDiffer) {
  EXPECT_EQ(edit_distance("kernel", "kernel"), 0U);
  EXPECT_EQ(edit_distance("kernal", "kernel"), 1U);   // a letter replaced
  EXPECT_EQ(edit_distance("kernl", "kernel"), 1U);    // a letter left out
  EXPECT_EQ(edit_distance("kerrnel", "kernel"), 1U);  // a letter inserted
  EXPECT_EQ(edit_distance("kenrel", "kernel"), 1U);   // two letters swapped
  EXPECT_EQ(edit_distance("KERNEL", "kernel"), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("sunday", "saturday"), 3U);
  EXPECT_EQ(edit_distance(std::string(65, 'a'), "a"), 64U);
}

TEST(DidYouMean, ProposesTheNearestName) {
  constexpr std::array kNames = {"kernel", "stride", "padding", "dilation"};
  EXPECT_EQ(did_you_mean("kernal", kNames), "; did you mean \"kernel\"?");
  EXPECT_EQ(did_you_mean("strides", kNames), "; did you mean \"stride\"?");
  EXPECT_EQ(did_you_mean("PADDING", kNames), "; did you mean \"padding\"?");
}

TEST(DidYouMean, ProposesNothingFarAway) {
  constexpr std::array kNames = {"kernel", "PE", "x"};
  for (const char *typed : {"", "colour", "kennel_size_in_bytes", "VP", "y", "a"}) EXPECT_EQ(did_you_mean(typed, kNames), "") << typed;
}

TEST(DidYouMean, TakesTheFirstOfNamesThatAreEquallyNear) {
  constexpr std::array kNames = {"conv1", "conv2"};
  EXPECT_EQ(did_you_mean("conv3", kNames), "; did you mean \"conv1\"?");
}

TEST(DidYouMean, TakesNamesFromElements) {
  struct Row {
    const char *name;
  };
  constexpr std::array kRows = {Row{"GEMM"}, Row{"POOL"}};
  EXPECT_EQ(did_you_mean("GEM", kRows, &Row::name), "; did you mean \"GEMM\"?");
}

}  // namespace
}  // namespace cox::tools
