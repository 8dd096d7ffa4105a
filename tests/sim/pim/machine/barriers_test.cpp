// SPDX-License-Identifier: MIT
// Barriers, and programs that can never go on.
#include <gtest/gtest.h>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::barriers_test {

using namespace isa::pim::build;

/// r1 to r4 = 1 to 4 (numbers of cores and ids), r5 = data, r6 to r9 = the cores 0 to 3.
Source cores_source(unsigned cores) {
  Source source(cores);
  for (unsigned core = 0; core < cores; ++core) {
    source.set(core, 5, kData);
    for (unsigned i = 0; i < 4; ++i) source.set(core, 1 + i, i + 1).set(core, 6 + i, i);
  }
  return source;
}

void idle(Instructions &code, unsigned instructions) { code.resize(code.size() + instructions, add(r(30), r(30), r(30))); }

TEST(PimBarriers, CoresLeaveABarrierTogether) {
  Source source = cores_source(4);
  for (unsigned core = 0; core < 4; ++core) {
    idle(source.code[core], 10 * core);
    source.code[core].push_back(barrier(r(1), r(4)));
    source.code[core].push_back(add(r(30), r(30), r(30)));
  }
  Rig rig(4);
  EXPECT_EQ(rig.run(source), 31 + 4 + 1U);
  for (unsigned core = 0; core < 4; ++core) EXPECT_EQ(rig.machine.counters(core).cycles, 36U);
}

TEST(PimBarriers, IdsAreBarriersOfTheirOwnAndCanBeUsedAgain) {
  Source source = cores_source(4);
  for (unsigned core = 0; core < 4; ++core) {
    for (unsigned i = 0; i < 3; ++i) {
      source.code[core].push_back(barrier(r(core < 2 ? 1 : 2), r(2)));  // {0, 1} and {2, 3}
      source.code[core].push_back(barrier(r(3), r(4)));
    }
    source.code[core].push_back(barrier(r(1 + core % 4), r(1)));  // alone
  }
  Rig rig(4);
  rig.run(source);
  EXPECT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.machine.counters(2).instructions, 7U);
}

TEST(PimBarriers, WhatCoresStoreBeforeABarrierOthersLoadAfterIt) {
  Source source = cores_source(4);
  for (unsigned core = 0; core < 4; ++core) {
    source.set(core, 10, kDram + 4 * core).set(core, 11, kDram + 4 * ((core + 1) % 4)).set(core, 12, 100 + core);
    idle(source.code[core], 5 * core);
    for (const MachineCode &code : {store_global(r(12), r(10)), barrier(r(1), r(4)), load_global(r(13), r(11))})
      source.code[core].push_back(code);
  }
  Rig rig(4);
  rig.run(source);
  for (unsigned core = 0; core < 4; ++core) EXPECT_EQ(rig.general(core, 13), 100 + (core + 1) % 4);
}

TEST(PimBarriers, ANumberUnlikeTheFirstArrivalsFaults) {
  Source source = cores_source(3);
  source.code[0] = {barrier(r(1), r(2))};
  idle(source.code[1], 5);
  source.code[1].push_back(barrier(r(1), r(3)));
  idle(source.code[2], 10);
  source.code[2].push_back(barrier(r(1), r(2)));
  Rig rig(3);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::barrier_mismatch);
  EXPECT_STREQ(rig.status().what(), "rs_num");
  EXPECT_EQ(rig.status().value(), 3);
  EXPECT_EQ(rig.status().limit(), 2);
  EXPECT_EQ(rig.machine.outcome().position.core, 1U);
  EXPECT_EQ(rig.machine.outcome().position.instruction, 5U);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::ended) << "the barrier of the others goes on";
  EXPECT_EQ(rig.machine.state(2).phase, Phase::ended);
}

TEST(PimBarriers, ACoreThatFaultsInABarrierHasLeftIt) {
  // Core 0 waits in barrier 1 when the other side of its message disagrees. Cores 2 and 3 then need each other.
  Source source = cores_source(4);
  source.code[0] = {send(r(7), {r(5), r(5), r(1), r(4)}, true), barrier(r(1), r(2))};
  idle(source.code[1], 10);
  source.code[1].push_back(receive(r(6), {r(5), r(5), r(1), r(3)}));
  for (unsigned core = 2; core < 4; ++core) {
    idle(source.code[core], 20 * core);
    source.code[core].push_back(barrier(r(1), r(2)));
  }
  Rig rig(4);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::message_mismatch);
  EXPECT_EQ(rig.machine.counters(2).cycles, 61 + 4U);
  EXPECT_EQ(rig.machine.counters(3).cycles, 61 + 4U);
  EXPECT_EQ(rig.machine.outcome().waiting, 0U);
}

// Deadlocks.

TEST(PimDeadlock, TwoCoresThatSendToEachOther) {
  Source source = cores_source(3);
  source.code[0] = {add(r(30), r(30), r(30)), send(r(7), {r(5), r(5), r(1), r(4)}), receive(r(7), {r(5), r(5), r(1), r(4)})};
  source.code[1] = {send(r(6), {r(5), r(5), r(1), r(4)}), receive(r(6), {r(5), r(5), r(1), r(4)})};
  idle(source.code[2], 20);
  Rig rig(3);
  rig.run(source);
  const Outcome &outcome = rig.machine.outcome();
  EXPECT_EQ(outcome.status.code(), ErrorCode::deadlock);
  EXPECT_STREQ(outcome.status.what(), "send");
  EXPECT_EQ(outcome.status.value(), 0b11);
  EXPECT_EQ(outcome.waiting, 0b11U);
  EXPECT_EQ(outcome.position.core, 0U);
  EXPECT_EQ(outcome.position.instruction, 1U);
  const CoreState state = rig.machine.state(1);
  EXPECT_EQ(state.phase, Phase::message);
  EXPECT_EQ(state.counter, 0U);
  EXPECT_EQ(state.other, 0U);
  EXPECT_EQ(state.id, 1U);
  EXPECT_EQ(state.open_messages, 1U);
  EXPECT_EQ(rig.machine.state(2).phase, Phase::ended);
}

TEST(PimDeadlock, ARingOfReceives) {
  Source source = cores_source(4);
  for (unsigned core = 0; core < 4; ++core)
    source.code[core] = {receive(r(6 + (core + 1) % 4), {r(5), r(5), r(1), r(4)}), send(r(6 + (core + 3) % 4), {r(5), r(5), r(1), r(4)})};
  Rig rig(4);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::deadlock);
  EXPECT_STREQ(rig.status().what(), "receive");
  EXPECT_EQ(rig.machine.outcome().waiting, 0b1111U);
  for (unsigned core = 0; core < 4; ++core) EXPECT_EQ(rig.machine.state(core).other, (core + 1) % 4);
}

TEST(PimDeadlock, ABarrierThatACoreNeverReaches) {
  Source source = cores_source(4);
  for (unsigned core = 0; core < 4; ++core) source.code[core] = {barrier(r(2), r(4))};
  source.code[3] = {add(r(30), r(30), r(30))};
  Rig rig(4);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::deadlock);
  EXPECT_STREQ(rig.status().what(), "barrier");
  EXPECT_EQ(rig.machine.outcome().waiting, 0b0111U);
  const CoreState state = rig.machine.state(1);
  EXPECT_EQ(state.phase, Phase::barrier);
  EXPECT_EQ(state.id, 2U);
  EXPECT_EQ(state.other, 4U);
  EXPECT_EQ(state.arrived, 0b0111U);
}

TEST(PimDeadlock, AWaitForAMessageThatNobodySends) {
  Source source = cores_source(2);
  source.code[0] = {receive(r(7), {r(5), r(5), r(3), r(4)}, true), wait(r(7), r(3))};
  source.code[1] = {send(r(6), {r(5), r(5), r(2), r(4)}, true)};  // another id
  Rig rig(2);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::deadlock);
  EXPECT_STREQ(rig.status().what(), "wait");
  EXPECT_EQ(rig.machine.outcome().waiting, 0b11U);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::wait);
  EXPECT_EQ(rig.machine.state(0).other, 1U);
  EXPECT_EQ(rig.machine.state(0).id, 3U);
}

TEST(PimDeadlock, AMessageLeftOpenAtTheEnd) {
  Source source = cores_source(2);
  source.code[0] = {add(r(30), r(30), r(30)), send(r(7), {r(5), r(5), r(1), r(4)}, true), add(r(30), r(30), r(30))};
  source.code[1] = {add(r(30), r(30), r(30))};
  Rig rig(2);
  EXPECT_EQ(rig.run(source), 4U);
  EXPECT_EQ(rig.status().code(), ErrorCode::deadlock);
  EXPECT_STREQ(rig.status().what(), "send");
  EXPECT_EQ(rig.machine.outcome().position.core, 0U);
  EXPECT_EQ(rig.machine.outcome().position.instruction, 1U) << "the send, not the end of the code";
  EXPECT_EQ(rig.machine.outcome().waiting, 0b01U);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::ended);
  EXPECT_EQ(rig.machine.state(0).open_messages, 1U);
}

TEST(PimDeadlock, CoresThatWaitForACoreThatFaulted) {
  Source source = cores_source(2);
  source.code[0] = {{0xFFFFFFFF}};
  source.code[1] = {receive(r(6), {r(5), r(5), r(1), r(4)})};
  Rig rig(2);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::unknown_instruction) << "the first fault by time";
  EXPECT_EQ(rig.machine.outcome().waiting, 0b10U);
}

TEST(PimDeadlock, TheNextProgramFindsNoOpenMessagesOrBarriers) {
  Source source = cores_source(2);
  source.code[0] = {send(r(7), {r(5), r(5), r(1), r(4)}, true), barrier(r(1), r(2))};
  Rig rig(2);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::deadlock);
  source.code[0] = {barrier(r(1), r(1))};
  rig.run(source);
  EXPECT_TRUE(rig.status().ok());
}

}  // namespace cox::model::pim::testing::barriers_test
