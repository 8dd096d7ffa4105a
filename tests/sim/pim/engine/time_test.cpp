// SPDX-License-Identifier: MIT
// The time of PIM programs: a clock that stops, slow memory, faults that hold a program up.
#include "tests/sim/device/plan_case.h"
#include "tests/sim/pim/engine/machine.h"

namespace cox::test::pim {
namespace {

namespace time_test {

TEST(PimTime, AClockThatStopsAtAnyCycleChangesOnlyTheTime) {
  const Assembly program = ping_pong(0x100, 3);
  std::uint64_t begin = 0, end = 0;
  {
    PimMachine machine;
    machine.put_word(0x100, 7);
    machine.submit(program);
    begin = machine.now;
    machine.EngineMachine::run();
    end = machine.engine_entry(0).end;
  }
  ASSERT_LT(end, begin + 3000);
  for (std::uint64_t at = begin + 51; at < end; ++at) {
    const std::uint64_t stood = 1 + at % 97;
    PimMachine machine;
    machine.put_word(0x100, 7);
    machine.submit(program);
    machine.advance_to(at);
    machine.set_clock(false);
    machine.advance_to(at + stood);
    machine.set_clock(true);
    machine.EngineMachine::run();
    ASSERT_EQ(machine.engine_completions(), 1U) << at;
    ASSERT_EQ(machine.engine_entry(0).status, registers::FaultCode::none);
    ASSERT_EQ(machine.engine_entry(0).end, end + stood) << at;
    for (unsigned i = 0; i <= 3; ++i) ASSERT_EQ(machine.word(0x100 + 4 * i), 7 + 3 * i) << at;
  }
}

TEST(PimTime, ALongerProgramTakesLongerToFetch) {
  Assembly small;
  small.add(0, build::jmp(1));
  Assembly large = small;
  // Core 1 has 16,000 instructions and jumps to the end at once.
  large.add(1, build::jmp(16'000));
  for (unsigned i = 1; i < 16'000; ++i) large.add(1, build::jmp(1));
  const auto duration = [](const Assembly &program) {
    PimMachine machine;
    const std::uint64_t begin = machine.now;
    const Entry entry = machine.run(program);
    EXPECT_EQ(entry.status, registers::FaultCode::none);
    return entry.end - begin;
  };
  const std::uint64_t difference = duration(large) - duration(small);
  // Its code is 64,000 bytes, and 16 bytes come in a cycle; its entry in the table is 8 bytes.
  EXPECT_GE(difference, 4000U);
  EXPECT_LE(difference, 4002U);
}

TEST(PimTime, SlowMemoryIsSlowForDramOnly) {
  Assembly program;
  program.add(0, build::constant(build::r(1), PimMachine::dram(0))).add(0, build::general_li(build::r(2), kInput));
  program.add(0, build::general_li(build::r(3), 0x8000)).add(0, build::trans(build::r(2), build::r(1), build::r(3)));
  PimMachine machine;
  const std::uint64_t usual = machine.run(program).end;
  const PlanFile plan("slow factor=4 at=0 cycles=1000000");
  PimMachine slow(plan.options().c_str());
  EXPECT_EQ(slow.run(program).end, usual + 3 * 0x8000 / 16);
}

TEST(PimTime, WhatHoldsAProgramUpIsCountedAsStalled) {
  Assembly program;
  program.add(0, build::jmp(1));
  const std::uint32_t busy = registers::engine::busy_lo::offset(0) - registers::engine::base_lo::offset(0);
  const std::uint32_t stalled = registers::engine::stalled_lo::offset(0) - registers::engine::base_lo::offset(0);
  PimMachine plain;
  const std::uint64_t end = plain.run(program).end;
  const PlanFile plan("stuck queue=PIM instruction=1 cycles=300");
  PimMachine machine(plan.options().c_str());
  EXPECT_EQ(machine.run(program).end, end + 300);
  EXPECT_EQ(machine.engine_counter(stalled), 300U);
  EXPECT_EQ(machine.engine_counter(busy), plain.engine_counter(busy));
}

}  // namespace time_test
}  // namespace
}  // namespace cox::test::pim
