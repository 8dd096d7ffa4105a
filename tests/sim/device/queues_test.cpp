// SPDX-License-Identifier: MIT
// Submission and completion queues: exact latencies, laps, coalescing and a full ring (docs/design.md, Queues).
#include "tests/sim/device/machine.h"

namespace cox::test {
namespace queues_test {

using Interrupts = std::vector<Machine::Interrupt>;

// In the default geometry a doorbell takes effect after 50 cycles, ct_* takes 35 cycles, *_cfg takes 21, and an interrupt comes
// 24 cycles after its cause.
const MachineCode kControl = make(Opcode::ct_st);
const MachineCode kConfiguration = make(Opcode::vp_cfg_sms);

TEST(Queues, AnInstructionStartsAfterTheDoorbellLatencyAndInterruptsAfterItsOwn) {
  Machine machine;
  machine.now = 1000;
  machine.bring_up();
  machine.submit({with_completion(kControl)});
  EXPECT_EQ(cox_model_next_event(machine.model), 1050u);
  machine.advance_to(1050);
  EXPECT_EQ(cox_model_next_event(machine.model), 1085u);
  EXPECT_EQ(machine.read(r::core::sq::status::offset(0, 0)), r::core::sq::status::kBusy.mask());
  machine.advance_to(1084);
  EXPECT_EQ(machine.completions(), 0u);
  EXPECT_EQ(machine.read(r::core::sq::head::offset(0, 0)), 0u);
  machine.run();
  EXPECT_EQ(machine.completions(), 1u);
  EXPECT_EQ(machine.read(r::core::sq::head::offset(0, 0)), 1u);
  const Entry entry = machine.entry(0);
  EXPECT_EQ(entry.tag, 0u);
  EXPECT_EQ(entry.queue, 0u);
  EXPECT_EQ(entry.status, FaultCode::none);
  EXPECT_EQ(entry.phase, 1u);
  EXPECT_EQ(entry.end, 1085u);
  EXPECT_EQ(machine.interrupts, (Interrupts{{1109, 0, 1}}));
  EXPECT_EQ(machine.read(r::int_status::kOffset), 1u);
  machine.write(r::cq::head::offset(0), 1);
  EXPECT_EQ(machine.level[0], 0);
}

TEST(Queues, AQueueExecutesInOrderAndQueuesRunSideBySide) {
  Machine machine;
  machine.bring_up();
  // One doorbell covers three instructions. The doorbell of a fourth is rung while they run. A fifth instruction is in another queue.
  machine.put({with_completion(kConfiguration), kConfiguration, with_completion(kConfiguration)});
  machine.ring(Class::VP);
  machine.submit({with_completion(kControl)});
  machine.advance_to(60);
  machine.submit({with_completion(kConfiguration)});
  machine.run();
  ASSERT_EQ(machine.completions(), 4u);
  EXPECT_EQ(machine.entry(0).end, 50u + 21);
  EXPECT_EQ(machine.entry(1).end, 50u + 35);
  EXPECT_EQ(machine.entry(1).queue, 0u);
  EXPECT_EQ(machine.entry(2).end, 50u + 3 * 21);
  EXPECT_EQ(machine.entry(2).tag, 2u);
  EXPECT_EQ(machine.entry(2).queue, 4u);
  // The doorbell at cycle 60 would let the fourth instruction start at cycle 110, but its queue is busy until cycle 113.
  EXPECT_EQ(machine.entry(3).end, 113u + 21);
  EXPECT_EQ(machine.counter(Class::VP, r::core::sq::instructions_lo::kOffset), 4u);
  EXPECT_EQ(machine.counter(Class::VP, r::core::sq::busy_lo::kOffset), 84u);
  EXPECT_EQ(machine.counter(Class::VP, r::core::sq::stalled_lo::kOffset), 0u);
}

TEST(Queues, NothingRunsUntilTheDeviceIsEnabled) {
  Machine machine;
  machine.bring_up();
  machine.write(r::control::kOffset, 0);
  machine.submit({with_completion(kControl)});
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
  EXPECT_EQ(machine.read(r::core::sq::status::offset(0, 0)), r::core::sq::status::kWaiting.mask());
  machine.now = 500;
  machine.write(r::control::kOffset, 1);
  EXPECT_EQ(cox_model_next_event(machine.model), 500u);
  machine.run();
  EXPECT_EQ(machine.entry(0).end, 535u);
}

TEST(Queues, EachCoreHasQueuesCompletionsAndBanksOfItsOwn) {
  Machine machine(R"({"geometry": {"tile_cores": 2}})");
  machine.bring_up();
  const std::uint64_t ring = Machine::kMemoryBase + 0x20000, completions = Machine::kMemoryBase + 0x30000;
  constexpr auto kLoads = static_cast<std::uint32_t>(Class::LD);
  machine.write(r::core::sq::base_lo::offset(1, kLoads), static_cast<std::uint32_t>(ring));
  machine.write(r::core::sq::control::offset(1, kLoads), 1 | 4 << 4);
  machine.write(r::cq::base_lo::offset(1), static_cast<std::uint32_t>(completions));
  machine.write(r::cq::control::offset(1), 1 | 4 << 4);
  machine.write(r::int_enable::kOffset, 3);
  // Only core 0 is configured; core 1 lacks the configuration.
  machine.submit({make(Opcode::lda_cfg, {{"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}})});
  const MachineCode load = in_core(make(Opcode::lda_mov, {{"Tile", {1, 8, 4, 4}}}), 1);
  std::memcpy(machine.find(ring, 32), load.data(), 32);
  machine.run();
  machine.write(r::core::sq::tail::offset(1, kLoads), 1);
  machine.run();
  std::uint32_t words[4];
  std::memcpy(words, machine.find(completions, 16), 16);
  EXPECT_EQ(words[1], 10u | static_cast<std::uint32_t>(FaultCode::missing_configuration) << 8 | 1U << 31);
  EXPECT_EQ(machine.completions(), 0u);
  EXPECT_EQ(machine.read(r::int_status::kOffset) & 3, 2u);
  EXPECT_EQ(machine.level[0], 1);
  EXPECT_EQ(r::fault_status::kQueue.get(machine.read(r::fault_status::kOffset)), 10u);
  // A reset of core 1 does not affect core 0.
  machine.write(r::engine_reset::kOffset, 2);
  EXPECT_EQ(machine.read(r::core::sq::control::offset(1, kLoads)), 0u);
  EXPECT_EQ(machine.read(r::core::sq::control::offset(0, kLoads)), 1u | 4 << 4);
  EXPECT_EQ(machine.level[0], 0);
}

TEST(Queues, ThePhaseBitTurnsWithEveryLap) {
  Machine machine;
  machine.bring_up(1);  // a ring of two entries
  for (std::uint32_t i = 0; i < 6; ++i) {
    machine.submit({with_completion(kControl)});
    machine.run();
    EXPECT_EQ(machine.entry(i).tag, i);
    EXPECT_EQ(machine.entry(i).phase, i / 2 % 2 == 0 ? 1u : 0u) << i;
    machine.write(r::cq::head::offset(0), i + 1);
  }
}

TEST(Queues, IndicesRunFreeOverManyLapsOfTheRing) {
  Machine machine;
  machine.bring_up();
  for (std::uint32_t i = 0; i < 100; ++i) {
    machine.submit({with_completion(kControl)});
    machine.run();
    machine.write(r::cq::head::offset(0), i + 1);
  }
  EXPECT_EQ(machine.read(r::core::sq::head::offset(0, 0)), 100u);
  EXPECT_EQ(machine.entry(99).tag, 99u);
}

TEST(Queues, CoalescingByCount) {
  Machine machine;
  machine.bring_up(4, r::cq::coalesce::kCount.put(3));
  machine.put({with_completion(kControl), with_completion(kControl)});
  machine.ring(Class::CT);
  machine.run();
  EXPECT_TRUE(machine.interrupts.empty());
  machine.submit({with_completion(kControl)});
  const std::uint64_t end = machine.now + 50 + 35;
  machine.run();
  EXPECT_EQ(machine.interrupts, (Interrupts{{end + 24, 0, 1}}));
  // The driver gives one entry back. Two are left, fewer than the coalescing count.
  machine.write(r::cq::head::offset(0), 1);
  EXPECT_EQ(machine.level[0], 0);
}

TEST(Queues, CoalescingByTime) {
  Machine machine;
  machine.bring_up(4, r::cq::coalesce::kCount.put(8) | r::cq::coalesce::kTime.put(1000));
  machine.put({with_completion(kControl), with_completion(kControl)});
  machine.ring(Class::CT);
  machine.run();
  // The first entry is written at cycle 50 + 35 = 85. The coalescing time of 1,000 cycles and the latency of 24 follow.
  EXPECT_EQ(machine.interrupts, (Interrupts{{85 + 1000 + 24, 0, 1}}));
}

TEST(Queues, AFullCompletionQueueStallsTheEngineAndLosesNothing) {
  Machine machine;
  machine.bring_up(1);
  machine.put({with_completion(kControl), with_completion(kControl), with_completion(kControl), with_completion(kControl)});
  machine.ring(Class::CT);
  machine.run();
  EXPECT_EQ(machine.completions(), 2u);
  EXPECT_EQ(machine.read(r::core::sq::head::offset(0, 0)), 2u);
  EXPECT_EQ(machine.read(r::core::sq::status::offset(0, 0)), r::core::sq::status::kWaiting.mask());
  machine.advance_to(1000);
  machine.write(r::cq::head::offset(0), 1);
  // The third instruction ended at 155 (50 + 3 * 35) but completes now. The fourth starts now.
  EXPECT_EQ(machine.completions(), 3u);
  EXPECT_EQ(machine.entry(2).end, 155u);
  machine.write(r::cq::head::offset(0), 3);
  machine.run();
  EXPECT_EQ(machine.entry(3).end, 1035u);
  EXPECT_EQ(machine.counter(Class::CT, r::core::sq::stalled_lo::kOffset), 1000u - 155);
  EXPECT_EQ(machine.counter(Class::CT, r::core::sq::busy_lo::kOffset), 4u * 35);
}

TEST(Queues, WhatWaitsForRoomCompletesInTheOrderOfItsEnds) {
  Machine machine;
  machine.bring_up(1);
  machine.put({with_completion(kControl), with_completion(kControl), with_completion(kControl)});
  machine.ring(Class::CT);
  machine.advance_to(100);
  machine.submit({with_completion(kConfiguration)});  // ends after the third kControl
  machine.run();
  machine.write(r::cq::head::offset(0), 2);
  EXPECT_EQ(machine.completions(), 4u);
  EXPECT_EQ(machine.entry(2).end, 155u);
  EXPECT_EQ(machine.entry(3).end, 171u);
}

TEST(Queues, MaskedInterruptsShowInTheStatusAlone) {
  Machine machine;
  machine.bring_up();
  machine.write(r::int_enable::kOffset, 0);
  machine.submit({with_completion(kControl)});
  machine.run();
  EXPECT_TRUE(machine.interrupts.empty());
  EXPECT_EQ(machine.read(r::int_status::kOffset), 1u);
  machine.write(r::int_enable::kOffset, 1);
  EXPECT_EQ(machine.level[0], 1);
}

TEST(Queues, ACompletionThatCannotBeWrittenIsLogged) {
  Machine machine;
  machine.bring_up();
  machine.write(r::cq::control::offset(0), 0);
  machine.write(r::cq::base_lo::offset(0), 0x1000);  // there is no memory at this address
  machine.write(r::cq::control::offset(0), 1 | 4 << 4);
  machine.submit({with_completion(kControl)});
  machine.run();
  ASSERT_EQ(machine.log.size(), 1u);
  EXPECT_NE(machine.log[0].find("the completion is lost"), std::string::npos);
}

}  // namespace queues_test
}  // namespace cox::test
