// SPDX-License-Identifier: MIT
// Keys: who waits, who is served, what a deadlock says.
#include <gtest/gtest.h>

#include "rig.h"

namespace cox::model::unity::testing::keys_test {

/// Two units; each instruction doubles the word of the one before. Unit 1's last deposit may be left out.
struct Pair : Rig {
  explicit Pair(bool complete) : Rig(2) {
    for (unsigned i = 0; i < 2; ++i) dram.set_word(word_at(i), static_cast<std::int32_t>(3 + i));
    queue(0, {add(word_at(2), word_at(0), word_at(0), deposit({0, 5})), add(word_at(4), word_at(2), word_at(3), both({0, 5}, {0, 6}, 2))});
    queue(1, {add(word_at(3), word_at(1), word_at(1), complete ? deposit({0, 5}) : Sync{}),
              add(word_at(5), word_at(4), word_at(4), fetch({0, 6}))});
  }
};

TEST(UnityKeys, OrderInstructionsOfTwoUnits) {
  Pair rig(true);
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(4)), 14);
  EXPECT_EQ(rig.dram.word(word_at(5)), 28);
  EXPECT_EQ(rig.machine.key({0, 5}), 0);
  EXPECT_EQ(rig.machine.key({0, 6}), 0);
}

TEST(UnityKeys, ReportWhatWaitsInADeadlock) {
  Pair rig(false);
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), ErrorCode::deadlock);
  const std::vector<Waiting> expected = {{0, Rig::position(*rig.container, 0, 1), {0, 5}, 2, 1},
                                         {1, Rig::position(*rig.container, 1, 1), {0, 6}, 1, 0}};
  EXPECT_EQ(outcome.waiting, expected);
  EXPECT_EQ(outcome.position, Rig::position(*rig.container, 0, 1));
}

TEST(UnityKeys, AreTakenAllAtOnce) {
  // Unit 0 wants two keys, unit 1, which comes later, one. The first key is unit 1's, because unit 0 does not find enough.
  Rig rig(3);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), fetch({1, 7}, 2))});
  rig.queue(1, {rig.add(word_at(2), word_at(0), word_at(0)), rig.add(word_at(3), word_at(0), word_at(0), fetch({1, 7}))});
  rig.queue(2, {rig.add(word_at(4), word_at(0), word_at(0), deposit({1, 7}))});
  const Outcome &outcome = rig.run();
  ASSERT_EQ(outcome.waiting.size(), 1U);
  EXPECT_EQ(outcome.waiting[0].unit, 0U);
  EXPECT_EQ(outcome.waiting[0].held, 0);
  EXPECT_EQ(outcome.waiting[0].wanted, 2U);
}

TEST(UnityKeys, GoToTheFirstThatWaits) {
  // Units 1 and 2 wait in this order, then unit 0 comes; two keys come later.
  Rig rig(4);
  rig.dram.set_word(word_at(0), 1);
  rig.queue(0, {rig.binary(Opcode::ADD, word_at(100), word_at(200), word_at(300), 64, block()),
                rig.add(word_at(1), word_at(0), word_at(0), fetch({0, 0}))});
  rig.queue(1, {rig.add(word_at(2), word_at(0), word_at(0), fetch({0, 0}))});
  rig.queue(2, {rig.add(word_at(3), word_at(0), word_at(0), fetch({0, 0}))});
  rig.queue(3, {rig.binary(Opcode::ADD, word_at(400), word_at(600), word_at(800), 128, block()),
                rig.add(word_at(5), word_at(0), word_at(0), block(deposit({0, 0}))),
                rig.add(word_at(6), word_at(0), word_at(0), block(deposit({0, 0})))});
  const Outcome &outcome = rig.run();
  ASSERT_EQ(outcome.waiting.size(), 1U);
  EXPECT_EQ(outcome.waiting[0].unit, 0U);
}

TEST(UnityKeys, KeepTheirCountsUntilAContainerSetsThem) {
  Rig rig(1);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), deposit({2, 9}))});
  ASSERT_TRUE(rig.run().status.ok());
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.machine.key({2, 9}), 2);
  rig.keys({2, 9}, 7);
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.machine.key({2, 9}), 8);
  rig.machine.clear();
  EXPECT_EQ(rig.machine.key({2, 9}), 0);
}

TEST(UnityKeys, OverflowFaults) {
  Rig rig(1);
  rig.keys({3, 255}, 65534);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), block(deposit({3, 255}))),
                rig.add(word_at(1), word_at(0), word_at(0), deposit({3, 255}))});
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), ErrorCode::field_out_of_range);
  EXPECT_STREQ(outcome.status.what(), "deposit_key");
  EXPECT_EQ(outcome.status.value(), 65536);
  EXPECT_EQ(outcome.position, Rig::position(*rig.container, 0, 1));
  EXPECT_EQ(rig.machine.key({3, 255}), 65535);
}

TEST(UnityKeys, ComeFromTheControlCore) {
  Rig rig(1);
  rig.flags = isa::unity::kFlagHostDeposits;
  rig.dram.set_word(word_at(0), 21);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), fetch({0, 1}, 8))});
  rig.write();
  Machine &machine = rig.machine;
  machine.start(*rig.container, {.address = kBase, .page = 0, .key_tables = 1}, rig.dram, 1000);
  machine.step(1000);
  EXPECT_EQ(machine.next_event(), 1000 + Timing().time_limit);
  EXPECT_EQ(machine.set_key({0, 1}, 8).code(), ErrorCode::not_ready);
  machine.step(5000);
  EXPECT_TRUE(machine.add_keys({0, 1}, 7, 5000).ok());
  EXPECT_EQ(machine.next_event(), 1000 + Timing().time_limit);
  EXPECT_TRUE(machine.add_keys({0, 1}, 1, 6000).ok());
  EXPECT_EQ(machine.next_event(), 6000U);
  while (!machine.done()) machine.step(machine.next_event());
  EXPECT_TRUE(machine.outcome().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(1)), 42);
  EXPECT_EQ(machine.counters(0).waited, 5000U);
  EXPECT_TRUE(machine.set_key({0, 1}, 3).ok());
  EXPECT_EQ(machine.key({0, 1}), 3);
}

TEST(UnityKeys, ThatNeverComeEndAtTheTimeLimit) {
  Rig rig(1);
  rig.flags = isa::unity::kFlagHostDeposits;
  rig.time_limit = 2;
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), fetch({0, 1}))});
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), ErrorCode::deadlock);
  EXPECT_EQ(outcome.time, 2 * isa::unity::kTimeUnit);
  ASSERT_EQ(outcome.waiting.size(), 1U);
}

TEST(UnityKeys, OfOtherContextsAreRefused) {
  for (const bool deposits : {false, true}) {
    Rig rig(1);
    rig.key_tables = 0b0101;
    rig.keys({2, 0}, 1);
    rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), fetch({2, 0})),
                  rig.add(word_at(1), word_at(0), word_at(0), deposits ? deposit({3, 0}) : fetch({1, 0}))});
    const Outcome &outcome = rig.run();
    EXPECT_EQ(outcome.status.code(), ErrorCode::field_out_of_range);
    EXPECT_STREQ(outcome.status.what(), deposits ? "keyw_bar" : "keyr_bar");
    EXPECT_EQ(outcome.status.value(), deposits ? 3 : 1);
    EXPECT_EQ(outcome.position, Rig::position(*rig.container, 0, 1));
  }
  Rig rig(1);
  rig.key_tables = 0b0101;
  rig.keys({2, 0}, 1);
  rig.keys({3, 0}, 1);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0))});
  EXPECT_STREQ(rig.run().status.what(), "key");
  EXPECT_EQ(rig.machine.outcome().status.index(), 1);
}

}  // namespace cox::model::unity::testing::keys_test
