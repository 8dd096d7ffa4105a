// SPDX-License-Identifier: MIT
// What a unit starts when, and how long it takes.
#include <gtest/gtest.h>

#include "rig.h"

namespace cox::model::unity::testing::order_test {

/// Start and end of each instruction.
class Log final : public Listener {
 public:
  void on_start(const UnitEvent &event) override {
    starts.push_back(event.start);
    EXPECT_NE(event.operation, nullptr);
  }
  void on_end(const UnitEvent &event) override {
    ends.push_back(event.end);
    last = event.fault;
  }
  std::vector<Cycle> starts, ends;
  Status last;
};

TEST(UnityOrder, AnInstructionReadsItsTableThenItsOperands) {
  // The table has 20 bytes: 2 cycles and the latency. Then 192 bytes: 12 cycles and the latency.
  Rig rig;
  Log log;
  rig.machine.set_listener(&log);
  rig.queue(0, {rig.binary(Opcode::ADD, word_at(0), word_at(16), word_at(32), 16)});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(log.starts, std::vector<Cycle>{0});
  EXPECT_EQ(log.ends, std::vector<Cycle>{62 + 12 + 60});
  EXPECT_EQ(rig.machine.outcome().time, 134U);
  EXPECT_EQ(rig.machine.counters(0).bytes, 212U);
  EXPECT_EQ(rig.machine.counters(0).instructions, 1U);
}

TEST(UnityOrder, LanesOfAUnitServeOneInstructionAtATime) {
  // 2,048 elements take 64 cycles of the lanes; 16 bytes a cycle, 1,536 of the bus.
  Timing timing;
  timing.lanes = 1;
  timing.dram_bytes_per_cycle = 4096;
  Rig rig(1, timing);
  Log log;
  rig.machine.set_listener(&log);
  for (unsigned i = 0; i < 2; ++i)
    rig.queues[0].resize(1), rig.queues[0][0].push_back(rig.binary(Opcode::ADD, word_at(i * 100), word_at(1000), word_at(1000), 50));
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(log.starts, (std::vector<Cycle>{0, 1}));
  // Tables arrive at 61 and 62, operands 60 later; the second waits for the lanes.
  EXPECT_EQ(log.ends, (std::vector<Cycle>{61 + 60 + 50, 61 + 60 + 100}));
}

TEST(UnityOrder, FourInstructionsAreInFlight) {
  Rig rig;
  Log log;
  rig.machine.set_listener(&log);
  Program program;
  for (unsigned i = 0; i < 6; ++i) program.push_back(rig.add(word_at(10 + i), word_at(i), word_at(i)));
  rig.queue(0, program);
  ASSERT_TRUE(rig.run().status.ok());
  ASSERT_EQ(log.starts.size(), 6U);
  EXPECT_EQ(log.starts[3], 3U);
  EXPECT_EQ(log.starts[4], log.ends[0]);
  EXPECT_EQ(log.starts[5], log.ends[1]);
}

TEST(UnityOrder, BlkHoldsTheNextInstruction) {
  Rig rig;
  Log log;
  rig.machine.set_listener(&log);
  rig.dram.set_word(word_at(0), 5);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), block()), rig.add(word_at(2), word_at(1), word_at(1))});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(log.starts[1], log.ends[0]);
  EXPECT_EQ(rig.dram.word(word_at(2)), 20);
}

TEST(UnityOrder, TheEndOfAProgramOrders) {
  Rig rig;
  rig.dram.set_word(word_at(0), 5);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0))});
  rig.queue(0, {rig.add(word_at(2), word_at(1), word_at(1))});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(2)), 20);
}

TEST(UnityOrder, UnitsShareTheBus) {
  const auto duration = [](unsigned units) {
    Rig rig(units);
    for (unsigned unit = 0; unit < units; ++unit)
      rig.queue(unit, {rig.binary(Opcode::ADD, word_at(4096 * unit), word_at(40000), word_at(40000), 4096)});
    EXPECT_TRUE(rig.run().status.ok());
    return rig.machine.outcome().time;
  };
  const Cycle bus = 3 * 4096 * 4 / 16;
  EXPECT_EQ(duration(1), 62 + bus + 60);
  EXPECT_EQ(duration(3), 62 + 3 * bus + 60);
}

TEST(UnityOrder, ASlowBusTakesLonger) {
  Rig rig;
  rig.queue(0, {rig.binary(Opcode::ADD, word_at(0), word_at(16), word_at(32), 16)});
  rig.machine.slow_down(3);
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.machine.outcome().time, 6 + 60 + 36 + 60U);
}

TEST(UnityOrder, AStoppedClockDelaysEverything) {
  Rig rig;
  rig.queue(0, {rig.add(word_at(0), word_at(16), word_at(32))});
  rig.write();
  rig.machine.start(*rig.container, {.address = kBase, .page = 0, .key_tables = 15}, rig.dram, 100);
  rig.machine.step(150);
  rig.machine.delay(1000);
  rig.machine.step(1200);
  EXPECT_FALSE(rig.machine.done());
  while (!rig.machine.done()) rig.machine.step(rig.machine.next_event());
  EXPECT_EQ(rig.machine.outcome().time, 100 + 62 + 1 + 60 + 1000U);
}

TEST(UnityOrder, StopDropsWhatHasNotEnded) {
  Rig rig;
  rig.dram.set_word(word_at(0), 5);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), deposit({0, 0}))});
  rig.write();
  rig.machine.start(*rig.container, {.address = kBase, .page = 0, .key_tables = 15}, rig.dram, 0);
  rig.machine.step(122);
  rig.machine.stop();
  EXPECT_TRUE(rig.machine.done());
  EXPECT_EQ(rig.machine.next_event(), kNever);
  rig.machine.step(10000);
  EXPECT_EQ(rig.dram.word(word_at(1)), 0);
  EXPECT_EQ(rig.machine.key({0, 0}), 0);
}

}  // namespace cox::model::unity::testing::order_test
