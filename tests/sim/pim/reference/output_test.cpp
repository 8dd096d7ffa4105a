// SPDX-License-Identifier: MIT
// Hand-computed results of pim-output and pim-transfer on the slow interpreter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/pim/reference/desk.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {
namespace output_test {
namespace {

using testing::ElementsAre;
constexpr ErrorCode kOk = ErrorCode::ok, kRange = ErrorCode::field_out_of_range;

/// Output registers 0 to 7 have 1, 2, 4, …, 128. r1: number for the sums, r2: mask, r4: address of the results.
Desk desk() {
  Desk d;
  d.special(1, 32).special(2, 8).special(3, 16).special(4, 1).special(5, 4).general(2, kMask).general(4, kOutput);
  for (unsigned i = 0; i < 8; ++i) d.output(i, 1 << i);
  return d;
}

TEST(PimOracleOutput, StoresAndClears) {
  Desk d = desk();
  d.output(16383, 7);
  ASSERT_EQ(d.fault(words::output(1, 2, 4)), kOk);
  EXPECT_THAT(d.get(kOutput, 32, 5), ElementsAre(1, 2, 4, 8, 0));
  EXPECT_TRUE(std::ranges::all_of(d.core().outputs, [](std::uint32_t value) { return value == 0; }));
}

TEST(PimOracleOutput, KeepsTheLowBits) {
  Desk d = desk();
  d.special(1, 4).special(5, 3).output(0, 0x19).output(1, -1).output(2, 0x70).put(kOutput, Bytes(4, 0xAA));
  ASSERT_EQ(d.fault(words::output(1, 2, 4)), kOk);
  EXPECT_THAT(d.get(kOutput, 8, 3), ElementsAre(-7, 0, -86));  // 9 and 15; 0 and the spare bits; as before
}

TEST(PimOracleOutput, SumsAscend) {
  Desk d = desk();
  ASSERT_EQ(d.put(kMask, {3}).general(1, 3).fault(words::output(1, 2, 4, true)), kOk);
  EXPECT_THAT(d.get(kOutput, 32, 4), ElementsAre(3, 6, 4, 8));
}

TEST(PimOracleOutput, TheLastBitOfTheMaskIsClear) {
  Desk d = desk();
  EXPECT_EQ(d.put(kMask, {4}).general(1, 3).fault(words::output(1, 2, 4, true)), kRange);
  EXPECT_EQ(d.output(0), 1);
  EXPECT_EQ(d.general(1, 5).fault(words::output(1, 2, 4, true)), kRange);
  EXPECT_EQ(d.general(1, 0xFFFFFFFF).fault(words::output(1, 2, 4, true)), kRange);
  EXPECT_EQ(d.general(1, 4).fault(words::output(1, 2, 4, true)), kOk);
}

TEST(PimOracleOutput, MovesSumsOfPairs) {
  Desk d = desk();
  d.special(5, 8);
  EXPECT_EQ(d.general(1, 5).fault(words::output(1, 2, 4, false, true)), kRange);
  ASSERT_EQ(d.general(1, 3).fault(words::output(1, 2, 4, false, true)), kOk);
  EXPECT_THAT(d.get(kOutput, 32, 4), ElementsAre(3, 12, 48, 0));
}

TEST(PimOracleOutput, MovesAfterSums) {
  Desk d = desk();
  ASSERT_EQ(d.put(kMask, {1}).general(1, 2).fault(words::output(1, 2, 4, true, true)), kOk);
  EXPECT_THAT(d.get(kOutput, 32, 3), ElementsAre(3 + 2, 4 + 8, 0));
}

TEST(PimOracleOutput, StoresEachGroupFromAByte) {
  Desk d = desk();
  d.special(1, 2).special(3, 8).special(4, 3).special(5, 5);
  for (unsigned j = 0; j < 5; ++j) d.output(j, 1).output(64 + j, 2).output(128 + j, 3);
  ASSERT_EQ(d.fault(words::output(1, 2, 4)), kOk);
  EXPECT_THAT(d.get(kOutput, 8, 7), ElementsAre(0x55, 0x01, -0x56, 0x02, -1, 0x03, 0));
}

TEST(PimOracleOutput, OneGroupMayBeAllMacros) {
  Desk d = desk();
  EXPECT_EQ(d.special(3, 7).special(5, 2048).fault(words::output(1, 2, 4)), kOk);
  EXPECT_EQ(d.special(5, 2049).fault(words::output(1, 2, 4)), kRange);
  EXPECT_EQ(d.special(5, 1).special(4, 2).fault(words::output(1, 2, 4)), kRange);
  EXPECT_EQ(d.special(3, 16).special(4, 17).fault(words::output(1, 2, 4)), kRange);
  EXPECT_EQ(d.special(4, 16).special(5, 129).fault(words::output(1, 2, 4)), kRange);
}

TEST(PimOracleOutput, AFaultOfTheLastGroupChangesNothing) {
  Desk d = desk();
  d.special(4, 16).general(4, kOutput + 65536 - 16 * 16 + 1);
  EXPECT_EQ(d.fault(words::output(1, 2, 4)), ErrorCode::address_outside_buffer);
  EXPECT_EQ(d.output(0), 1);
  EXPECT_THAT(d.get(kOutput + 65536 - 16 * 16, 32, 2), ElementsAre(0, 0));
}

TEST(PimOracleTransfer, PacksTheResultsOfTheMask) {
  Desk d;
  d.special(1, 16).general(1, kInput).general(2, 6).general(3, kMask).general(4, kOutput);
  d.put(kInput, 16, {1, -2, 3, -4, 5, -6}).put(kMask, {0xEA}).put(kOutput, 16, {9, 9, 9, 9});  // 1, 3, 5, and bits behind the mask
  ASSERT_EQ(d.fault(words::transfer(1, 2, 3, 4)), kOk);
  EXPECT_THAT(d.get(kOutput, 16, 4), ElementsAre(-2, -4, -6, 9));
}

TEST(PimOracleTransfer, ClearsSpareBitsAndReadsBeforeItWrites) {
  Desk d;
  d.special(1, 4).general(1, kInput).general(2, 5).general(3, kInput + 3).general(4, kInput);
  d.put(kInput, 4, {1, 2, 3, 4, 5, 5, 0x6, 1});  // the mask, 0x16, selects 2, 3 and 5, and lies in the memory that is written
  ASSERT_EQ(d.fault(words::transfer(1, 2, 3, 4)), ErrorCode::ok);
  EXPECT_THAT(d.get(kInput, 4, 6), ElementsAre(2, 3, 5, 0, 5, 5));
  EXPECT_EQ(d.general(2, 0x80000000).fault(words::transfer(1, 2, 3, 4)), kRange);
  EXPECT_EQ(d.special(1, 3).fault(words::transfer(1, 2, 3, 4)), kRange);
}

}  // namespace
}  // namespace output_test
}  // namespace cox::model::pim::oracle
