// SPDX-License-Identifier: MIT
// Runs of one task behind each other. The firmware binds the next run while one is on the device, and starts it when that one has ended
// (docs/jobs.md, Runs that repeat).
#include <functional>
#include <utility>
#include <vector>

#include "tests/firmware/job_ring.h"
#include "tests/firmware/scheduled_tasks.h"

namespace cox::tests {
namespace {

using isa::tile::MachineCode;
using isa::tile::Opcode;

class RepeatedRunsTest : public JobRing {
 protected:
  explicit RepeatedRunsTest(unsigned cores = 1) : JobRing(cores) {
    device.duration = [this](unsigned, const MachineCode &code) -> std::uint64_t {
      if (isa::tile::opcode_of(code) == Opcode::ct_st) begin(isa::tile::context_of(code));
      return duration;
    };
  }
  /// A run begins in `context`.
  virtual void begin(unsigned context) { begun.push_back(device.windows_of_context[context][0]); }
  /// Calls `change` once, when the firmware has bound the run behind `job`, which is on the device.
  void while_bound(std::size_t job, std::function<void()> change) {
    device.on_feed = [this, job, change = std::move(change), turns = 0]() mutable {
      if (outcome(job).state == State::running && ++turns == 3) change();
    };
    // The turns of the main program, in which the firmware binds the run, are over before the first instruction ends.
    device.ticks = true;
    duration = 3 * FakeDevice::kTick;
  }
  std::uint64_t window_of(std::size_t job) { return request(job).windows[0].address; }
  /// Expects that all jobs have ended well, and that the runs began one after the other on their own windows.
  void expect_in_turn(const std::vector<std::size_t> &runs) {
    std::vector<std::uint64_t> windows;
    std::uint64_t end = 0;
    for (const std::size_t run : runs) {
      expect(run, ErrorCode::ok);
      EXPECT_EQ(outcome(run).accelerator_instructions, 7U);
      EXPECT_EQ(outcome(run).retried, 0U);
      EXPECT_GE(outcome(run).start_cycle, end);
      end = outcome(run).end_cycle;
      EXPECT_GT(end, outcome(run).start_cycle);
      windows.push_back(window_of(run));
    }
    EXPECT_EQ(begun, windows);
  }

  std::uint64_t duration = 100;      ///< cycles of each instruction
  std::vector<std::uint64_t> begun;  ///< window 0 of each run, in the order in which they began
};

TEST_F(RepeatedRunsTest, EachRunHasItsWindowsAndItsReport) {
  add(load_job(copy_task(), 0));
  std::vector<std::size_t> runs;
  for (unsigned i = 0; i < 40; ++i) runs.push_back(add(run_job(0)));
  EXPECT_EQ(serve(), 0);
  expect_in_turn(runs);
  EXPECT_THAT(device.violations, testing::IsEmpty());
  EXPECT_EQ(header().completed, jobs_);
}

// The tasks of two slots take turns, so no run repeats the one before it.
TEST_F(RepeatedRunsTest, TwoTasksTakeTurns) {
  add(load_job(copy_task(), 0));
  add(load_job(copy_task(), 1));
  std::vector<std::size_t> runs;
  for (unsigned i = 0; i < 8; ++i) runs.push_back(add(run_job(i % 2)));
  EXPECT_EQ(serve(), 0);
  expect_in_turn(runs);
}

TEST_F(RepeatedRunsTest, CountersAreThoseOfTheirRun) {
  add(load_job(copy_task(), 0));
  std::vector<std::size_t> runs;
  for (unsigned i = 0; i < 6; ++i) {
    Request run = run_job(0);
    if (i % 3 == 1) run.flags = firmware::job::kReadCounters;
    runs.push_back(add(run));
  }
  EXPECT_EQ(serve(), 0);
  expect_in_turn(runs);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(outcome(runs[i]).counted, i % 3 == 1 ? 1U : 0U);
    EXPECT_EQ(outcome(runs[i]).queues[static_cast<std::size_t>(isa::tile::Class::LD)].instructions, i % 3 == 1 ? 2U : 0U);
  }
}

TEST_F(RepeatedRunsTest, ARunThatFailsDoesNotStopTheNext) {
  add(load_job(copy_task(), 0));
  const std::size_t first = add(run_job(0));
  const std::size_t fails = add(run_job(0));
  const std::size_t next = add(run_job(0));
  const std::size_t last = add(run_job(0));
  device.outcome = [this](unsigned, const MachineCode &code) {
    return isa::tile::opcode_of(code) == Opcode::sta_mov && begun.size() == 2 ? hal::FaultCode::bus_error : hal::FaultCode::none;
  };
  EXPECT_EQ(serve(), 0);
  expect(first, ErrorCode::ok);
  expect(fails, ErrorCode::device_fault, "bus_error");
  expect(next, ErrorCode::ok);
  expect(last, ErrorCode::ok);
  EXPECT_THAT(begun, testing::ElementsAre(window_of(first), window_of(fails), window_of(next), window_of(last)));
}

TEST_F(RepeatedRunsTest, ARunIsRetriedAsOftenAsItsOwnJobSays) {
  add(load_job(copy_task(), 0));
  std::vector<std::size_t> runs;
  for (const unsigned retries : {0, 2, 0, 1}) {
    Request run = run_job(0);
    run.retries = static_cast<std::uint8_t>(retries);
    runs.push_back(add(run));
  }
  // The first attempt of each run but the first has a fault, and so has the second attempt of the run with two retries.
  device.outcome = [this](unsigned, const MachineCode &code) {
    const bool fails = begun.size() == 2 || begun.size() == 3 || begun.size() == 5 || begun.size() == 6;
    return isa::tile::opcode_of(code) == Opcode::sta_mov && fails ? hal::FaultCode::bus_error : hal::FaultCode::none;
  };
  EXPECT_EQ(serve(), 0);
  expect(runs[0], ErrorCode::ok);
  expect(runs[1], ErrorCode::ok);
  expect(runs[2], ErrorCode::device_fault, "bus_error");
  expect(runs[3], ErrorCode::ok);
  EXPECT_EQ(outcome(runs[1]).retried, 2U);
  EXPECT_EQ(outcome(runs[2]).retried, 0U);
  EXPECT_EQ(outcome(runs[3]).retried, 1U);
}

TEST_F(RepeatedRunsTest, ARunHasItsOwnTimeLimit) {
  add(load_job(copy_task(), 0));
  const std::size_t first = add(run_job(0));
  Request limited = run_job(0);
  limited.time_limit_us = 1000;
  const std::size_t hangs = add(limited);
  const std::size_t last = add(run_job(0));
  device.duration = [this](unsigned, const MachineCode &code) -> std::uint64_t {
    if (isa::tile::opcode_of(code) == Opcode::ct_st) begin(isa::tile::context_of(code));
    return isa::tile::opcode_of(code) == Opcode::sta_mov && begun.size() == 2 ? FakeDevice::kTick * 3 : 100;
  };
  EXPECT_EQ(serve(), 0);
  expect(first, ErrorCode::ok);
  expect(hangs, ErrorCode::time_limit, "ST");
  expect(last, ErrorCode::ok);
  EXPECT_EQ(begun.size(), 3U);
}

TEST_F(RepeatedRunsTest, ACancelledRunDoesNotBegin) {
  add(load_job(copy_task(), 0, 3));
  const std::size_t runs = add(run_job(0, 3));
  const std::size_t bound = add(run_job(0, 3));
  const std::size_t after = add(run_job(0, 3));
  while_bound(runs, [&] { submit(simple_job(Kind::cancel, 3, static_cast<std::uint32_t>(bound))); });
  EXPECT_EQ(serve(), 0);
  expect(runs, ErrorCode::ok);
  expect(bound, ErrorCode::cancelled, "job");
  expect(after, ErrorCode::ok);
  expect(4, ErrorCode::ok);
  EXPECT_THAT(begun, testing::ElementsAre(window_of(runs), window_of(after)));
}

TEST_F(RepeatedRunsTest, ACancelOfTheRunBeforeDoesNotHoldTheNext) {
  add(load_job(copy_task(), 0));
  const std::size_t runs = add(run_job(0));
  const std::size_t bound = add(run_job(0));
  while_bound(runs, [&] {
    duration = 100;
    submit(simple_job(Kind::cancel, 0, static_cast<std::uint32_t>(runs)));
  });
  EXPECT_EQ(serve(), 0);
  expect(runs, ErrorCode::cancelled, "task");
  expect(bound, ErrorCode::ok);
}

TEST_F(RepeatedRunsTest, AJobOfLowerPriorityNumberGoesBeforeTheBoundRun) {
  add(load_job(copy_task(), 0, 1));
  add(load_job(copy_task(), 1, 2));
  const std::size_t runs = add(run_job(0, 1, 4));
  const std::size_t bound = add(run_job(0, 1, 4));
  std::size_t first = 0;
  while_bound(runs, [&] {
    first = jobs_;
    submit(run_job(1, 2, 0));
  });
  EXPECT_EQ(serve(), 0);
  ASSERT_NE(first, 0U);
  expect_in_turn({runs, first, bound});
}

// The task of a slot changes between two runs of the slot.
TEST_F(RepeatedRunsTest, AnUnloadAndALoadStandBetweenTwoRuns) {
  add(load_job(copy_task(), 0));
  const std::size_t runs = add(run_job(0));
  const std::size_t bound = add(run_job(0));
  std::size_t unload = 0, other = 0, last = 0;
  while_bound(runs, [&] {
    unload = jobs_;
    submit(simple_job(Kind::unload, 0, 0));
    submit(load_job(copies_task(0, 0, 2), 0));
    other = jobs_;
    Request job = run_job(0);
    job.windows[0] = {address(reserve(512)), 512};
    submit(job);
    submit(simple_job(Kind::unload, 0, 0));
    last = jobs_;
    submit(run_job(0));
  });
  EXPECT_EQ(serve(), 0);
  ASSERT_NE(last, 0U);
  for (const std::size_t good : {runs, bound, unload, other}) expect(good, ErrorCode::ok);
  EXPECT_GT(outcome(other).accelerator_instructions, 7U);
  expect(last, ErrorCode::not_ready, "task_slot");
  EXPECT_THAT(begun, testing::ElementsAre(window_of(runs), window_of(bound), window_of(other)));
}

// Another owner loads a task into memory that is a window of the bound run.
TEST_F(RepeatedRunsTest, ATaskThatIsLoadedMeanwhileKeepsItsMemory) {
  add(load_job(copy_task(), 0, 1));
  const std::size_t runs = add(run_job(0, 1));
  Request load = load_job(copy_task(), 1, 2);
  Request job = run_job(0, 1);
  job.windows[0] = {load.workspace_address, 256};
  const std::size_t bound = add(job);
  std::size_t loads = 0;
  while_bound(runs, [&] {
    loads = jobs_;
    submit(load);
  });
  EXPECT_EQ(serve(), 0);
  expect(runs, ErrorCode::ok);
  expect(loads, ErrorCode::ok);
  expect(bound, ErrorCode::window_overlap, "windows");
  EXPECT_THAT(begun, testing::ElementsAre(window_of(runs)));
}

TEST_F(RepeatedRunsTest, ABoundRunThatIsRefusedSaysWhyInItsTurn) {
  add(load_job(copy_task(), 0));
  const std::size_t runs = add(run_job(0));
  Request job = run_job(0);
  job.windows[0].address += 4;
  const std::size_t bad = add(job);
  const std::size_t last = add(run_job(0));
  while_bound(runs, [&] { EXPECT_EQ(outcome(bad).state, State::submitted); });
  EXPECT_EQ(serve(), 0);
  expect(runs, ErrorCode::ok);
  expect(bad, ErrorCode::misaligned_address, "windows");
  expect(last, ErrorCode::ok);
}

TEST_F(RepeatedRunsTest, ANewSubmittersJobIsNotTheBoundOne) {
  add(load_job(copy_task(), 0));
  const std::size_t runs = add(run_job(0));
  add(run_job(0));
  const Request load = request(0);
  const std::uint64_t old_window = window_of(runs + 1);
  bool taken_over = false;
  while_bound(runs, [&] {
    Header withdrawn = submitters_header();
    withdrawn.magic = firmware::job::kWithdrawn;
    withdrawn.session = 1;
    std::memcpy(dram(), &withdrawn, offsetof(Header, uptime_us));
    duration = 100;
    device.on_feed = [&] {
      if (taken_over || header().withdrawn != 1) return;
      taken_over = true;
      begun.clear();
      jobs_ = 0;
      std::memset(dram() + sizeof(Header), 0, kCapacity * sizeof(Descriptor));
      add(load);
      add(run_job(0));
      add(run_job(0));  // has the number of the bound run
      Header header = submitters_header();
      header.session = 1;
      std::memcpy(dram(), &header, offsetof(Header, uptime_us));
    };
  });
  EXPECT_EQ(serve(), 0);
  EXPECT_TRUE(taken_over);
  EXPECT_NE(window_of(2), old_window);
  expect_in_turn({1, 2});
}

class TwoCoreRepeatedRuns : public RepeatedRunsTest {
 protected:
  TwoCoreRepeatedRuns() : RepeatedRunsTest(2) {}
};

TEST_F(TwoCoreRepeatedRuns, ARunIsOnTheCoresThatItsJobAllows) {
  add(load_job(copy_task(), 0));
  std::vector<std::size_t> runs;
  for (const unsigned mask : {1, 2, 2, 0, 1, 3}) {
    Request run = run_job(0);
    run.core_mask = static_cast<std::uint8_t>(mask);
    runs.push_back(add(run));
  }
  EXPECT_EQ(serve(), 0);
  expect_in_turn(runs);
  for (const std::size_t run : runs) {
    const unsigned mask = request(run).core_mask == 0 ? 3 : request(run).core_mask;
    EXPECT_NE(mask >> outcome(run).first_core & 1, 0U) << run;
  }
}

// The run behind the one of slot 0 would write what the run of slot 1 reads, so it waits for both.
TEST_F(TwoCoreRepeatedRuns, ARunWaitsForARunOfAnotherTaskThatUsesItsWindow) {
  add(load_job(copy_task(), 0));
  add(load_job(copy_task(), 1));
  const std::size_t runs = add(run_job(0));
  const std::size_t beside = add(run_job(1));
  Request job = run_job(0);
  job.windows[0] = request(beside).windows[0];
  const std::size_t bound = add(job);
  device.duration = [this](unsigned queue, const MachineCode &code) -> std::uint64_t {
    if (isa::tile::opcode_of(code) == Opcode::ct_st) begin(isa::tile::context_of(code));
    return queue / isa::tile::kClasses == 1 ? 4 * FakeDevice::kTick : 2 * FakeDevice::kTick;
  };
  EXPECT_EQ(serve(), 0);
  for (const std::size_t good : {runs, beside, bound}) expect(good, ErrorCode::ok);
  EXPECT_LT(outcome(runs).end_cycle, outcome(beside).end_cycle);
  EXPECT_GE(outcome(bound).start_cycle, outcome(beside).end_cycle);
}

}  // namespace
}  // namespace cox::tests
