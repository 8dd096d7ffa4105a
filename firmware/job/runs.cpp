// SPDX-License-Identifier: MIT
// Runs: beginning them when there is room, ending them, and cancelling them for their owners.
#include <algorithm>

#include "firmware/boot/boot_record.h"
#include "firmware/job/job_processor.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

namespace {

/// Returns the memory of a window. If the firmware copies constants there, these are whole blocks, because it writes whole cache lines.
MemoryRange memory_of(const image::LoadedTask &task, std::span<const hal::Window, kWindows> windows, unsigned window) {
  const MemoryRange range{windows[window].base, windows[window].bytes};
  const bool copies = range.size != 0 && task.windows()[window].has_constants && schedule::is_written(task, windows, window);
  return copies ? blocks_of(range) : range;
}

/// Returns the first window (0 to 3) in which a run of `task` would conflict with `running`: one run would write bytes that the other uses.
/// Returns kWindows if there is no conflict.
unsigned conflict(const ActiveRun &running, const image::LoadedTask &task, std::span<const hal::Window, kWindows> windows) {
  for (unsigned own = 0; own < kWindows; ++own) {
    const MemoryRange mine = memory_of(task, windows, own);
    for (unsigned other = 0; other < kWindows; ++other) {
      const bool written = schedule::is_written(task, windows, own) || (running.written >> other & 1) != 0;
      if (written && mine.overlaps(running.windows[other])) return own;
    }
  }
  return kWindows;
}

}  // namespace

Status JobProcessor::begin_run(std::uint32_t number, JobRecord &record, const Request &job) {
  if (Status status = slots_.check_owner(job.task_slot, job.owner); !status.ok()) return status;
  TaskSlot &slot = slots_.slot(job.task_slot);
  if (!slot.task.valid()) return {ErrorCode::not_ready, "task_slot", -1, job.task_slot};
  std::array<MemoryRange, kWindows> given;
  for (unsigned i = 0; i < kWindows; ++i) given[i] = {job.windows[i].address, job.windows[i].size};
  TaskSlots::Ranges ranges;
  const auto windows = schedule::bind_windows(slot.task, given, dram_, slots_.reserved(ring_.range(), ranges));
  if (!windows) return windows.status();

  for (const ActiveRun &running : runs_) {
    const unsigned window = running.there ? conflict(running, slot.task, windows.value()) : kWindows;
    if (window == kWindows) continue;
    if (running.owner != job.owner) {
      return {ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(window), signed_of(windows.value()[window].base),
              running.owner};
    }
    record.blocked = any_blocked_ = true;  // a run of the same owner uses the memory: the job waits for the run's end
    return {};
  }

  schedule::RunOptions options;
  options.time_limit_us = job.time_limit_us;
  options.core_mask = job.core_mask;
  options.retries = job.retries;
  options.owner = job.owner;
  options.place_constants = true;
  const Result<unsigned> context = scheduler_.start(slot.task, windows.value(), options);
  if (!context) {
    // There may be room when another run has ended.
    record.blocked = context.status().code() == ErrorCode::no_room && anything_runs();
    any_blocked_ = any_blocked_ || record.blocked;
    return record.blocked ? Status{} : context.status();
  }

  record.stage = Stage::running;
  mark_running(number, job.owner);
  boot_record::enter_run(context.value());
  ActiveRun &run = runs_[job.task_slot];
  run = {.there = true, .context = static_cast<std::uint8_t>(context.value()), .owner = job.owner, .number = number};
  for (unsigned i = 0; i < kWindows; ++i) {
    run.windows[i] = memory_of(slot.task, windows.value(), i);
    run.written = static_cast<std::uint8_t>(run.written | (schedule::is_written(slot.task, windows.value(), i) ? 1U << i : 0));
  }
  run.charged = slot.last_cycles;
  owners_.charge(job.owner, run.charged);
  for (std::uint32_t other = ring_.completed(); any_blocked_ && other != ring_.taken(); ++other) {
    JobRecord &waits = records_[other];
    if (waits.stage == Stage::waiting && waits.blocked && waits.passed != UINT8_MAX) ++waits.passed;
  }
  return {};
}

/// Takes the reports of runs that have ended. Returns true if there were any.
bool JobProcessor::end_runs() {
  bool any = false;
  for (unsigned number = 0; number < kTaskSlots; ++number) {
    ActiveRun &run = runs_[number];
    if (!run.there || !scheduler_.has_ended(run.context)) continue;
    const schedule::RunReport &report = scheduler_.take_ended(run.context);
    any = true;
    last_run_ = report;
    run.there = false;
    TaskSlot &slot = slots_.slot(number);
    ++slot.runs;
    if (!report.status.ok()) ++slot.failures;
    slot.last_cycles = report.end_cycle - std::min(report.start_cycle, report.end_cycle);
    slot.last_cycles *= slot.task.needs().cores;
    owners_.settle(run.owner, run.charged, slot.last_cycles);
    finish(run.number, report.status, report);
  }
  if (any && any_blocked_) {
    any_blocked_ = false;
    for (std::uint32_t number = ring_.completed(); number != ring_.taken(); ++number) records_[number].blocked = false;
  }
  return any;
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
  const Status status = scheduler_.cancel(runs_[record.task_slot].context);
  // Scheduler::cancel() fails if the run has already left the scheduler.
  return status.ok() ? status : Status{ErrorCode::not_ready, "argument", -1, target};
}

}  // namespace cox::firmware::job
