// SPDX-License-Identifier: MIT
// Runs: beginning them when there is room, ending them, and cancelling them for their owners.
#include <algorithm>

#include "base/bits.h"
#include "firmware/boot/boot_record.h"
#include "firmware/job/job_processor.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

namespace {

/// Sets the memory of a run that will begin, and what of it the run writes. A window into which the firmware copies constants is whole
/// blocks, because the firmware writes whole cache lines.
void set_memory(ActiveRun &run, const image::LoadedTask &task, std::span<const hal::Window, kWindows> windows) {
  run.written = 0;
  for (unsigned i = 0; i < kWindows; ++i) {
    run.windows[i] = windows[i].range();
    if (windows[i].bytes == 0 || !schedule::is_written(task, windows, i)) continue;
    run.written = static_cast<std::uint8_t>(run.written | 1U << i);
    if (task.windows()[i].has_constants) run.windows[i] = blocks_of(run.windows[i]);
  }
}

/// Returns the first window (0 to 3) in which `run` would conflict with `running`: one run would write bytes that the other uses. Returns
/// kWindows if there is no conflict.
unsigned conflict(const ActiveRun &running, const ActiveRun &run) {
  for (unsigned own = 0; own < kWindows; ++own) {
    for (unsigned other = 0; other < kWindows; ++other) {
      const bool written = ((run.written >> own | running.written >> other) & 1) != 0;
      if (written && run.windows[own].overlaps(running.windows[other])) return own;
    }
  }
  return kWindows;
}

}  // namespace

Status JobProcessor::begin_run(std::uint32_t number, JobRecord &record, const Request &job) {
  if (Status status = slots_.check_owner(job.task_slot, job.owner); !status.ok()) return status;
  TaskSlot &slot = slots_.slot(job.task_slot);
  if (!slot.task.valid()) return {ErrorCode::not_ready, "task_slot", -1, job.task_slot};
  const auto range = [&](unsigned i) { return MemoryRange{job.windows[i].address, job.windows[i].size}; };
  const std::array<MemoryRange, kWindows> given{range(0), range(1), range(2), range(3)};
  std::array<hal::Window, kWindows> windows;
  if (Status status = schedule::bind_windows(slot.task, given, dram_, slots_.reserved(ring_.range()), windows); !status.ok()) return status;
  ActiveRun &run = runs_[job.task_slot];  // next_job() has waited for the end of the slot's previous run
  set_memory(run, slot.task, windows);
  for (std::uint32_t others = running_; others != 0;) {
    const ActiveRun &running = runs_[take_lowest(others)];
    const unsigned window = conflict(running, run);
    if (window == kWindows) continue;
    if (running.owner != job.owner) {
      return {ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(window), signed_of(windows[window].base), running.owner};
    }
    record.blocked = JobRecord::kNoRoom;  // a run of the same owner uses the memory: the job waits for the run's end
    any_blocked_ = true;
    return {};
  }
  if (is_engine_busy(slot.task, record)) return {};

  schedule::RunOptions options;
  options.time_limit_us = job.time_limit_us;
  options.core_mask = job.core_mask;
  options.retries = job.retries;
  options.owner = job.owner;
  options.place_constants = true;
  options.read_counters = (job.flags & kReadCounters) != 0;
  if (const Status status = start(run, slot.task, windows, options); !status.ok()) {
    // There may be room when another run has ended.
    if (status.code() != ErrorCode::no_room || !anything_runs()) return status;
    record.blocked = JobRecord::kNoRoom;
    any_blocked_ = true;
    return {};
  }

  record.stage = Stage::running;
  mark_running(number, job.owner);
  boot_record::enter_run(run.context);
  running_ |= 1U << job.task_slot;
  run.there = true;
  run.owner = job.owner;
  run.number = number;
  run.charged = slot.last_cycles;
  owners_.charge(job.owner, run.charged);
  for (std::uint32_t other = ring_.completed(); any_blocked_ && other != ring_.taken(); ++other) {
    JobRecord &waits = records_[other];
    if (waits.stage == Stage::waiting && waits.blocked == JobRecord::kNoRoom && waits.passed != UINT8_MAX) ++waits.passed;
  }
  return {};
}

/// Starts a run on the engine of its task, and writes the place of the run to `run`. Errors: those of Scheduler::start() or of
/// StreamRuns::start().
Status JobProcessor::start(ActiveRun &run, const image::LoadedTask &task, const std::array<hal::Window, kWindows> &windows,
                           const schedule::RunOptions &options) {
  if (task.program() != nullptr) {
    run.engine = static_cast<std::uint8_t>(streams_->number_of(task));
    if (Status status = streams_->start(task, windows, options); !status.ok()) return status;
    run.context = static_cast<std::uint8_t>(streams_->context(run.engine));
    return {};
  }
  const Result<unsigned> context = scheduler_.start_bound(task, windows, options);
  if (!context) return context.status();
  run.engine = ActiveRun::kTileCores;
  run.context = static_cast<std::uint8_t>(context.value());
  return {};
}

/// Returns true, and blocks the job, if the task's engine runs one program at a time and has one.
bool JobProcessor::is_engine_busy(const image::LoadedTask &task, JobRecord &record) {
  if (task.program() == nullptr) return false;
  const unsigned engine = streams_->number_of(task);
  if (!streams_->is_busy(engine)) return false;
  record.blocked = static_cast<std::uint8_t>(JobRecord::kEngineBusy + engine);
  any_blocked_ = true;
  return true;
}

bool JobProcessor::has_ended(const ActiveRun &run) const {
  return run.engine == ActiveRun::kTileCores ? scheduler_.has_ended(run.context) : streams_->has_ended(run.engine);
}

/// Takes the reports of runs that have ended. Returns true if there were any.
bool JobProcessor::end_runs() {
  bool any = false;
  if (streams_ != nullptr) streams_->poll();
  for (std::uint32_t runs = running_; runs != 0;) {
    const unsigned number = take_lowest(runs);
    ActiveRun &run = runs_[number];
    if (!has_ended(run)) continue;
    const schedule::RunReport &report =
        run.engine == ActiveRun::kTileCores ? scheduler_.take_ended(run.context) : streams_->take(run.engine);
    any = true;
    last_run_ = report;
    run.there = false;
    running_ &= ~(1U << number);
    TaskSlot &slot = slots_.slot(number);
    ++slot.runs;
    if (!report.status.ok()) ++slot.failures;
    slot.last_cycles = report.end_cycle - std::min(report.start_cycle, report.end_cycle);
    slot.last_cycles *= slot.task.needs().cores;
    owners_.settle(run.owner, run.charged, slot.last_cycles);
    finish(run.number, report.status, report);
    if (any_blocked_) unblock(run.engine);
  }
  return any;
}

/// Lets the jobs look for room again that a run on `engine` may have held up.
void JobProcessor::unblock(std::uint8_t engine) {
  any_blocked_ = false;
  for (std::uint32_t number = ring_.completed(); number != ring_.taken(); ++number) {
    std::uint8_t &blocked = records_[number].blocked;
    if (blocked == JobRecord::kNoRoom || blocked == JobRecord::kEngineBusy + engine) blocked = 0;
    any_blocked_ = any_blocked_ || blocked != 0;
  }
}

Status JobProcessor::cancel_run(const ActiveRun &run) {
  if (run.engine == ActiveRun::kTileCores) return scheduler_.cancel(run.context);
  streams_->cancel(run.engine);
  return {};
}

/// Cancels a job of the same owner that stands before job `number` in the ring and is not done.
Status JobProcessor::cancel(const Request &job, std::uint32_t number) {
  const std::uint32_t target = job.argument;
  // Only a job from completed() to `number` - 1 can be cancelled. Earlier jobs are done, and later jobs have no record yet.
  if (number - target - 1 >= number - ring_.completed()) return {ErrorCode::not_ready, "argument", -1, target, ring_.completed()};
  JobRecord &record = records_[target];
  if (record.stage == Stage::done) return {ErrorCode::not_ready, "argument", -1, target};
  if (record.owner != job.owner) return {ErrorCode::not_owner, "argument", -1, target, record.owner};
  if (record.stage == Stage::waiting) {
    finish(target, {ErrorCode::cancelled, "job", -1, target}, {});
    return {};
  }
  if (record.stage == Stage::loading) {
    load_cancelled_ = true;  // step_load() ends the load job
    return {};
  }
  const Status status = cancel_run(runs_[record.task_slot]);
  // Scheduler::cancel() fails if the run has already left the scheduler.
  return status.ok() ? status : Status{ErrorCode::not_ready, "argument", -1, target};
}

}  // namespace cox::firmware::job
