// SPDX-License-Identifier: MIT
// Halting cores, single steps, breakpoints, stopping a program.
#include <gtest/gtest.h>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::debugger_test {

using namespace isa::pim::build;

TEST(PimDebugger, AHaltedCoreStepsOneInstructionAtATime) {
  Source source;
  source.code[0] = {addi(r(1), r(1), 1), addi(r(1), r(1), 2), jmp(2), addi(r(1), r(1), 4), addi(r(1), r(1), 8)};
  Rig rig(1);
  rig.machine.halt(0);
  rig.start(source);
  rig.finish();
  EXPECT_FALSE(rig.machine.done());
  EXPECT_EQ(rig.machine.state(0).phase, Phase::halted);
  const std::uint32_t counters[] = {1, 2, 4, 5};
  const std::uint32_t values[] = {1, 3, 3, 11};
  for (unsigned i = 0; i < 4; ++i) {
    rig.machine.step_instruction(0);
    rig.finish();
    EXPECT_EQ(rig.machine.state(0).counter, counters[i]);
    EXPECT_EQ(rig.general(0, 1), values[i]);
  }
  EXPECT_TRUE(rig.machine.done());
  EXPECT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.machine.counters(0).cycles, 5U);
}

TEST(PimDebugger, ABreakpointHaltsItsCoreEachTime) {
  Source source(2);
  source.set(0, 2, 3);
  source.code[0] = {addi(r(1), r(1), 1), bne(r(1), r(2), -1), general_li(r(3), 1)};
  source.code[1] = Instructions(100, addi(r(1), r(1), 1));
  Rig rig(2);
  rig.machine.set_breakpoint(0, 1, true);
  rig.start(source);
  for (std::uint32_t i = 1; i <= 3; ++i) {
    rig.finish();
    EXPECT_EQ(rig.machine.state(0).phase, Phase::halted);
    EXPECT_EQ(rig.machine.state(0).counter, 1U);
    EXPECT_EQ(rig.general(0, 1), i);
    EXPECT_EQ(rig.machine.state(1).phase, Phase::ended) << "the other core goes on";
    if (i < 3) rig.machine.resume(0);
  }
  rig.machine.set_breakpoint(0, 1, false);
  rig.machine.set_breakpoint(0, 2, true);
  rig.machine.resume(0);
  rig.finish();
  EXPECT_EQ(rig.machine.state(0).counter, 2U);
  rig.machine.clear_breakpoints();
  rig.machine.resume(0);
  rig.finish();
  EXPECT_TRUE(rig.machine.done());
  EXPECT_EQ(rig.general(0, 3), 1U);
}

TEST(PimDebugger, ABreakpointAtTheFirstInstructionHalts) {
  Source source;
  source.code[0] = {general_li(r(1), 1)};
  Rig rig(1);
  rig.machine.set_breakpoint(0, 0, true);
  for (unsigned i = 0; i < 2; ++i) {
    rig.start(source);
    rig.finish();
    EXPECT_EQ(rig.machine.state(0).phase, Phase::halted);
    EXPECT_EQ(rig.general(0, 1), 0U);
    rig.machine.resume(0);
    rig.finish();
    EXPECT_TRUE(rig.machine.done());
  }
}

TEST(PimDebugger, AStepOverABatchRunsIt) {
  Source source;
  source.set(0, 1, kInputBuffer).set(0, 2, 1).set(0, 4, 2).set(0, 32, 8).set(0, 34, 8).set(0, 36, 1).set(0, 37, 1);
  source.code[0] = {pim_batch(r(4), r(5), r(5), r(5)), pim_compute(r(1), r(2), r(3)), general_li(r(9), 9)};
  Rig rig(1);
  rig.machine.halt(0);
  rig.start(source);
  rig.machine.step_instruction(0);
  rig.finish();
  EXPECT_EQ(rig.machine.state(0).counter, 2U);
  EXPECT_EQ(rig.machine.counters(0).instructions, 2U);
}

TEST(PimDebugger, ACoreThatStepsIntoAMessageHaltsBehindIt) {
  Source source(2);
  for (unsigned core = 0; core < 2; ++core) source.set(core, 1, kData).set(core, 2, 1 - core).set(core, 3, 4);
  source.code[0] = {send(r(2), {r(1), r(1), r(0), r(3)}), general_li(r(9), 9)};
  source.code[1] = {receive(r(2), {r(1), r(1), r(0), r(3)})};
  Rig rig(2);
  rig.machine.halt(0);
  rig.machine.halt(1);
  rig.start(source);
  rig.machine.step_instruction(0);
  rig.finish();
  EXPECT_EQ(rig.machine.state(0).phase, Phase::message);
  EXPECT_FALSE(rig.machine.done()) << "the other core is halted: no deadlock";
  rig.machine.step_instruction(1);
  rig.finish();
  EXPECT_EQ(rig.machine.state(0).phase, Phase::halted);
  EXPECT_EQ(rig.machine.state(0).counter, 1U);
  EXPECT_EQ(rig.machine.state(1).phase, Phase::ended);
  rig.machine.resume(0);
  rig.finish();
  EXPECT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.general(0, 9), 9U);
}

TEST(PimDebugger, TheTimeLimitStandsStillWhileACoreIsHalted) {
  Source source;
  source.time_limit = 100;
  source.code[0] = Instructions(20, addi(r(1), r(1), 1));
  Rig rig(1);
  rig.machine.set_breakpoint(0, 10, true);
  rig.start(source);
  rig.machine.step(5000);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::halted);
  rig.machine.resume(0);
  rig.finish();
  EXPECT_TRUE(rig.status().ok()) << error_name(rig.status().code());
  // Without an end after the halt, the rest of the limit holds.
  source.code[0].back() = jmp(0);
  rig.start(source, 10'000);
  rig.machine.step(15'000);
  rig.machine.resume(0);
  EXPECT_EQ(rig.finish(), 15'000 + 100 - 11U);
  EXPECT_EQ(rig.status().code(), ErrorCode::time_limit);
}

TEST(PimDebugger, StopDropsTheProgram) {
  Source source(2);
  source.set(0, 1, kData).set(0, 2, 5);
  source.code[0] = {store_local(r(2), r(1)), barrier(r(0), r(2))};
  source.code[1] = {jmp(0)};
  Rig rig(2);
  rig.start(source);
  rig.machine.step(50);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::faulted) << "five cores are more than the program has";
  rig.machine.stop();
  EXPECT_TRUE(rig.machine.done());
  EXPECT_EQ(rig.machine.next_event(), kNever);
  EXPECT_EQ(rig.machine.state(1).phase, Phase::absent);
  EXPECT_EQ(rig.word(0, data_space, 0), 5U) << "memories keep their bytes";
  Source next;
  next.code[0] = {general_li(r(1), 1)};
  rig.run(next);
  EXPECT_TRUE(rig.status().ok());
}

}  // namespace cox::model::pim::testing::debugger_test
