// SPDX-License-Identifier: MIT
// What orders slots: flags, barriers and joined streams. A flag can be set several times, and flags can order slots through several pipes.
// Also tests waits without a set, and sets without a wait.
#include <gmock/gmock.h>

#include "tests/sim/cube/hazard/program.h"

namespace cox::model::cube::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Flags, OrderIsPassedOn) {
  // FIX overwrites in L1 what MTE2 has loaded. The flags order FIX after MTE1, and MTE1 after MTE2. In the second case the order goes
  // through all four pipes.
  EXPECT_THAT(findings_of({output_configuration(), load(0, 0x400).sets(MTE1), move_left(0x400, 0).waits(MTE2).sets(FIX),
                           store_l1(0, 0x400).waits(MTE1)}),
              IsEmpty());
  EXPECT_THAT(findings_of({output_configuration(), load(0, 0x400).sets(MTE1), move_left(0x400, 0).waits(MTE2).sets(M),
                           mad(0, 0, 0).waits(MTE1).sets(FIX), store_l1(0, 0x400).waits(M).sets(MTE2), load(0, 0x400).waits(FIX)}),
              IsEmpty());
  // Here the order is broken: MTE1 sets the flag before its move, so neither M nor FIX waits for the move.
  const std::vector<Finding> findings =
      findings_of({output_configuration(), isa::cube::encode_set_flag(MTE1, M, 0), load(0, 0x400).sets(MTE1),
                   move_left(0x400, 0x200).waits(MTE2), mad(0, 0, 0).waits(MTE1).sets(FIX), store_l1(0, 0x400).waits(M)});
  ASSERT_THAT(findings, SizeIs(2)) << text_of(findings);
  EXPECT_EQ(findings[0].earlier.instruction, 2);
  EXPECT_EQ(findings[1].earlier.instruction, 3);
}

TEST(Flags, TheKthWaitTakesTheKthSet) {
  const Slot first = load(0, 0x400).sets(MTE1), second = load(0, 0x800).sets(MTE1);
  // MTE2 sets the flag twice before MTE1 waits. Each move waits for the load whose bytes it reads.
  EXPECT_THAT(findings_of({first, second, move_left(0x400, 0).waits(MTE2), move_left(0x800, 0x200).waits(MTE2)}), IsEmpty());
  // The moves come in the other order. The first wait takes the first flag, which proves nothing about the second load.
  const std::vector<Finding> findings = findings_of({first, second, move_left(0x800, 0).waits(MTE2), move_left(0x400, 0x200).waits(MTE2)});
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
  EXPECT_EQ(findings[0].earlier.instruction, 1);
  EXPECT_EQ(findings[0].later.instruction, 2);
}

TEST(Flags, EventsAreApart) {
  const std::vector<Finding> findings = findings_of({load(0, 0x400).sets(MTE1, 0), load(0, 0x800).sets(MTE1, 1),
                                                     move_left(0x800, 0).waits(MTE2, 0), move_left(0x400, 0x200).waits(MTE2, 1)});
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
  EXPECT_EQ(findings[0].earlier.instruction, 1);
  EXPECT_EQ(findings[0].later.instruction, 2);
}

TEST(Flags, AWaitCoversWhatItsPipeIsGivenLater) {
  EXPECT_THAT(findings_of({load(0, 0x400), load(0, 0x800).sets(MTE1), move_left(0, 0).waits(MTE2), move_left(0x400, 0x200)}), IsEmpty());
}

TEST(Barrier, OrdersWhatItsPipesWereGiven) {
  const Slot write = load(0, 0x400), read = move_left(0x400, 0);
  EXPECT_THAT(findings_of({write, barrier({MTE2}), read}), IsEmpty());
  EXPECT_THAT(findings_of({write, barrier({MTE2, M, FIX}), read}), IsEmpty());
  EXPECT_THAT(findings_of({barrier({MTE2}), write, read}), SizeIs(1));
  // MTE1 has waited for the load's flag, so the barrier for MTE1 also orders the store after the load.
  EXPECT_THAT(findings_of({output_configuration(), write.sets(MTE1), move_left(0, 0).waits(MTE2), barrier({MTE1}), store_l1(0, 0x400)}),
              IsEmpty());
  EXPECT_THAT(findings_of({output_configuration(), write, move_left(0, 0), barrier({MTE1}), store_l1(0, 0x400)}), SizeIs(1));
}

TEST(Deadlock, NamesTheFlagAndWhoCouldSetIt) {
  const std::vector<Finding> findings = findings_of({load(0, 0x400).sets(MTE1, 5), load(0, 0x800), move_left(0x400, 0).waits(MTE2, 5),
                                                     move_left(0x800, 0x200).waits(MTE2, 5), mad(0, 0, 0)});
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);  // none about the MAD, which comes after the deadlock
  EXPECT_EQ(findings[0].kind, FindingKind::deadlock);
  EXPECT_EQ(findings[0].later.instruction, 3);
  EXPECT_EQ(findings[0].earlier.instruction, 1);
  EXPECT_EQ(findings[0].other, MTE2);
  EXPECT_EQ(findings[0].event, 5U);
  EXPECT_EQ(findings[0].sets, 1U);
  EXPECT_EQ(findings[0].waits, 1U);
  EXPECT_EQ(
      findings[0].text(),
      "deadlock: L1_TO_L0A (instruction 3, MTE1) waits for flag 5 of MTE2, and nothing sets it: 1 of its sets and 1 of its waits stand "
      "before it; the nearest that could is DRAM_TO_L1 (instruction 1, MTE2)");
}

TEST(Deadlock, EachFlagThatIsMissing) {
  const std::vector<Finding> findings = findings_of({move_left(0, 0).waits(MTE2, 1).waits(M, 2)});
  ASSERT_THAT(findings, SizeIs(2)) << text_of(findings);
  EXPECT_EQ(findings[0].other, MTE2);
  EXPECT_EQ(findings[1].other, M);
  EXPECT_EQ(findings[0].earlier.instruction, -1);
  EXPECT_THAT(findings[0].text(), HasSubstr("no instruction of MTE2 before it could set it"));
}

TEST(Deadlock, ASetThatStandsLaterDoesNotCount) {
  const std::vector<Finding> findings = findings_of({move_left(0, 0).waits(MTE2), load(0, 0x400).sets(MTE1)});
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
  EXPECT_EQ(findings[0].kind, FindingKind::deadlock);
}

TEST(FlagOverflow, FifteenMayBeAhead) {
  std::vector<Slot> slots(isa::cube::kMostFlags, load(0, 0).sets(MTE1));
  slots.insert(slots.end(), isa::cube::kMostFlags, isa::cube::encode_wait_flag(MTE1, MTE2, 0));
  EXPECT_THAT(findings_of(codes_of(slots)), IsEmpty());
  slots.insert(slots.begin(), load(0, 0).sets(MTE1));
  const std::vector<Finding> findings = findings_of(codes_of(slots));
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
  EXPECT_EQ(findings[0].kind, FindingKind::flag_overflow);
  EXPECT_EQ(findings[0].later.instruction, 15);
  EXPECT_EQ(findings[0].other, MTE1);
  EXPECT_EQ(
      findings[0].text(),
      "flag overflow: DRAM_TO_L1 (instruction 15, MTE2) sets flag 0 for MTE1 while 15 of its sets are not waited for; at most 15 may be");
}

TEST(FlagLeft, NamesTheSetter) {
  const std::vector<Finding> findings =
      findings_of({load(0, 0).sets(MTE1, 4), load(0, 0).sets(MTE1, 4), isa::cube::encode_wait_flag(MTE1, MTE2, 4), load(0, 0).sets(FIX)});
  ASSERT_THAT(findings, SizeIs(2)) << text_of(findings);
  EXPECT_EQ(findings[0].kind, FindingKind::flag_left);
  EXPECT_EQ(findings[0].earlier.instruction, 1);
  EXPECT_EQ(
      findings[0].text(),
      "flag left: DRAM_TO_L1 (instruction 1, MTE2) sets flag 4 for MTE1, and nothing waits for it: there are 2 of its sets and 1 of its "
      "waits");
  EXPECT_EQ(findings[1].earlier.instruction, 3);
  EXPECT_EQ(findings[1].other, FIX);
}

/// Adds slots that need no configuration to the stream that the detector checks.
void feed(Detector &detector, std::initializer_list<Slot> slots, std::vector<Finding> &findings) {
  for (const Slot &slot : slots) detector.add(slot.code(), isa::cube::resolve(slot.code(), {}).value(), findings);
}

TEST(Streams, JoinedOnesAreOne) {
  Detector detector;
  std::vector<Finding> findings;
  feed(detector, {load(0, 0x400).sets(MTE1)}, findings);
  feed(detector, {move_left(0x400, 0).waits(MTE2), mad(0, 0, 0)}, findings);
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
  EXPECT_EQ(findings[0].earlier.instruction, 1);
  EXPECT_EQ(findings[0].later.instruction, 2);
}

TEST(Streams, AnEndOrdersAndTakesFlags) {
  Detector detector;
  std::vector<Finding> findings;
  feed(detector, {load(0, 0x400).sets(MTE1)}, findings);
  detector.end(findings);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::flag_left);
  findings.clear();
  feed(detector, {move_left(0x400, 0)}, findings);
  EXPECT_THAT(findings, IsEmpty());
  feed(detector, {load(0, 0x400).waits(MTE1)}, findings);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::deadlock);
  EXPECT_EQ(findings[0].later.instruction, 1);
  // After a deadlock the detector ignores the rest of the stream.
  feed(detector, {mad(0, 0, 0).sets(FIX)}, findings);
  detector.end(findings);
  EXPECT_THAT(findings, SizeIs(1));
  feed(detector, {load(0, 0x400), move_left(0x400, 0)}, findings);
  EXPECT_THAT(findings, SizeIs(2));
}

TEST(Analysis, SaysWhichInstructionIsRefused) {
  std::vector<MachineCode> codes = codes_of(std::vector<Slot>{load(0, 0x400).sets(MTE1), store(0, 0), mad(0, 0, 0)});
  Analysis analysis = analyse(std::as_bytes(std::span(codes)));
  EXPECT_EQ(analysis.refusal.code(), ErrorCode::missing_configuration);
  EXPECT_EQ(analysis.refusal.index(), 1);
  EXPECT_THAT(analysis.findings, IsEmpty());
  codes[1] = MachineCode{};
  EXPECT_EQ(analyse(std::as_bytes(std::span(codes))).refusal.code(), ErrorCode::unknown_instruction);
  analysis = analyse(std::as_bytes(std::span(codes)).first(40));
  EXPECT_EQ(analysis.refusal.code(), ErrorCode::stream_truncated);
  EXPECT_EQ(analysis.refusal.index(), 1);
  EXPECT_TRUE(analyse({}).refusal.ok());
}

}  // namespace
}  // namespace cox::model::cube::test
