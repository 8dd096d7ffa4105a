// SPDX-License-Identifier: MIT
// Starts runs, ends them and reports them.
#include "coxswain/firmware/schedule/run_table.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "coxswain/base/bits.h"
#include "coxswain/base/inline_copy.h"
#include "coxswain/firmware/schedule/placement.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;

void RunTable::initialise(hal::Accelerator &accelerator) {
  accelerator_ = &accelerator;
  for (unsigned context = 0; context < kMaximumRuns; ++context) runs_[context].context = static_cast<std::uint8_t>(context);
  dispatcher_.connect(*this);
}

Result<unsigned> RunTable::free_context() const {
  const unsigned contexts = std::min(geometry().contexts, kMaximumRuns);
  for (unsigned context = 0; context < contexts; ++context) {
    if (accelerator_->is_free(context)) return context;
  }
  return Status{ErrorCode::no_room, "contexts", -1, contexts, contexts};
}

/// Takes the context for a run and writes down what start() was told.
TaskRun &RunTable::set_up(unsigned context, const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options) {
  TaskRun &run = runs_[context];
  run.task = &task;
  const verify::TaskNeeds &needs = task.needs();
  run.configuration.l2_first = needs.blocks.first;
  run.configuration.l2_last = needs.blocks.last;
  run.configuration.wl0_first = needs.weights.first;
  run.configuration.wl0_last = needs.weights.last;
  run.configuration.owner = options.owner;
  static_assert(sizeof(windows) == sizeof(run.configuration.windows));
  std::memcpy(run.configuration.windows, windows.data(), sizeof(windows));
  run.owner = options.owner;
  run.lost = false;
  static_cast<RunSummary &>(run.report) = {};  // launch() writes the counters
  run.report.cores = static_cast<std::uint8_t>(needs.cores);
  set_options(run, options);
  static_cast<void>(accelerator_->take_context(registers::Engine::tile, context));  // cannot fail: it is free
  used_ |= 1U << context;
  return run;
}

/// Sets what may differ from one run of a task to the next.
void RunTable::set_options(TaskRun &run, const RunOptions &options) {
  run.allowed = options.allowed_cores();
  run.time_limit = options.time_limit_us == 0 ? kDefaultTimeLimit : options.time_limit_us;
  run.retries_left = run.task->needs().restartable ? options.retries : std::uint8_t{0};
  run.report.retried = 0;
  run.report.counted = options.read_counters;
}

void RunTable::prepare(unsigned context, const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options,
                       unsigned first_core) {
  place(set_up(context, task, windows, options), first_core);
  prepare_again(context);
}

void RunTable::prepare_again(unsigned context) {
  TaskRun &run = runs_[context];
  run.deadline = board::microseconds() + run.time_limit;
  run.state = RunState::preparing;
}

void RunTable::forget(unsigned context) {
  runs_[context].state = RunState::idle;
  used_ &= ~(1U << context);
  accelerator_->give_context(context);
}

void RunTable::end_prepared(unsigned context, const Status &status) {
  TaskRun &run = runs_[context];
  RunReport &report = run.report;
  report.end_cycle = report.counted_cycle = hal::device_cycles();
  if (report.retried == 0) {
    // The run has never started, so it has taken no time and no instructions.
    report.start_cycle = report.end_cycle;
    if (report.counted) dispatcher_.cores().read_counters(run.cores, report.queues, run.clocked_start);
  }
  report.status = status;
  run.state = RunState::ended;
}

Status RunTable::start(unsigned context, const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options,
                       unsigned first_core) {
  Status status = configure_and_launch(set_up(context, task, windows, options), first_core);
  if (!status.ok()) forget(context);
  return status;
}

bool RunTable::start_again(unsigned context, const RunWindows &windows, const RunOptions &options, RunSummary &ended) {
  TaskRun &run = runs_[context];
  if (!run.report.status.ok() || run.report.counted || (run.cores & ~options.allowed_cores()) != 0) return false;
  if (!dispatcher_.cores().are_idle(run.cores)) return false;
  hal::move_windows(context, run.configuration.windows, windows);
  complete(run);
  inline_copy(ended, static_cast<const RunSummary &>(run.report));
  set_options(run, options);
  run.task->plan().rewind(run.context);
  Dispatcher::prepare_again(run);
  launch(run);
  return true;
}

/// Reserves the cores from `first_core` on for a run.
void RunTable::place(TaskRun &run, unsigned first_core) {
  run.first_lane = first_core * kClasses;
  run.cores = static_cast<std::uint8_t>(cores_from(first_core, run.task->needs().cores));
  run.report.first_core = static_cast<std::uint8_t>(first_core);
}

void RunTable::restart(unsigned context) {
  TaskRun &run = runs_[context];
  run.state = RunState::idle;
  const CoreBank &cores = dispatcher_.cores();
  const Result<unsigned> better = choose_cores(cores, used(), *run.task, run.allowed);
  // The previous cores may hang again, but they are still reserved for this run, so use them if no others are free. A core that did not
  // reset is out of use.
  Status status = better.status();
  if (better || cores.are_ready(run.cores)) status = configure_and_launch(run, better ? better.value() : run.report.first_core);
  if (!status.ok()) {
    run.report.status = status;
    run.state = RunState::ended;
  }
}

/// Starts a task on the cores that were chosen for it: sets up its context and rings its first doorbells. Before this call, the device
/// has no instruction of the task.
Status RunTable::configure_and_launch(TaskRun &run, unsigned first_core) {
  place(run, first_core);
  run.configuration.first_core = first_core;
  run.configuration.last_core = first_core + run.task->needs().cores - 1;
  if (Status status = hal::configure_context(geometry(), run.context, run.configuration); !status.ok()) return status;

  run.task->plan().rewind(run.context);
  dispatcher_.prepare(run);
  run.report.status = Status();
  launch(run);
  return {};
}

/// Rings the first doorbells of a run whose context and lanes are set up.
void RunTable::launch(TaskRun &run) {
  run.passing = false;
  run.quiet_looks = 0;
  const bool first = run.report.retried == 0;

  const hal::InterruptMask mask;
  CoreBank &cores = dispatcher_.cores();
  cores.enter(run.cores, run.context);
  if (run.report.counted) cores.read_counters(run.cores, run.report.queues, run.clocked_start);
  run.state = RunState::running;
  run.deadline = board::microseconds() + run.time_limit;
  trace::record<trace::Kind::run_start>(run.context, run.report.first_core, run.report.cores);
  if (first) run.report.start_cycle = hal::device_cycles();
  if (first) run.control_start = board::executed_instructions();
  dispatcher_.launch(run);
}

/// Ends a run. Its last sink has completed, so all of its instructions have ended (Plan::sinks).
[[gnu::cold]] void RunTable::on_end(unsigned context, std::uint64_t end_cycle) {
  TaskRun &run = runs_[context];
  const std::uint64_t executed = board::executed_instructions();
  run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
  run.report.counted_cycle = hal::device_cycles();
  run.report.end_cycle = end_cycle;
  std::atomic_signal_fence(std::memory_order_release);  // when has_ended() sees the new state, the report is complete
  std::atomic_ref(run.state).store(RunState::ended, std::memory_order_relaxed);
  dispatcher_.cores().mark_working(run.cores);
  dispatcher_.cores().leave(run.cores, context);
  dispatcher_.raise_attention();
}

bool RunTable::has_ended(unsigned context) const {
  // The completion interrupt runs on this core and may end the run at any instruction of the caller. The atomic load makes the compiler
  // read the state at each call. The signal fence makes the caller read the report after the state, because on_end() writes the report
  // first. A signal fence costs no instruction.
  auto &state = const_cast<RunState &>(runs_[context].state);  // C++20's atomic_ref refuses const
  const bool ended = std::atomic_ref(state).load(std::memory_order_relaxed) == RunState::ended;
  std::atomic_signal_fence(std::memory_order_acquire);
  return ended;
}

bool RunTable::any_ended() const {
  for (std::uint32_t used = used_; used != 0;) {
    if (runs_[take_lowest(used)].state == RunState::ended) return true;
  }
  return false;
}

/// Replaces the counters at the start of the run by what the run has added to them.
[[gnu::noinline]] void RunTable::count_work(TaskRun &run) const {
  RunReport &report = run.report;
  std::array<hal::tile::QueueCounters, kClasses> now;
  std::uint64_t clocked = 0;
  dispatcher_.cores().read_counters(run.cores, now, clocked);
  report.clocked_cycles = clocked - run.clocked_start;
  for (unsigned own = 0; own < kClasses; ++own) {
    hal::tile::QueueCounters &queue = report.queues[own];
    // If a counter is lower now than at the start of the run, a reset of the core has cleared the counters.
    const bool reset = now[own].instructions < queue.instructions || now[own].busy_cycles < queue.busy_cycles;
    if (reset) queue = {};
    queue = {now[own].instructions - queue.instructions, now[own].busy_cycles - queue.busy_cycles,
             now[own].stalled_cycles - queue.stalled_cycles, now[own].bytes - queue.bytes};
  }
}

/// Completes the report of a run that has ended, and counts the run.
void RunTable::complete(TaskRun &run) {
  RunReport &report = run.report;
  trace::record<trace::Kind::run_end>(run.context, report.first_core, static_cast<std::uint32_t>(report.status.code()));
  if (report.status.ok()) report.accelerator_instructions = static_cast<std::uint32_t>(run.task->instructions().size());
  if (report.counted) count_work(run);
  totals_.instructions += report.accelerator_instructions;
  ++totals_.runs;
  if (!report.status.ok()) ++totals_.failures;
}

const RunReport &RunTable::take_report(unsigned context) {
  TaskRun &run = runs_[context];
  complete(run);
  run.state = RunState::idle;
  dispatcher_.cores().stop_clocks();
  used_ &= ~(1U << context);
  if (!run.lost) accelerator_->give_context(context);
  return run.report;
}

}  // namespace cox::firmware::schedule
