// SPDX-License-Identifier: MIT
// Branches, their sub-programs and limits.
#include <gtest/gtest.h>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/table.h"
#include "rig.h"

namespace cox::model::unity::testing::branches_test {

// Word 0 holds 1, words 1 to 9 are results and predicates.
struct Branches : Rig {
  Branches() : Rig(1) { dram.set_word(word_at(0), 1); }
  /// Adds 1 to a word.
  Item count(unsigned word) { return add(word_at(word), word_at(word), word_at(0)); }
};

TEST(UnityBranches, CondRunsOneOfTwoPrograms) {
  for (const int predicate : {0, 1, -5}) {
    Branches rig;
    rig.dram.set_word(word_at(1), predicate);
    rig.sub_program("yes", {rig.count(2)});
    rig.sub_program("no", {rig.count(3)});
    rig.queue(0, {rig.cond(word_at(1), "yes", "no"), rig.count(4)});
    ASSERT_TRUE(rig.run().status.ok());
    EXPECT_EQ(rig.dram.word(word_at(2)), predicate != 0 ? 1 : 0);
    EXPECT_EQ(rig.dram.word(word_at(3)), predicate == 0 ? 1 : 0);
    EXPECT_EQ(rig.dram.word(word_at(4)), 1);
  }
}

TEST(UnityBranches, AnAbsentProgramDoesNothing) {
  Branches rig;
  rig.sub_program("no", {rig.count(3)});
  rig.queue(0, {rig.cond(word_at(0), "", "no"), rig.count(4)});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(3)), 0);
  EXPECT_EQ(rig.dram.word(word_at(4)), 1);
}

TEST(UnityBranches, ABranchSeesWhatEarlierInstructionsWrote) {
  Branches rig;
  rig.sub_program("yes", {rig.count(2)});
  rig.queue(0, {rig.count(1), rig.cond(word_at(1), "yes", "")});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(2)), 1);
}

TEST(UnityBranches, ABranchGivesItsKeyAfterItsProgram) {
  Rig rig(2);
  rig.dram.set_word(word_at(0), 1);
  rig.sub_program("yes", {rig.binary(Opcode::ADD, word_at(100), word_at(0), word_at(0), 100)});
  rig.queue(0, {rig.cond(word_at(0), "yes", "", deposit({0, 3}))});
  rig.queue(1, {rig.add(word_at(2), word_at(100), word_at(0), fetch({0, 3}))});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(2)), 3);
}

TEST(UnityBranches, CaseRunsTheFirstTruePair) {
  for (const unsigned which : {0U, 1U, 2U, 3U}) {
    Branches rig;
    for (unsigned i = which; i < 3; ++i) rig.dram.set_word(word_at(1 + i), 1);
    for (unsigned i = 0; i < 4; ++i) rig.sub_program("p" + std::to_string(i), {rig.count(5 + i)});
    rig.queue(0, {rig.cases({{word_at(1), "p0"}, {word_at(2), "p1"}, {word_at(3), "p2"}}, "p3")});
    ASSERT_TRUE(rig.run().status.ok());
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(rig.dram.word(word_at(5 + i)), i == which ? 1 : 0);
  }
}

TEST(UnityBranches, SwitchCaseRunsTheProgramAtItsIndex) {
  for (const int index : {-1, 0, 1, 2, 3}) {
    Branches rig;
    rig.dram.set_word(word_at(1), index);
    for (unsigned i = 0; i < 4; ++i) rig.sub_program("p" + std::to_string(i), {rig.count(5 + i)});
    rig.queue(0, {rig.switch_case(word_at(1), {"p0", "p1", "p2"}, "p3")});
    ASSERT_TRUE(rig.run().status.ok());
    const int expected = index < 0 || index > 2 ? 3 : index;
    for (int i = 0; i < 4; ++i) EXPECT_EQ(rig.dram.word(word_at(static_cast<unsigned>(5 + i))), i == expected ? 1 : 0);
  }
}

TEST(UnityBranches, LoopsUntilThePredicateIsZero) {
  Branches rig;
  rig.dram.set_word(word_at(1), 5);
  rig.sub_program("condition", {rig.count(3)});
  rig.sub_program("body", {rig.binary(Opcode::SUB, word_at(1), word_at(1), word_at(0)), rig.count(2)});
  rig.queue(0, {rig.loop(word_at(1), "condition", "body", 5), rig.count(4)});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(2)), 5);
  EXPECT_EQ(rig.dram.word(word_at(3)), 6);
  EXPECT_EQ(rig.dram.word(word_at(4)), 1);
}

TEST(UnityBranches, ALoopMayHaveNoConditionOrNoBody) {
  Branches rig;
  rig.dram.set_word(word_at(1), 3);
  rig.dram.set_word(word_at(2), 4);
  rig.sub_program("down 1", {rig.binary(Opcode::SUB, word_at(1), word_at(1), word_at(0))});
  rig.sub_program("down 2", {rig.binary(Opcode::SUB, word_at(2), word_at(2), word_at(0))});
  rig.queue(0, {rig.loop(word_at(1), "", "down 1", 0), rig.loop(word_at(2), "down 2", "", 0)});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(1)), 0);
  EXPECT_EQ(rig.dram.word(word_at(2)), 0);
}

TEST(UnityBranches, OneBodyMoreThanTheLimitFaults) {
  Branches rig;
  rig.sub_program("body", {rig.count(2)});
  rig.queue(0, {rig.loop(word_at(0), "", "body", 3)});
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), ErrorCode::field_out_of_range);
  EXPECT_STREQ(outcome.status.what(), "LIMIT");
  EXPECT_EQ(outcome.status.value(), 4);
  EXPECT_EQ(outcome.position, Rig::position(*rig.container, 0, 0));
  EXPECT_EQ(rig.dram.word(word_at(2)), 3);
}

TEST(UnityBranches, ALoopWithoutEndMeetsTheTimeLimit) {
  Branches rig;
  rig.time_limit = 3;
  rig.queue(0, {rig.loop(word_at(0), "", "", 0)});
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), ErrorCode::time_limit);
  EXPECT_EQ(outcome.time, 3 * isa::unity::kTimeUnit);
}

TEST(UnityBranches, EightSubProgramsNest) {
  for (const unsigned depth : {8U, 9U}) {
    Branches rig;
    for (unsigned i = 1; i <= depth; ++i) {
      Program program;
      if (i < depth) program.push_back(rig.cond(word_at(0), "p" + std::to_string(i + 1), ""));
      program.push_back(rig.count(2));
      rig.sub_program("p" + std::to_string(i), program);
    }
    rig.queue(0, {rig.cond(word_at(0), "p1", ""), rig.count(3)});
    const Outcome &outcome = rig.run();
    if (depth == 8) {
      EXPECT_TRUE(outcome.status.ok());
      EXPECT_EQ(rig.dram.word(word_at(2)), 8);
      EXPECT_EQ(rig.dram.word(word_at(3)), 1);
    } else {
      EXPECT_STREQ(outcome.status.what(), "depth");
      EXPECT_EQ(rig.dram.word(word_at(2)), 0);
    }
  }
}

TEST(UnityBranches, ExitEndsTheProgramAtAnyDepth) {
  Branches rig;
  rig.sub_program("inner", {rig.count(2), Rig::leave(), rig.count(3)});
  rig.sub_program("outer", {rig.cond(word_at(0), "inner", ""), rig.count(4)});
  rig.queue(0, {rig.cond(word_at(0), "outer", "", deposit({0, 0})), rig.count(5)});
  rig.queue(0, {rig.add(word_at(6), word_at(2), word_at(0))});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(2)), 1);
  for (const unsigned word : {3U, 4U, 5U}) EXPECT_EQ(rig.dram.word(word_at(word)), 0);
  EXPECT_EQ(rig.dram.word(word_at(6)), 2);
  EXPECT_EQ(rig.machine.key({0, 0}), 0);
}

TEST(UnityBranches, ARelativeContainerCountsFromItsFirstByte) {
  Branches rig;
  rig.flags = isa::unity::kFlagRelative;
  rig.dram.set_word(word_at(1), 3);
  rig.sub_program("body", {rig.binary(Opcode::SUB, word_at(1), word_at(1), word_at(0)), rig.count(2)});
  rig.queue(0, {rig.loop(word_at(1), "", "body", 3), rig.count(4)});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(2)), 3);
  EXPECT_EQ(rig.dram.word(word_at(4)), 1);
}

/// 16-bit addresses are offsets in the page, whether the container is relative or not.
TEST(UnityBranches, ABranchOfThe16BitSpaceLeadsToThePage) {
  constexpr std::uint64_t kTable = 0x8000, kPredicate = 0x9000;
  for (const std::uint16_t flags : {std::uint16_t{0}, isa::unity::kFlagRelative}) {
    Branches rig;
    rig.flags = flags;
    rig.page = kBase;
    isa::unity::OperandTable<Opcode::COND, isa::unity::AddressSpace::bits16> table;
    table.set<"PRED">(kPredicate);
    table.set<"UNIT">(static_cast<unsigned>(Unit::s32));
    rig.dram.set_word(kBase + kPredicate, 1);
    rig.sub_program("yes", {rig.count(2)});
    const isa::unity::Instruction &row = isa::unity::Set::row(Opcode::COND);
    rig.queue(0, {{MachineCode{row.section | std::uint32_t{row.code} << 8, 0, kTable, 0}}, rig.count(4)});
    rig.write();
    table.set<"TRUE">(rig.container->sub_program(0).offset);
    (void)rig.dram.write(kBase + kTable, std::as_bytes(table.words()));
    ASSERT_TRUE(rig.run().status.ok()) << rig.machine.outcome().status.what();
    EXPECT_EQ(rig.dram.word(word_at(2)), 1);
    EXPECT_EQ(rig.dram.word(word_at(4)), 1);
  }
}

TEST(UnityBranches, ABranchToAnotherPlaceFaults) {
  Branches rig;
  rig.dram.set_word(word_at(1), static_cast<std::int32_t>(kBase + 0x8000));
  const Item item = rig.switch_case(word_at(9), {""}, "");
  rig.dram.set_word(item.code[2] + 4, static_cast<std::int32_t>(word_at(1)));  // the list of programs
  rig.queue(0, {item});
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), ErrorCode::branch_outside_program);
  EXPECT_EQ(outcome.status.value(), static_cast<std::int64_t>(kBase + 0x8000));
}

}  // namespace cox::model::unity::testing::branches_test
