// SPDX-License-Identifier: MIT
// The scheduler's handling of faults, time limits, lost and corrupted completions, and a core that hangs, on a scripted device.
#include "coxswain/firmware/schedule/scheduler.h"

#include "tests/firmware/scheduler_fixture.h"

namespace cox::tests {
namespace {

using firmware::schedule::RunOptions;
using firmware::schedule::RunReport;
using hal::FaultCode;
using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::MachineCode;
using isa::tile::Opcode;

std::vector<hal::FaultAction> actions() {
  std::vector<hal::FaultAction> all;
  for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) all.push_back(hal::fault_log::at(i).action);
  return all;
}

TEST_F(OneCore, AFaultFailsItsTaskAloneAndTheNextRunIsRight) {
  const TaskText text = copy_task(0, 0);
  const TaskText neighbour_text = random_task(3, 5, 200);
  Task task(text), neighbour(neighbour_text);
  device.outcome = [](unsigned, const MachineCode &code) {
    return isa::tile::context_of(code) == 0 && isa::tile::opcode_of(code) == Opcode::lda_mov ? FaultCode::bus_error : FaultCode::none;
  };
  const unsigned context = start(task);
  const unsigned other = start(neighbour);
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(report.status.what(), "bus_error");
  EXPECT_EQ(report.status.index(), static_cast<std::int32_t>(kLoad));
  EXPECT_EQ(report.status.value(), static_cast<std::int64_t>(FaultCode::bus_error));
  EXPECT_EQ(report.status.limit(), 0xDEAD);
  EXPECT_TRUE(wait(other).status.ok());
  expect_in_order(device, other, neighbour_text);
  EXPECT_EQ(device.core_resets, 1U);  // initialise() has reset the core; there was no other reset

  device.outcome = [](unsigned, const auto &) { return FaultCode::none; };
  expect_runs(task, text);
}

TEST_F(OneCore, AFaultOfAConfigurationIsPlaced) {
  const TaskText text = random_task(11, 0, 60);
  Task task(text);
  unsigned countdown = 9;
  device.outcome = [&](unsigned queue, const auto &) { return queue == 1 && countdown-- == 0 ? FaultCode::window : FaultCode::none; };
  const RunReport report = wait(start(task));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  std::vector<std::int32_t> loads;
  for (std::size_t i = 0; i < text.code.size(); ++i) {
    if (isa::tile::find_instruction(isa::tile::opcode_of(text.code[i]))->queue == Class::LD) loads.push_back(static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(report.status.index(), loads[9]);
  device.outcome = [](unsigned, const auto &) { return FaultCode::none; };
  expect_runs(task, text);
}

TEST_F(OneCore, ATaskThatOutlastsItsLimitIsAbortedAndOthersRunOn) {
  const TaskText text = copy_task(0, 0);
  const TaskText neighbour_text = random_task(5, 5, 300);
  Task task(text), neighbour(neighbour_text);
  device.duration = [](unsigned, const MachineCode &code) -> std::uint64_t {
    return isa::tile::context_of(code) == 0 && isa::tile::opcode_of(code) == Opcode::lda_mov ? 15'000'000 : 100;
  };
  const unsigned context = start(task, {.time_limit_us = 5000});
  const unsigned other = start(neighbour);
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  EXPECT_STREQ(report.status.what(), "LD");
  EXPECT_EQ(report.status.index(), static_cast<std::int32_t>(kLoad));
  EXPECT_EQ(report.status.value(), 5000);
  EXPECT_TRUE(wait(other).status.ok());
  EXPECT_EQ(scheduler.totals().core_resets, 0U);
  device.duration = [](unsigned, const auto &) { return 10; };
  expect_runs(task, text);
}

TEST_F(OneCore, ALimitIsSeenHoweverOftenSomethingEnds) {
  constexpr std::uint64_t kCycles = 100'000;  // duration of each instruction
  const TaskText text = chain_task(2000);
  Task task(text);
  device.duration = [](unsigned, const auto &) { return kCycles; };
  const RunReport report = wait(start(task, {.time_limit_us = 25'000}));
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  EXPECT_GT(report.end_cycle, 25'000'000U);
  EXPECT_LE(report.end_cycle, 25'000'000U + FakeDevice::kTick + 2 * kCycles);
  expect_runs(task, text);
}

TEST_F(OneCore, ALimitIsSeenWhereEachWakeUpFindsACompletion) {
  constexpr std::uint64_t kCycles = 1000;
  Task task(chain_task(4000));
  device.ticks = false;
  device.duration = [](unsigned, const auto &) { return kCycles; };
  const RunReport report = wait(start(task, {.time_limit_us = 2000}));
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  constexpr std::uint64_t kLap = (1U << firmware::schedule::kSubmissionSizeLog2) * kCycles;
  EXPECT_LE(report.end_cycle, 2'000'000U + firmware::schedule::kBusyLookInterval * 1000U + kLap + 2 * kCycles);
}

TEST_F(OneCore, PollLooksAtLimitsForProgramsWithALoopOfTheirOwn) {
  Task task(copy_task());
  device.duration = [](unsigned, const auto &) -> std::uint64_t { return 50'000'000; };
  const unsigned context = start(task, {.time_limit_us = 1000});
  for (unsigned i = 0; i < 100 && !scheduler.has_ended(context); ++i) {
    const bool masked = board::mask_interrupts();
    board::wait_for_interrupt();
    board::restore_interrupts(masked);
    scheduler.poll();
  }
  ASSERT_TRUE(scheduler.has_ended(context));
  EXPECT_EQ(wait(context).status.code(), ErrorCode::time_limit);
}

TEST_F(OneCore, AnEngineThatHangsIsResetWithItsCore) {
  const TaskText text = copy_task(0, 0);
  Task task(text), neighbour(copy_task(1, 1));
  device.duration = [](unsigned queue, const auto &) -> std::uint64_t { return queue == 1 ? FakeDevice::kNever : 100; };
  const unsigned context = start(task, {.time_limit_us = 1000});
  const unsigned other = start(neighbour);
  EXPECT_EQ(wait(context).status.code(), ErrorCode::time_limit);
  const RunReport victim = wait(other);
  EXPECT_EQ(victim.status.code(), ErrorCode::cancelled);
  EXPECT_EQ(scheduler.totals().core_resets, 1U);
  device.duration = [](unsigned, const auto &) { return 10; };
  expect_runs(task, text);
}

TEST_F(OneCore, ACoreThatDoesNotResetRunsNothingMore) {
  Task task(copy_task());
  device.duration = [](unsigned, const auto &) { return FakeDevice::kNever; };
  device.reset_works = false;
  EXPECT_EQ(wait(start(task, {.time_limit_us = 1000})).status.code(), ErrorCode::time_limit);
  EXPECT_EQ(scheduler.start(task.loaded, task.windows).status().code(), ErrorCode::not_ready);
}

// A context must not be used again if a core still holds its instructions: the device would refuse to clear the context.
TEST_F(FourCores, AContextOnACoreThatDoesNotResetIsNotUsedAgain) {
  device.duration = [](unsigned queue, const auto &) { return queue / kClasses == 0 ? FakeDevice::kNever : 100; };
  device.reset_works = false;
  std::deque<Task> tasks;
  for (unsigned i = 0; i < 2; ++i) tasks.emplace_back(copy_task());
  EXPECT_EQ(wait(start(tasks[0], {.time_limit_us = 1000, .core_mask = 1})).status.code(), ErrorCode::time_limit);
  for (unsigned i = 0; i < 3; ++i) {
    const unsigned context = start(tasks[1]);
    EXPECT_EQ(context, 1U);
    EXPECT_TRUE(wait(context).status.ok());
  }
  // The test takes the other seven contexts.
  Task one_more(copy_task(7, 7));
  std::deque<Task> many;
  std::vector<unsigned> contexts;
  for (std::int64_t i = 0; i < 7; ++i) {
    many.emplace_back(copy_task(i, i));
    contexts.push_back(start(many.back()));
  }
  const auto refused = scheduler.start(one_more.loaded, one_more.windows);
  EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(refused.status().what(), "contexts");
  for (const unsigned context : contexts) EXPECT_TRUE(wait(context).status.ok());
}

// The scheduler was closed and brought up again in between, and the core has reset. A good run then frees the context that was lost.
TEST_F(FourCores, ALostContextIsUsedAgainAfterItsCoreHasReset) {
  Task stuck(copy_task()), task(copy_task());
  device.duration = [](unsigned, const auto &) { return FakeDevice::kNever; };
  device.reset_works = false;
  EXPECT_EQ(wait(start(stuck, {.time_limit_us = 1000})).status.code(), ErrorCode::time_limit);
  device.reset_works = true;
  device.duration = [](unsigned, const auto &) { return 100; };
  ASSERT_TRUE(scheduler.close().ok());
  ASSERT_TRUE(scheduler.initialise(accelerator).ok());
  for (unsigned i = 0; i < 3; ++i) {
    const unsigned context = start(task);
    EXPECT_EQ(context, 0U);
    EXPECT_TRUE(wait(context).status.ok());
  }
}

// The scheduler is about to retry a run when it finds that the core does not reset, because another run is stuck there.
TEST_F(OneCore, WhatWasToBeginAgainOnACoreThatDoesNotResetEnds) {
  constexpr std::uint64_t kMillisecond = 1'000'000;
  Task again(copies_task(0, 0, 2)), stuck(copy_task(1, 1));
  // The scheduler looks at its runs at each completion, or after 10 ms without a completion. What it finds in this test:
  // - at 10 ms: the stuck run has exceeded its limit; the scheduler gives it until 30 ms to stop;
  // - at 16 and 24 ms: a load and a store of the other run have ended;
  // - at 32 ms: the other run's second load has failed, and the stuck run has not stopped.
  device.ticks = false;
  device.duration = [](unsigned queue, const MachineCode &code) -> std::uint64_t {
    const bool control = queue == 0;
    if (isa::tile::context_of(code) != 0) return control ? FakeDevice::kNever : 100;
    return control ? 100 : 8 * kMillisecond;
  };
  unsigned loads = 0;
  device.outcome = [&](unsigned, const MachineCode &code) {
    const bool counts = isa::tile::context_of(code) == 0 && isa::tile::opcode_of(code) == Opcode::lda_mov;
    return counts && ++loads == 2 ? FaultCode::bus_error : FaultCode::none;
  };
  device.reset_works = false;
  const unsigned first = start(again, {.retries = 1});
  const unsigned second = start(stuck, {.time_limit_us = 1000});
  const RunReport report = wait(first);
  EXPECT_EQ(report.status.code(), ErrorCode::not_ready) << error_name(report.status.code());
  EXPECT_STREQ(report.status.what(), "tile core");
  EXPECT_EQ(report.retried, 1);
  EXPECT_EQ(wait(second).status.code(), ErrorCode::time_limit);
}

TEST_F(OneCore, ALostCompletionEndsInTheTimeLimit) {
  const TaskText text = copy_task();
  Task task(text);
  bool lost = false;
  device.completion = [&](const hal::Completion &entry) { return lost || entry.queue() != 1 || !(lost = true); };
  const RunReport report = wait(start(task, {.time_limit_us = 1000}));
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  EXPECT_EQ(report.status.index(), -1);
  expect_runs(task, text);
}

TEST_F(OneCore, ACorruptedCompletionResetsTheCore) {
  const TaskText text = copy_task();
  for (const std::uint32_t flip : {0x10U, 0xFFU}) {
    Task task(text);
    bool done = false;
    device.completion = [&](hal::Completion &entry) {
      if (!done) entry.outcome ^= flip;
      entry.identity = hal::Completion::identity_of(entry.tag(), entry.outcome);
      done = true;
      return true;
    };
    EXPECT_EQ(wait(start(task)).status.code(), ErrorCode::device_fault);
    expect_runs(task, text);
  }
  Task task(text);
  bool done = false;
  device.completion = [&](hal::Completion &entry) {
    if (!done) entry.identity = hal::Completion::identity_of(entry.tag() + 1000U, entry.outcome);
    done = true;
    return true;
  };
  EXPECT_EQ(wait(start(task)).status.code(), ErrorCode::device_fault);
  expect_runs(task, text);
  EXPECT_EQ(scheduler.totals().bad_completions, 3U);
}

TEST_F(OneCore, AWrongContextInACompletionChangesNothing) {
  const TaskText text = random_task(21, 0, 100);
  Task task(text);
  device.completion = [](hal::Completion &entry) {
    entry.outcome |= 5U << 16;
    entry.identity = hal::Completion::identity_of(entry.tag(), entry.outcome);
    return true;
  };
  expect_runs(task, text);
}

TEST_F(FourCores, AFaultThatPassesIsRetriedAndOneThatDoesNotIsNot) {
  for (const FaultCode fault : {FaultCode::bus_error, FaultCode::ecc, FaultCode::window}) {
    unsigned faults = 0;
    device.outcome = [&](unsigned, const MachineCode &code) {
      return isa::tile::opcode_of(code) == Opcode::lda_mov && faults++ < 2 ? fault : FaultCode::none;
    };
    Task task(copy_task());
    RunOptions options;
    options.retries = 3;
    options.owner = 5;
    const std::uint32_t before = hal::fault_log::count();
    const RunReport report = wait(start(task, options));
    const bool passes = fault != FaultCode::window;
    EXPECT_EQ(report.status.ok(), passes);
    EXPECT_EQ(report.retried, passes ? 2 : 0);
    // The damaged word is at 0xDEAD, which is an address in L2. Only a reset of the core repairs it, so each of the two retries needs a
    // reset.
    const unsigned resets = fault == FaultCode::ecc ? 2 : 0;
    EXPECT_EQ(hal::fault_log::count() - before, passes ? 2U + resets : 1U);
    const hal::FaultRecord last = hal::fault_log::at(hal::fault_log::size() - 1);
    EXPECT_EQ(last.action, passes ? hal::FaultAction::retried : hal::FaultAction::failed);
    EXPECT_EQ(last.fault, fault);
    EXPECT_EQ(last.queue, 1);
    EXPECT_EQ(last.owner, 5);
    EXPECT_EQ(last.detail, 0xDEADU);
    EXPECT_EQ(last.instruction, static_cast<std::int32_t>(kLoad));
  }
  EXPECT_EQ(scheduler.totals().core_resets, 2U);
}

TEST_F(FourCores, RetriesRunOut) {
  device.outcome = [](unsigned queue, const auto &) { return queue % kClasses == 1 ? FaultCode::bus_error : FaultCode::none; };
  Task task(copy_task());
  RunOptions options;
  options.retries = 2;
  const RunReport report = wait(start(task, options));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_EQ(report.retried, 2);
  using hal::FaultAction;
  EXPECT_THAT(actions(), testing::ElementsAre(FaultAction::retried, FaultAction::retried, FaultAction::failed));
}

// A core can be lost in several ways. In each, the runs on that core are retried, and the runs on the other cores are not affected.
TEST_F(FourCores, AResetOfOneCoreLeavesTheOthersAlone) {
  enum class Loss { corrupted, wrong_phase, another, reset, stuck };
  for (const Loss loss : {Loss::corrupted, Loss::wrong_phase, Loss::another, Loss::reset, Loss::stuck}) {
    SCOPED_TRACE(static_cast<int>(loss));
    bool done = false;
    const TaskText text = random_task(3, 0, 200);
    Task victim(text), neighbour(text);
    device.executed.clear();
    device.completion = [&](hal::Completion &entry) {
      if (done || entry.queue() >= kClasses || device.executed.size() < 40) return true;
      if (loss == Loss::corrupted) entry.outcome ^= 0x10;
      if (loss == Loss::wrong_phase) entry.outcome ^= 1U << 31;
      if (loss == Loss::another) entry.identity = hal::Completion::identity_of(entry.tag() + 100U, entry.outcome);
      done = loss != Loss::reset && loss != Loss::stuck;
      return true;
    };
    device.duration = [&](unsigned queue, const auto &) -> std::uint64_t {
      if (done || queue != 1 || device.executed.size() < 40) return 100;
      if (loss == Loss::stuck) done = true;
      if (loss == Loss::reset) {
        done = true;
        device.reset_in(0, 50);
      }
      return loss == Loss::stuck ? FakeDevice::kNever : 100;
    };
    RunOptions options;
    options.retries = 1;
    options.time_limit_us = 30'000;
    const std::uint32_t resets = scheduler.totals().core_resets;
    const unsigned first = start(victim, options);
    const unsigned second = start(neighbour, options);
    const RunReport report = wait(first);
    EXPECT_TRUE(done);
    EXPECT_EQ(report.status.code(), ErrorCode::ok) << report.status.what();
    EXPECT_EQ(report.retried, 1);
    const RunReport other = wait(second);
    EXPECT_EQ(other.status.code(), ErrorCode::ok);
    EXPECT_EQ(other.first_core, 1);
    EXPECT_EQ(other.retried, 0);
    expect_in_order(device, second, text);
    EXPECT_EQ(scheduler.totals().core_resets, resets + 1);
  }
}

// A single instruction that does not end may be a transient fault. After a second one, the core gets only tasks for which no other core is
// free.
TEST_F(FourCores, ACoreThatIsStuckTwiceServesOnlyWhereThereIsNoOther) {
  bool stuck = true;
  device.duration = [&](unsigned queue, const auto &) { return stuck && queue / kClasses == 2 ? FakeDevice::kNever : 100; };
  std::deque<Task> tasks;
  for (unsigned i = 0; i < 4; ++i) tasks.emplace_back(copy_task());
  const auto run_on = [&](Task &task, std::uint8_t mask) { return wait(start(task, {.time_limit_us = 1000, .core_mask = mask})); };
  EXPECT_EQ(run_on(tasks[0], 0b0100).status.code(), ErrorCode::time_limit);
  // The stuck core is taken only when the other cores are in use.
  const auto others = [&](auto then) {
    const unsigned first = start(tasks[0], {.core_mask = 0b0010});
    const unsigned second = start(tasks[1], {.core_mask = 0b1000});
    then();
    EXPECT_TRUE(wait(first).status.ok());
    EXPECT_TRUE(wait(second).status.ok());
  };
  others([&] { EXPECT_EQ(run_on(tasks[2], 0b1110).status.code(), ErrorCode::time_limit); });
  others([&] {
    const auto refused = scheduler.start(tasks[2].loaded, tasks[2].windows, {.core_mask = 0b1110});
    EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
    EXPECT_STREQ(refused.status().what(), "L2");
  });
  // With cores 0 to 3 allowed, the scheduler finds two free adjacent cores without the stuck core 2: cores 0 and 1. With cores 1 to 3
  // allowed, it has to use core 2.
  Task wide(two_core_task());
  EXPECT_EQ(run_on(wide, 0b1111).first_core, 0);
  EXPECT_EQ(run_on(wide, 0b1110).status.code(), ErrorCode::time_limit);
  // The core works again. After a successful run the scheduler treats it as any other.
  stuck = false;
  EXPECT_TRUE(run_on(tasks[3], 0b0100).status.ok());
  others([&] { EXPECT_EQ(run_on(tasks[2], 0b1110).first_core, 2); });
}

// If no other core is free, a retry uses the previous core again. If that core still hangs, the run reaches its time limit again.
TEST_F(FourCores, WhatBeginsAgainWhereAllElseIsTakenStaysWhereItWas) {
  device.duration = [](unsigned queue, const auto &) -> std::uint64_t { return queue / kClasses == 0 ? FakeDevice::kNever : 60'000'000; };
  Task first(copy_task()), again(copy_task());
  EXPECT_EQ(wait(start(first, {.time_limit_us = 1000, .core_mask = 0b0001})).status.code(), ErrorCode::time_limit);
  std::deque<Task> others;
  std::vector<unsigned> contexts;
  for (unsigned core = 1; core < 4; ++core) {
    others.emplace_back(copy_task());
    contexts.push_back(start(others.back(), {.core_mask = static_cast<std::uint8_t>(1U << core)}));
  }
  const RunReport report = wait(start(again, {.time_limit_us = 1000, .retries = 1}));
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit) << error_name(report.status.code());
  EXPECT_EQ(report.retried, 1);
  EXPECT_EQ(report.first_core, 0);
  for (const unsigned context : contexts) EXPECT_TRUE(wait(context).status.ok());
}

TEST_F(FourCores, ALostDoorbellCostsATickAndNotTheTask) {
  unsigned rings = 0;
  device.doorbell = [&](unsigned queue) { return queue != 6 || rings++ != 1; };  // ST (queue 6) loses its second doorbell, for the store
  Task task(copy_task());
  const RunReport report = wait(start(task));
  EXPECT_EQ(report.status.code(), ErrorCode::ok);
  EXPECT_EQ(report.retried, 0);
  EXPECT_EQ(scheduler.totals().lost_doorbells, 1U);
  EXPECT_LE(report.end_cycle, FakeDevice::kTick + 1000);
  EXPECT_THAT(actions(), testing::ElementsAre(hal::FaultAction::corrected));
}

TEST_F(FourCores, ALostCompletionIsNoticedAndTheTaskBeginsAgain) {
  bool lost = false;
  device.completion = [&](const hal::Completion &entry) { return lost || entry.queue() != 1 || !(lost = true); };
  Task task(copy_task());
  RunOptions options;
  options.retries = 1;
  const RunReport report = wait(start(task, options));
  EXPECT_EQ(report.status.code(), ErrorCode::ok);
  EXPECT_EQ(report.retried, 1);
  EXPECT_LE(report.end_cycle, 4 * FakeDevice::kTick);
  EXPECT_EQ(scheduler.totals().core_resets, 0U);
}

TEST_F(FourCores, ACancelledTaskEndsAndItsNeighboursRunOn) {
  device.duration = [](unsigned, const auto &) { return 100'000; };
  const TaskText text = random_task(9, 5, 1000);
  Task task(chain_task(1000)), neighbour(text);
  RunOptions options;
  options.core_mask = 1;
  options.retries = 3;
  const unsigned context = start(task, options);
  options.core_mask = 2;
  const unsigned other = start(neighbour, options);
  scheduler.sleep();
  EXPECT_EQ(scheduler.take(context).status().code(), ErrorCode::not_ready);
  ASSERT_TRUE(scheduler.cancel(context).ok());
  for (unsigned i = 0; i < 100 && !scheduler.has_ended(context); ++i) scheduler.sleep();
  EXPECT_TRUE(scheduler.sleep()) << "sleep() must return at once: the report was not taken";
  const auto report = scheduler.take(context);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().status.code(), ErrorCode::cancelled);
  EXPECT_EQ(report.value().retried, 0);
  EXPECT_TRUE(wait(other).status.ok());
  expect_in_order(device, other, text);
  EXPECT_EQ(hal::fault_log::count(), 0U) << "nothing of this is a device fault";
  EXPECT_EQ(scheduler.cancel(context).code(), ErrorCode::invalid_argument);
}

// The scheduler dispatches nothing more from a lane of a failed run, even if the ring has room. Instructions dispatched now would outlive
// the run.
TEST_F(OneCore, AStarvedLaneOfARunThatFailsOrIsCancelledIsNotDispatchedAgain) {
  constexpr unsigned kLoads = static_cast<unsigned>(Class::LD);
  const TaskText neighbour_text = random_task(9, 5, 200);
  TaskText text = copy_task(0, 0);
  // More instructions than the ring holds, all of them ready at the start.
  text.code.insert(text.code.begin() + kLoadConfiguration, 1000, text.code[kLoadConfiguration]);
  for (const bool cancelled : {false, true}) {
    SCOPED_TRACE(cancelled);
    Task task(text), neighbour(neighbour_text);
    unsigned loads = 0;
    device.executed.clear();
    device.outcome = [&](unsigned queue, const MachineCode &code) {
      const bool own = queue == kLoads && isa::tile::context_of(code) == 0;
      return own && ++loads == 20 && !cancelled ? FaultCode::window : FaultCode::none;
    };
    const unsigned context = start(task);
    ASSERT_EQ(context, 0U);
    const std::uint32_t first = scheduler.queue(kLoads).head();
    const std::uint32_t pushed = scheduler.queue(kLoads).tail() - first;
    ASSERT_LT(pushed, 1000U) << "the lane waits for room";
    const unsigned other = start(neighbour);
    if (cancelled) {
      ASSERT_TRUE(scheduler.cancel(context).ok());
    }
    const RunReport report = wait(context);
    EXPECT_EQ(report.status.code(), cancelled ? ErrorCode::cancelled : ErrorCode::device_fault);
    EXPECT_TRUE(wait(other).status.ok());
    expect_in_order(device, other, neighbour_text);
    // Completions before the fault make room for a few more instructions.
    const auto of_run =
        std::ranges::count_if(device.executed, [&](const Executed &each) { return each.queue == kLoads && each.context == context; });
    EXPECT_LE(of_run, pushed + (cancelled ? 0 : 20));
  }
  device.outcome = [](unsigned, const auto &) { return FaultCode::none; };
  Task task(text);
  expect_runs(task, text);
}

// A completion that comes after the failure of a run releases no instruction. Here a load completes after the run was cancelled, and ct_st,
// which waits for this load, must not run.
TEST_F(OneCore, ACompletionAfterTheFailureDispatchesNothing) {
  constexpr auto kControl = static_cast<unsigned>(Class::CT);
  TaskText text = copy_task(0, 0);
  // ct_st waits for a load of weights.
  isa::insert_bits(text.code[kStart], isa::tile::kPreviousBit, kClasses, bit(Class::LW));
  const MachineCode load[] = {make(Opcode::lw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
                              make(Opcode::lw_mov, {{"SS", {1}}, {"Wsize", {1, 8, 1, 1}}}, 0, bit(Class::CT))};
  text.code.insert(text.code.begin() + kLoadConfiguration, std::begin(load), std::end(load));
  Task task(text), neighbour(copy_task(1, 1));
  device.duration = [](unsigned, const MachineCode &code) { return isa::tile::opcode_of(code) == Opcode::lw_mov ? 5000 : 100; };
  const unsigned context = start(task);
  const unsigned other = start(neighbour);
  device.wait();  // until the neighbour's first completion
  ASSERT_LT(device.now, 5000U);
  ASSERT_TRUE(scheduler.cancel(context).ok());
  EXPECT_EQ(wait(context).status.code(), ErrorCode::cancelled);
  EXPECT_GE(device.now, 5000U) << "the load has ended";
  for (const Executed &each : device.executed) EXPECT_FALSE(each.queue == kControl && each.context == context);
  EXPECT_TRUE(wait(other).status.ok());
  expect_runs(task, text);
}

// If the device cannot read a slot, it does not know the instruction's context. The firmware quarantines the context, and the instructions
// behind the slot are aborted.
TEST_F(OneCore, WhatStandsBehindASlotThatCannotBeReadIsAborted) {
  TaskText text = copy_task();
  text.code.insert(text.code.begin() + kLoadConfiguration, 100, text.code[kLoadConfiguration]);
  Task task(text);
  bool read = true;
  device.unreadable = [&](unsigned queue, const auto &) { return queue == static_cast<unsigned>(Class::LD) && !(read = !read); };
  const RunReport report = wait(start(task));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(report.status.what(), "bus_error");
  const auto is_executed = [](const Executed &each) {
    return each.queue == static_cast<unsigned>(Class::LD) && each.status == FaultCode::none;
  };
  EXPECT_LE(std::ranges::count_if(device.executed, is_executed), 2);
}

// The report names the first instruction in the task that has not ended, in any lane.
TEST_F(OneCore, ATimeLimitNamesTheFirstInstructionThatHasNotEnded) {
  for (const bool load_first : {true, false}) {
    SCOPED_TRACE(load_first);
    TaskText text = copy_task();
    // Load and store both wait only for ct_bc (kCut), and ct_ed (kEnd) waits for both.
    isa::insert_bits(text.code[kCut], isa::tile::kNextBit, kClasses, bit(Class::LD) | bit(Class::ST));
    isa::insert_bits(text.code[kLoad], isa::tile::kNextBit, kClasses, bit(Class::CT));
    isa::insert_bits(text.code[kStore], isa::tile::kPreviousBit, kClasses, bit(Class::CT));
    isa::insert_bits(text.code[kEnd], isa::tile::kPreviousBit, kClasses, bit(Class::LD) | bit(Class::ST));
    if (!load_first) {
      std::swap(text.code[kLoadConfiguration], text.code[kStoreConfiguration]);
      std::swap(text.code[kLoad], text.code[kStore]);
    }
    Task task(text);
    device.duration = [](unsigned, const MachineCode &code) -> std::uint64_t {
      const Opcode opcode = isa::tile::opcode_of(code);
      return opcode == Opcode::lda_mov || opcode == Opcode::sta_mov ? 15'000'000 : 100;
    };
    const RunReport report = wait(start(task, {.time_limit_us = 1000}));
    EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
    EXPECT_EQ(report.status.index(), static_cast<std::int32_t>(kLoad));
    EXPECT_STREQ(report.status.what(), load_first ? "LD" : "ST");
  }
}

// A second attempt of this task would read what the first one has written.
TEST_F(OneCore, ATaskThatWritesWhatItReadsIsNotRetried) {
  TaskText text = copy_task();
  isa::insert_bits(text.code[kStore], isa::tile::find_field(*isa::tile::find_instruction(Opcode::sta_mov), "DTaddr")->bit_of(0), 8, 64);
  Task task(text);
  ASSERT_FALSE(task.loaded.needs().restartable);
  device.outcome = [](unsigned queue, const auto &) { return queue == 1 ? FaultCode::bus_error : FaultCode::none; };
  const RunReport report = wait(start(task, {.retries = 3}));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_EQ(report.retried, 0);
}

// The scheduler must not take a late entry of a failed run for an entry of the next run.
TEST_F(OneCore, AFailedRunWhoseLastCompletionIsNotThereYetWaitsForIt) {
  Task task(copy_task());
  device.completion = [](const hal::Completion &) { return false; };
  const unsigned context = start(task);
  device.wait();  // until the tick: all dispatched instructions have ended, and the scheduler has received nothing
  ASSERT_TRUE(scheduler.cancel(context).ok());
  scheduler.poll();
  EXPECT_FALSE(scheduler.has_ended(context));
  device.now += (firmware::schedule::kSettleTime - 1) * 1000;
  scheduler.poll();
  EXPECT_FALSE(scheduler.has_ended(context));
  device.now += 1000;
  scheduler.poll();
  EXPECT_TRUE(scheduler.has_ended(context));
  EXPECT_EQ(wait(context).status.code(), ErrorCode::cancelled);
}

// In the first attempt, an instruction of core 0 fails and its completion is lost. The firmware sees only that instructions of core 1 are
// aborted, which does not say why. Then core 0 is reset. The scheduler takes the reset as the cause and retries the run.
TEST_F(FourCores, AResetExplainsAbortedInstructionsOfAnotherCore) {
  constexpr std::uint64_t kMillisecond = 1'000'000;
  constexpr auto kStores = static_cast<unsigned>(Class::ST), kFetches = static_cast<unsigned>(Class::SI);
  bool first = true;
  device.outcome = [&](unsigned queue, const auto &) { return first && queue == kStores ? FaultCode::bus_error : FaultCode::none; };
  device.completion = [&](const hal::Completion &entry) { return !first || entry.queue() != kStores; };
  device.duration = [&](unsigned queue, const auto &) -> std::uint64_t {
    if (first && queue == kFetches) return 15 * kMillisecond;  // ends after the reset of core 0, which comes at 5 ms
    return first && queue == kClasses + 1 ? 200 : 100;
  };
  Task task(two_core_task());
  const unsigned context = start(task, {.retries = 1});
  device.reset_in(0, 5 * kMillisecond);
  for (unsigned i = 0; i < 100 && scheduler.run(context).report.retried == 0 && !scheduler.has_ended(context); ++i) {
    if (scheduler.run(context).state == firmware::schedule::RunState::stopping && device.now < kMillisecond) {
      EXPECT_EQ(scheduler.run(context).fault.fault, FaultCode::aborted);
    }
    scheduler.sleep();
  }
  first = false;
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::ok) << report.status.what();
  EXPECT_EQ(report.retried, 1);
}

// The scheduler chooses cores before it copies constants. Copying takes long, so the scheduler chooses again afterwards.
TEST_F(OneCore, ARunWhoseCoreIsLostWhileItsConstantsAreCopiedIsRefused) {
  Task stuck(copy_task(0, 99));
  TaskText text = copy_task(100, 199);
  text.windows[0].size = 300 << 10;
  text.constants = {{0, 0, std::vector<std::uint8_t>(300 << 10, 5)}};
  Task task(text);
  device.duration = [](unsigned, const auto &) { return FakeDevice::kNever; };
  device.reset_works = false;
  const unsigned context = start(stuck, {.time_limit_us = 1000});
  device.on_feed = [&] {
    const bool before = board::mask_interrupts();
    for (unsigned tick = 0; tick < 3; ++tick) device.wait();
    board::restore_interrupts(before);
  };
  const auto refused = scheduler.start(task.loaded, task.windows, {.place_constants = true});
  EXPECT_EQ(refused.status().code(), ErrorCode::not_ready);
  EXPECT_STREQ(refused.status().what(), "tile core");
  EXPECT_EQ(wait(context).status.code(), ErrorCode::time_limit);
}

TEST(FaultLog, HoldsTheLastSixteenOldestFirst) {
  FakeDevice device;
  for (std::uint64_t cycle = 0; cycle < 20; ++cycle) hal::fault_log::append({.cycle = cycle});
  EXPECT_EQ(hal::fault_log::count(), 20U);
  ASSERT_EQ(hal::fault_log::size(), 16U);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(hal::fault_log::at(i).cycle, 4U + i);
}

// The scheduler retries only after faults: a cancelled run ends, even if only a reset of its core can stop it.
TEST_F(FourCores, ACancelledTaskThatIsStuckDoesNotBeginAgain) {
  bool stuck = true;
  device.duration = [&](unsigned, const auto &) -> std::uint64_t { return stuck ? FakeDevice::kNever : 100; };
  Task task(copy_task());
  const unsigned context = start(task, {.retries = 3});
  stuck = false;
  ASSERT_TRUE(scheduler.cancel(context).ok());
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::cancelled);
  EXPECT_STREQ(report.status.what(), "task");
  EXPECT_EQ(report.retried, 0);
  EXPECT_EQ(scheduler.totals().core_resets, 1U);
}

// The detail of an ECC fault is an address in L2, WL0 or DRAM, and does not say in which. L2 is larger than WL0, so from the end of L2 on
// the address can only be in DRAM. For a lower address the scheduler resets the core.
TEST_F(FourCores, AnEccErrorInAnyPartOfL2ResetsTheCoreAndOneInDramDoesNot) {
  const std::uint32_t l2 = scheduler.geometry().l2_bytes;
  ASSERT_GT(l2, scheduler.geometry().wl0_units * isa::tile::kWeightUnitBytes);
  for (const std::uint32_t address : {std::uint32_t{0}, l2 - 8, l2}) {
    SCOPED_TRACE(address);
    const std::uint32_t before = scheduler.totals().core_resets;
    unsigned faults = 0;
    device.outcome = [&](unsigned, const MachineCode &code) {
      return isa::tile::opcode_of(code) == Opcode::lda_mov && faults++ == 0 ? FaultCode::ecc : FaultCode::none;
    };
    device.completion = [&](hal::Completion &entry) {
      if (entry.status() == FaultCode::ecc) entry.time_high = address;
      return true;
    };
    Task task(copy_task());
    const RunReport report = wait(start(task, {.retries = 1}));
    EXPECT_TRUE(report.status.ok());
    EXPECT_EQ(report.retried, 1);
    EXPECT_EQ(scheduler.totals().core_resets - before, address < l2 ? 1U : 0U);
    if (address < l2) {
      const hal::FaultRecord reset = hal::fault_log::at(hal::fault_log::size() - 2);
      EXPECT_EQ(reset.action, hal::FaultAction::reset);
      EXPECT_EQ(reset.fault, FaultCode::ecc) << "the log must give the reason for the reset";
    }
  }
}

// A reset of the core sets its counters to 0, which is less than their values when the run began.
TEST_F(OneCore, QueueCountersOfAReportAreRightAfterAResetOfTheCore) {
  constexpr auto kLoads = static_cast<unsigned>(Class::LD);
  Task task(copy_task());
  EXPECT_EQ(wait(start(task)).queues[kLoads].instructions, 2U);
  for (const std::uint8_t retries : {std::uint8_t{0}, std::uint8_t{1}}) {
    SCOPED_TRACE(unsigned{retries});
    bool done = false;
    device.completion = [&](hal::Completion &entry) {
      if (!done && entry.queue() == kLoads) {
        entry.outcome ^= 0x10;
        done = true;
      }
      return true;
    };
    const std::uint32_t resets = scheduler.totals().core_resets;
    const RunReport report = wait(start(task, {.retries = retries}));
    EXPECT_EQ(report.status.ok(), retries != 0);
    EXPECT_EQ(scheduler.totals().core_resets, resets + 1);
    EXPECT_EQ(report.queues[kLoads].instructions, retries == 0 ? 0U : 2U) << "counted since the reset";
  }
}

TEST_F(FourCores, AFaultOnOneCoreOfATaskStopsItOnBoth) {
  device.outcome = [](unsigned queue, const auto &) { return queue == kClasses + 1 ? FaultCode::bus_error : FaultCode::none; };
  Task task(two_core_task());
  const RunReport report = wait(start(task));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(report.status.what(), "bus_error");
  device.outcome = [](unsigned, const auto &) { return FaultCode::none; };
  EXPECT_TRUE(wait(start(task)).status.ok());
}

TEST_F(FourCores, CorrectedErrorsAreLogged) {
  device.duration = [](unsigned, const auto &) { return 3'000'000; };
  Task task(copy_task());
  const unsigned context = start(task);
  device.corrected_errors = 3;
  EXPECT_TRUE(wait(context).status.ok());
  EXPECT_EQ(scheduler.totals().corrected_errors, 3U);
  EXPECT_EQ(hal::fault_log::at(0).fault, FaultCode::ecc);
  EXPECT_EQ(hal::fault_log::at(0).action, hal::FaultAction::corrected);
}

}  // namespace
}  // namespace cox::tests
