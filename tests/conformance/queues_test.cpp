// SPDX-License-Identifier: MIT
// Conformance of every engine: its rings, completions and interrupts (docs/design.md, Queues).
#include "coxswain/device/engine_bits.h"
#include "tests/conformance/fixture.h"

namespace cox::conformance {
namespace {

TEST_P(Conformance, ProgramsRunInOrderOverManyLapsOfTheRing) {
  power_on({}, 0, 1);
  for (std::uint32_t i = 0; i < 3 * kRing + 1; ++i) {
    submit(i % 8);
    machine().run();
    const Entry entry = machine().engine_entry(i);
    EXPECT_EQ(entry.tag, i);
    EXPECT_EQ(entry.status, FaultCode::none);
    EXPECT_EQ(entry.phase, (i >> 1 & 1) == 0 ? 1U : 0U) << "the phase turns with every lap of two entries";
    EXPECT_TRUE(is_right(i % 8)) << i;
    machine().take_completions(i + 1);
  }
  EXPECT_EQ(machine().read(r::engine::head::offset(row().number())), 3 * kRing + 1);
}

TEST_P(Conformance, AFullRingIsServedWithOneDoorbell) {
  for (std::uint32_t i = 0; i < kRing; ++i) {
    prepare(i);
    const Bytes program = sample_->program(input(i), output(i));
    machine().put({machine().place(program), static_cast<std::uint32_t>(program.size()), r::EngineDescriptor::control_of(0, true), {}});
  }
  machine().run();
  EXPECT_EQ(machine().engine_completions(), 0U) << "no doorbell yet";
  machine().ring_engine();
  machine().run();
  EXPECT_EQ(machine().engine_completions(), kRing);
  for (std::uint32_t i = 0; i < kRing; ++i) EXPECT_TRUE(is_right(i)) << i;
}

TEST_P(Conformance, AFullCompletionQueueHoldsTheEngineAndLosesNothing) {
  power_on({}, 0, 1);
  for (std::uint32_t i = 0; i < kRing; ++i) submit(i);
  machine().run();
  EXPECT_EQ(machine().engine_completions(), 2U);
  for (std::uint32_t taken = 1; taken <= kRing; ++taken) {
    machine().take_completions(taken);
    machine().run();
    EXPECT_EQ(machine().engine_completions(), std::min(taken + 2, kRing));
  }
  for (std::uint32_t i = 0; i < kRing; ++i) EXPECT_TRUE(is_right(i)) << i;
}

TEST_P(Conformance, AnInterruptComesAfterItsLatency) {
  submit(0);
  machine().run();
  const Entry entry = machine().engine_entry(0);
  ASSERT_EQ(machine().interrupts.size(), 1U);
  EXPECT_EQ(machine().interrupts[0], (test::Machine::Interrupt{entry.end + 24, 0, 1}));
  EXPECT_EQ(machine().read(r::int_status::kOffset), r::engine_completions::put(1U << row().number()));
  machine().take_completions(1);
  EXPECT_EQ(machine().level[0], 0);
}

TEST_P(Conformance, CompletionsAreCoalescedByCount) {
  power_on({}, r::cq::coalesce::kCount.put(3));
  submit(0);
  submit(1);
  machine().run();
  EXPECT_TRUE(machine().interrupts.empty());
  submit(2);
  machine().run();
  ASSERT_EQ(machine().interrupts.size(), 1U);
  EXPECT_EQ(machine().interrupts[0].time, machine().engine_entry(2).end + 24);
  // The driver gives one entry back. Two are left, fewer than the coalescing count.
  machine().take_completions(1);
  EXPECT_EQ(machine().level[0], 0);
}

TEST_P(Conformance, CompletionsAreCoalescedByTime) {
  power_on({}, r::cq::coalesce::kCount.put(8) | r::cq::coalesce::kTime.put(5000));
  submit(0);
  machine().run();
  ASSERT_EQ(machine().interrupts.size(), 1U);
  EXPECT_EQ(machine().interrupts[0].time, machine().engine_entry(0).end + 5000 + 24);
}

TEST_P(Conformance, NothingRunsUntilTheDeviceIsEnabled) {
  machine().write(r::control::kOffset, 0);
  submit(0);
  machine().advance_to(machine().now + 10'000);
  EXPECT_EQ(machine().engine_completions(), 0U);
  EXPECT_TRUE(is_untouched(0));
  machine().write(r::control::kOffset, 1);
  expect_completion(0, FaultCode::none);
  EXPECT_TRUE(is_right(0));
}

TEST_P(Conformance, TheEffectIsThereAtTheEndAndTheProgramTakesTime) {
  submit(0);
  const std::uint64_t begin = machine().now;
  machine().run();
  EXPECT_GE(machine().engine_entry(0).end, begin + Sample::kLeastCycles);
}

TEST_P(Conformance, CapabilitiesNameTheEngine) { EXPECT_EQ(machine().read(r::capabilities::kOffset) >> row().capability() & 1, 1U); }

}  // namespace
}  // namespace cox::conformance
