// SPDX-License-Identifier: MIT
// Programs without hazards give the same results under any timing.
#include <gtest/gtest.h>

#include <functional>

#include "rig.h"

namespace cox::model::unity::testing::random_timing_test {

constexpr unsigned kTimings = 100;
using Write = std::function<void(Rig &)>;

constexpr std::uint8_t byte(unsigned value) { return static_cast<std::uint8_t>(value); }

/// `expected` is word 0 of the results, at word_at(1000).
void expect_same_under_all_timings(unsigned units, const Write &write, std::int32_t expected) {
  std::vector<std::byte> first;
  unsigned durations = 0;
  Cycle before = 0;
  for (unsigned seed = 1; seed <= kTimings; ++seed) {
    Timing timing;
    timing.jitter_seed = seed * 7919;
    Rig rig(units, timing);
    for (unsigned i = 0; i < 64; ++i) rig.dram.set_word(word_at(i), static_cast<std::int32_t>(i + 1));
    write(rig);
    ASSERT_TRUE(rig.run().status.ok()) << "seed " << seed;
    ASSERT_EQ(rig.dram.word(word_at(1000)), expected) << "seed " << seed;
    if (first.empty()) first = rig.dram.bytes;
    ASSERT_EQ(first, rig.dram.bytes) << "seed " << seed;
    durations += rig.machine.outcome().time != before ? 1 : 0;
    before = rig.machine.outcome().time;
  }
  EXPECT_GT(durations, kTimings / 2) << "the timings do not differ";
}

TEST(UnityRandomTiming, AChainThroughAllUnits) {
  // Unit u adds 1 to the word that unit u - 1 has written.
  expect_same_under_all_timings(
      8,
      [](Rig &rig) {
        for (unsigned u = 0; u < 8; ++u) {
          Sync sync = u == 0 ? deposit({0, 0}) : both({0, byte(u - 1)}, {0, byte(u)});
          rig.queue(u, {rig.add(word_at(1000 - (7 - u)), u == 0 ? word_at(0) : word_at(1000 - (8 - u)), word_at(0), sync)});
        }
      },
      9);
}

TEST(UnityRandomTiming, ATreeOfSums) {
  // Eight units sum pairs of 16 words, four wait for two each, and so on.
  expect_same_under_all_timings(
      8,
      [](Rig &rig) {
        for (unsigned u = 0; u < 8; ++u)
          rig.queue(u, {rig.add(word_at(100 + u), word_at(2 * u), word_at(2 * u + 1), deposit({1, byte(u / 2)}))});
        for (unsigned u = 0; u < 4; ++u)
          rig.queue(u,
                    {rig.add(word_at(110 + u), word_at(100 + 2 * u), word_at(101 + 2 * u), both({1, byte(u)}, {1, byte(10 + u / 2)}, 2))});
        for (unsigned u = 0; u < 2; ++u)
          rig.queue(u, {rig.add(word_at(120 + u), word_at(110 + 2 * u), word_at(111 + 2 * u), both({1, byte(10 + u)}, {1, 20}, 2))});
        rig.queue(7, {rig.add(word_at(1000), word_at(120), word_at(121), fetch({1, 20}, 2))});
      },
      136);
}

TEST(UnityRandomTiming, AProducerWithTwoBuffers) {
  // Unit 0 writes two buffers in turn; unit 1 adds them up. Two keys say that buffers are free.
  expect_same_under_all_timings(
      2,
      [](Rig &rig) {
        rig.keys({0, 1}, 2);
        Program producer, consumer;
        for (unsigned i = 0; i < 12; ++i) {
          producer.push_back(rig.add(word_at(200 + i % 2), word_at(i), word_at(0), block(both({0, 1}, {0, 2}))));
          consumer.push_back(rig.add(word_at(1000), word_at(1000), word_at(200 + i % 2), block(both({0, 2}, {0, 1}))));
        }
        rig.queue(0, producer);
        rig.queue(1, consumer);
      },
      78 + 12);
}

TEST(UnityRandomTiming, KeysOrderInstructionsOfOneUnit) {
  expect_same_under_all_timings(
      1,
      [](Rig &rig) {
        Program program;
        for (unsigned i = 0; i < 10; ++i)
          program.push_back(
              rig.add(word_at(1000), word_at(1000), word_at(i), i == 0 ? deposit({3, 0}) : both({3, byte(i - 1)}, {3, byte(i)})));
        rig.queue(0, program);
      },
      55);
}

TEST(UnityRandomTiming, ABarrierOfFourUnits) {
  // Each unit writes a word and gives three keys' worth of arrivals: one entry for each other unit; then it reads all words.
  expect_same_under_all_timings(
      5,
      [](Rig &rig) {
        for (unsigned u = 0; u < 4; ++u) {
          Program program = {rig.binary(Opcode::MUL, word_at(300 + u), word_at(u), word_at(u), 1, block(deposit({2, 0})))};
          program.push_back(
              rig.add(word_at(310 + u), word_at(300 + (u + 1) % 4), word_at(300 + (u + 2) % 4), both({2, byte(1 + u)}, {2, 9})));
          rig.queue(u, program);
        }
        Program gate = {rig.add(word_at(400), word_at(0), word_at(0), block(both({2, 0}, {2, 1}, 4)))};
        for (unsigned u = 1; u < 4; ++u) gate.push_back(rig.add(word_at(400), word_at(0), word_at(0), block(deposit({2, byte(1 + u)}))));
        gate.push_back(rig.add(word_at(401), word_at(310), word_at(311), block(fetch({2, 9}, 4))));
        gate.push_back(rig.add(word_at(402), word_at(312), word_at(313), block()));
        gate.push_back(rig.add(word_at(1000), word_at(401), word_at(402)));
        rig.queue(4, gate);
      },
      2 * (1 + 4 + 9 + 16));
}

TEST(UnityRandomTiming, LoopsOfTwoUnitsInStep) {
  // Both units loop five times and pass the word to and fro.
  expect_same_under_all_timings(
      2,
      [](Rig &rig) {
        rig.keys({0, 0}, 1);
        for (unsigned u = 0; u < 2; ++u) {
          rig.dram.set_word(word_at(500 + u), 5);
          const std::string name = "turn " + std::to_string(u);
          rig.sub_program(name, {rig.add(word_at(1000), word_at(1000), word_at(u), both({0, byte(u)}, {0, byte(1 - u)})),
                                 rig.binary(Opcode::SUB, word_at(500 + u), word_at(500 + u), word_at(0))});
          rig.queue(u, {rig.loop(word_at(500 + u), "", name, 5)});
        }
      },
      15);
}

TEST(UnityRandomTiming, BranchesThatDependOnAnotherUnit) {
  expect_same_under_all_timings(
      3,
      [](Rig &rig) {
        rig.sub_program("seven", {rig.add(word_at(1000), word_at(5), word_at(0), deposit({0, 8}))});
        rig.sub_program("never", {rig.add(word_at(1000), word_at(60), word_at(60), deposit({0, 8}))});
        rig.queue(0, {rig.binary(Opcode::SUB, word_at(600), word_at(3), word_at(3), 1, deposit({0, 7}))});
        rig.queue(1, {rig.cond(word_at(600), "never", "seven", fetch({0, 7}))});
        rig.queue(2, {rig.add(word_at(1001), word_at(1000), word_at(1000), fetch({0, 8}))});
      },
      7);
}

TEST(UnityRandomTiming, ManyInFlightBesideEachOther) {
  // Four units write 16 words each, in any order; each gives a key, and one instruction waits for eight of them at a time.
  expect_same_under_all_timings(
      5,
      [](Rig &rig) {
        for (unsigned u = 0; u < 4; ++u) {
          Program program;
          for (unsigned i = 0; i < 16; ++i)
            program.push_back(rig.add(word_at(700 + 16 * u + i), word_at(16 * u + i), word_at(0), deposit({1, byte(u)})));
          rig.queue(u, program);
        }
        Program sum;
        for (unsigned u = 0; u < 4; ++u) {
          for (unsigned half = 0; half < 2; ++half)
            sum.push_back(rig.add(word_at(1000 + u * 2 + half), word_at(700), word_at(0), block(fetch({1, byte(u)}, 8))));
        }
        sum.push_back(rig.binary(Opcode::ADD, word_at(1100), word_at(700), word_at(700), 64, block()));
        sum.push_back(rig.add(word_at(1000), word_at(1163), word_at(0)));
        rig.queue(4, sum);
      },
      131);
}

TEST(UnityRandomTiming, AMissingKeyEndsInTheSameReport) {
  // The chain without the deposit of unit 3; unit 5 waits for two keys more than there are.
  for (unsigned seed = 1; seed <= kTimings; ++seed) {
    Timing timing;
    timing.jitter_seed = seed * 7919;
    Rig rig(8, timing);
    for (unsigned u = 0; u < 8; ++u) {
      Sync sync = u == 0 ? deposit({0, 0}) : both({0, byte(u - 1)}, {0, byte(u)}, u == 5 ? 3 : 1);
      if (u == 3) sync = fetch({0, 2});
      rig.queue(u, {rig.add(word_at(100 + u), word_at(99 + u), word_at(0), sync)});
    }
    rig.keys({0, 4}, 1);
    const Outcome &outcome = rig.run();
    ASSERT_EQ(outcome.status.code(), ErrorCode::deadlock) << "seed " << seed;
    const std::vector<std::vector<unsigned>> expected = {{4, 3, 1, 0}, {5, 4, 3, 1}, {6, 5, 1, 0}, {7, 6, 1, 0}};
    std::vector<std::vector<unsigned>> waiting;
    for (const Waiting &unit : outcome.waiting) waiting.push_back({unit.unit, unit.key.entry, unit.wanted, unit.held});
    ASSERT_EQ(waiting, expected) << "seed " << seed;
  }
}

}  // namespace cox::model::unity::testing::random_timing_test
