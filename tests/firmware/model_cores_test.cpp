// SPDX-License-Identifier: MIT
// Tests the scheduler on the native board with the accelerator's model and several tile cores. Checks values, tokens between cores, and
// recovery when a fault plan (docs/faults.md, The plan) resets a core or stops its clock while it has a run.
#include <gmock/gmock.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>

#include "boards/native/native_board.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/hal/tile/core.h"
#include "tests/firmware/model_fixture.h"

namespace cox::tests {
namespace {

using firmware::schedule::kStopLimit;
using firmware::schedule::RunOptions;
using firmware::schedule::RunReport;
using firmware::schedule::Scheduler;
using hal::FaultAction;
using isa::tile::Class;
using isa::tile::kClasses;

constexpr unsigned kRounds = 100;  // rounds of each task; a load or store takes about 200 device cycles
constexpr std::uint32_t kLimit = 2000;

class ModelCores : public testing::Test {
 protected:
  /// Run n uses part n of DRAM, with its own values.
  static constexpr std::size_t kPart = std::size_t{2} << 20;

  void power_on(unsigned cores, const std::string &plan = "") {
    const std::string path = testing::TempDir() + "cox_model_cores_" + std::to_string(getpid());
    std::ofstream(path) << plan;
    board::NativeBoardSettings settings;
    settings.model_options = R"({"geometry": {"tile_cores": )" + std::to_string(cores) + R"(}, "faults": ")" + path + R"("})";
    settings.dram_bytes = 16 * kPart;
    settings.log = [this](int, std::string_view line) { injected_ += line.find("injected at") != std::string_view::npos ? 1 : 0; };
    std::string error;
    board_ = board::NativeBoard::create(std::move(settings), error);
    static_cast<void>(std::remove(path.c_str()));
    ASSERT_NE(board_, nullptr) << error;
    ASSERT_TRUE(accelerator_.open().ok());
    ASSERT_TRUE(scheduler_->initialise(accelerator_).ok());
  }

  struct Run {
    std::unique_ptr<Loaded> loaded;
    std::byte *window = nullptr;
    std::vector<std::byte> expected;  ///< expected contents of the run's part of DRAM
    unsigned context = 0;
    RunReport report;
  };
  /// Adds a run of a task that copies the first half of its window to the second half.
  Run &add(const TaskText &text) {
    Run &run = runs_.emplace_back();
    run.window = board_->dram().data() + (runs_.size() - 1) * kPart;
    const std::size_t bytes = text.windows[0].size;
    for (std::size_t i = 0; i < kPart; ++i) run.window[i] = static_cast<std::byte>(i < bytes / 2 ? i * 7 + i / 256 + runs_.size() : 0xEE);
    run.expected.assign(run.window, run.window + kPart);
    std::memcpy(&run.expected[bytes / 2], run.expected.data(), bytes / 2);
    run.loaded = std::make_unique<Loaded>(text, board_->address_of(run.window));
    return run;
  }
  void start(Run &run, const RunOptions &options = {}) {
    const auto context = scheduler_->start(run.loaded->task, run.loaded->windows, options);
    ASSERT_TRUE(context.ok()) << error_name(context.status().code()) << " " << context.status().what();
    run.context = context.value();
  }
  void wait(Run &run) {
    const auto report = scheduler_->wait(run.context);
    ASSERT_TRUE(report.ok());
    run.report = report.value();
  }
  static void expect_right(const Run &run) {
    EXPECT_EQ(run.report.status.code(), ErrorCode::ok) << run.report.status.what();
    EXPECT_EQ(std::memcmp(run.window, run.expected.data(), kPart), 0);
  }
  /// Starts a run of the task and waits for its end. The result must be right, and the run must be on `core`.
  void expect_runs(const TaskText &text, const RunOptions &options, unsigned core) {
    Run &run = add(text);
    start(run, options);
    wait(run);
    expect_right(run);
    EXPECT_EQ(run.report.first_core, core);
  }
  unsigned loads_of(unsigned core) {
    return static_cast<unsigned>(hal::tile::read_counters(scheduler_->geometry(), core, Class::LD).value().instructions);
  }
  static std::vector<hal::FaultRecord> logged(FaultAction action) {
    std::vector<hal::FaultRecord> all;
    for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) {
      if (hal::fault_log::at(i).action == action) all.push_back(hal::fault_log::at(i));
    }
    return all;
  }

  std::unique_ptr<board::NativeBoard> board_;
  hal::Accelerator accelerator_;
  std::unique_ptr<Scheduler> scheduler_ = std::make_unique<Scheduler>();
  std::deque<Run> runs_;
  unsigned injected_ = 0;
};

TEST_F(ModelCores, ATaskOfTwoCoresHandsEachTensorOver) {
  power_on(4);
  for (const std::uint8_t mask : std::initializer_list<std::uint8_t>{0b0011, 0b0110, 0b1100}) {
    Run &run = add(two_core_task(3, kRounds));
    start(run, {.core_mask = mask});
    wait(run);
    expect_right(run);
    EXPECT_EQ(run.report.cores, 2);
    EXPECT_EQ(run.report.first_core, std::countr_zero(mask));
    EXPECT_EQ(run.report.queues[static_cast<unsigned>(Class::SI)].instructions, kRounds + 1);
    EXPECT_EQ(run.report.queues[static_cast<unsigned>(Class::SO)].instructions, 2 * kRounds);
  }
  EXPECT_EQ(hal::fault_log::count(), 0U);
}

TEST_F(ModelCores, EightTasksOnFourCoresAtOnce) {
  power_on(4);
  // A run needs cores that its mask allows and that have the task's L2 blocks free. Among these, the scheduler chooses the cores with the
  // fewest tasks.
  struct Wanted {
    TaskText text;
    std::uint8_t mask;
    unsigned first_core;
  };
  const Wanted wanted[] = {
      {two_core_task(0, kRounds), 0, 0},
      {two_core_task(0, kRounds), 0, 2},
      {copies_task(1, 1, 2 * kRounds), 0b1000, 3},
      {copies_task(1, 9, 2 * kRounds), 0, 0},
      {copies_task(20, 21, 2 * kRounds), 0, 1},
      {copies_task(2, 3, 2 * kRounds), 0b0101, 2},
      {copies_task(10, 11, 2 * kRounds), 0b0011, 0},
      {copies_task(30, 90, 2 * kRounds), 0b0110, 1},
  };
  for (const Wanted &each : wanted) start(add(each.text), {.core_mask = each.mask});
  std::uint64_t last_start = 0, first_end = UINT64_MAX;
  std::array<unsigned, 4> loads{};
  for (unsigned i = 8; i-- > 0;) {
    Run &run = runs_[i];
    wait(run);
    expect_right(run);
    EXPECT_EQ(run.report.first_core, wanted[i].first_core) << i;
    EXPECT_EQ(run.report.cores, wanted[i].text.tile_cores) << i;
    last_start = std::max(last_start, run.report.start_cycle);
    first_end = std::min(first_end, run.report.end_cycle);
    // LD executes one configuration and the loads. A task of two cores loads on its second core, and its first core only executes a
    // configuration.
    if (run.report.cores == 1) loads[run.report.first_core] += 1 + 2 * kRounds;
    if (run.report.cores == 2) {
      loads[run.report.first_core] += 1;
      loads[run.report.first_core + 1U] += 1 + kRounds;
    }
  }
  EXPECT_LT(last_start, first_end) << "the runs were not on the device at the same time";
  for (unsigned core = 0; core < 4; ++core) EXPECT_EQ(loads_of(core), loads[core]) << core;
  EXPECT_EQ(hal::fault_log::count(), 0U);
}

TEST_F(ModelCores, AResetCoreTakesItsTasksAndNobodyElses) {
  power_on(3, "reset core=1 at=20000");
  const TaskText moves_on = copies_task(0, 0, kRounds, 1);  // reads what it has written, so it cannot be retried
  Run &neighbour = add(copies_task(0, 0, 60 * kRounds));
  Run &again = add(copies_task(1, 1, kRounds));
  Run &once = add(copies_task(2, 2, kRounds));
  Run &never = add(moves_on);
  Run &across = add(two_core_task(5, kRounds));
  start(neighbour, {.core_mask = 0b001, .retries = 2});
  start(again, {.core_mask = 0b010, .retries = 2, .owner = 1});
  start(once, {.core_mask = 0b010, .owner = 2});
  start(never, {.core_mask = 0b010, .retries = 2, .owner = 3});
  start(across, {.core_mask = 0b110, .retries = 2, .owner = 4});
  for (Run &run : runs_) wait(run);
  EXPECT_EQ(injected_, 1U);

  expect_right(neighbour);
  EXPECT_EQ(neighbour.report.retried, 0);
  EXPECT_GT(neighbour.report.end_cycle, board::NativeBoard::kTickCycles) << "the neighbour must run until the reset is noticed";
  for (const Run *run : {&again, &across}) {
    expect_right(*run);
    EXPECT_EQ(run->report.retried, 1);
  }
  for (const Run *run : {&once, &never}) {
    EXPECT_EQ(run->report.status.code(), ErrorCode::device_fault);
    EXPECT_STREQ(run->report.status.what(), "core reset");
    EXPECT_EQ(run->report.status.value(), 1);
    EXPECT_EQ(run->report.retried, 0);
  }
  const auto owners = [](FaultAction action) {
    std::vector<unsigned> all;
    for (const hal::FaultRecord &record : logged(action)) {
      EXPECT_EQ(record.error, ErrorCode::device_fault);
      EXPECT_EQ(record.queue, 1 * kClasses);
      if (action != FaultAction::reset) all.push_back(record.owner);
    }
    return all;
  };
  EXPECT_THAT(owners(FaultAction::retried), testing::UnorderedElementsAre(1U, 4U));
  EXPECT_THAT(owners(FaultAction::failed), testing::UnorderedElementsAre(2U, 3U));
  EXPECT_EQ(logged(FaultAction::reset).size(), 1U);
  EXPECT_EQ(scheduler_->totals().core_resets, 1U);
  expect_runs(copies_task(0, 9, kRounds), {.core_mask = 0b010}, 1);
}

TEST_F(ModelCores, WhatALostInterruptHeldUpIsTakenAtTheTick) {
  power_on(2, "interrupt lost line=0 count=9\ninterrupt spurious line=0 at=7000");
  Run &one = add(copies_task(0, 0, kRounds));
  Run &other = add(copies_task(0, 0, kRounds));
  start(one);
  start(other);
  wait(one);
  wait(other);
  EXPECT_EQ(injected_, 2U);
  expect_right(one);
  expect_right(other);
  EXPECT_EQ(scheduler_->totals().core_resets, 0U);
}

// A context must not get a new run while a completion of the cancelled run may still come: the new run would take it for its own. The fault
// plan swaps a completion entry with the next one; if there is no next one, the entry comes 1,000 cycles late. During that time, the
// scheduler takes completions of another run, `neighbour`.
TEST_F(ModelCores, AContextServesAgainOnlyWhenNothingOfTheLastRunIsUnderWay) {
  unsigned delayed = 0;
  for (unsigned count = 1; count <= 4; ++count) {
    scheduler_ = std::make_unique<Scheduler>();
    runs_.clear();
    injected_ = 0;
    board_.reset();
    power_on(2, "completion swap queue=0 count=" + std::to_string(count));
    Run &neighbour = add(copies_task(0, 0, kRounds));
    start(neighbour, {.core_mask = 0b10});
    Run &cancelled = add(copies_task(0, 0, kRounds));
    start(cancelled, {.core_mask = 0b01});
    ASSERT_TRUE(scheduler_->cancel(cancelled.context).ok());
    wait(cancelled);
    EXPECT_EQ(cancelled.report.status.code(), ErrorCode::cancelled);
    delayed += injected_;
    expect_runs(copies_task(0, 0, kRounds), {.core_mask = 0b01}, 0);
    EXPECT_EQ(runs_.back().context, cancelled.context);
    wait(neighbour);
    expect_right(neighbour);
  }
  EXPECT_GT(delayed, 0U) << "report of the cancelled run";
}

TEST_F(ModelCores, ACoreWhoseClockNeverComesBackIsAvoided) {
  power_on(4, "clock core=1 at=20000 cycles=forever");
  std::array<Run *, 4> first{};
  for (unsigned core = 0; core < 4; ++core) {
    first[core] = &add(copies_task(0, 0, kRounds));
    start(*first[core], {.time_limit_us = kLimit});
  }
  for (Run *run : first) wait(*run);
  EXPECT_EQ(injected_, 1U);
  for (unsigned core = 0; core < 4; ++core) {
    EXPECT_EQ(first[core]->report.first_core, core);
    if (core != 1) expect_right(*first[core]);
  }
  const RunReport &lost = first[1]->report;
  EXPECT_EQ(lost.status.code(), ErrorCode::time_limit);
  EXPECT_THAT(lost.status.what(), testing::AnyOf(testing::StrEq("LD"), testing::StrEq("ST")));
  EXPECT_GE(lost.status.index(), static_cast<std::int32_t>(kLoad));
  EXPECT_EQ(lost.status.value(), kLimit);
  const std::uint64_t bound = (kLimit + kStopLimit) * 1000ULL + 2 * board::NativeBoard::kTickCycles;
  EXPECT_LE(lost.end_cycle, bound);
  ASSERT_EQ(logged(FaultAction::failed).size(), 1U);
  EXPECT_EQ(logged(FaultAction::failed)[0].error, ErrorCode::time_limit);
  EXPECT_EQ(scheduler_->totals().core_resets, 1U);

  // Six tasks at once use three cores: the scheduler sends none of them to the stuck core.
  for (unsigned i = 0; i < 6; ++i) start(add(copies_task(i, i, kRounds)), {.time_limit_us = kLimit});
  std::array<unsigned, 4> on{};
  for (std::size_t i = 4; i < runs_.size(); ++i) {
    wait(runs_[i]);
    expect_right(runs_[i]);
    ++on[runs_[i].report.first_core];
  }
  EXPECT_THAT(on, testing::ElementsAre(2U, 0U, 2U, 2U));
  expect_runs(two_core_task(0, kRounds), {.time_limit_us = kLimit}, 2);

  // A run that may use only the stuck core reaches its time limit. It ends within the same `bound` as the run that found the core stuck.
  Run &insists = add(copies_task(0, 0, kRounds));
  const std::uint64_t begin = board_->now();
  start(insists, {.time_limit_us = kLimit, .core_mask = 0b0010});
  wait(insists);
  EXPECT_EQ(insists.report.status.code(), ErrorCode::time_limit);
  EXPECT_LE(board_->now() - begin, bound);
  expect_runs(copies_task(0, 8191, kRounds), {}, 0);
}

TEST_F(ModelCores, WhatMayBeginAgainDoesSoOnACoreThatHasItsClock) {
  power_on(2, "clock core=0 at=20000 cycles=forever");
  Run &moves = add(copies_task(0, 8191, kRounds));
  Run &neighbour = add(copies_task(0, 8191, 2 * kRounds));
  start(moves, {.time_limit_us = kLimit, .retries = 1});
  start(neighbour, {.time_limit_us = kLimit});
  wait(moves);
  wait(neighbour);
  expect_right(moves);
  expect_right(neighbour);
  EXPECT_EQ(moves.report.first_core, 1);
  EXPECT_EQ(moves.report.retried, 1);
  // The counters are those of the core on which the run ended.
  EXPECT_EQ(moves.report.queues[static_cast<unsigned>(Class::LD)].instructions, 1 + kRounds);
  EXPECT_EQ(moves.report.queues[static_cast<unsigned>(Class::ST)].bytes, kRounds * kTensorBytes);
  EXPECT_EQ(neighbour.report.first_core, 1);
}

}  // namespace
}  // namespace cox::tests
