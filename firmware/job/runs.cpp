// SPDX-License-Identifier: MIT
// Runs: beginning them when there is room, ending them, and cancelling them for their owners.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "coxswain/base/bits.h"
#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/job/job_processor.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

/// Checks the task and the windows of a run, and makes it the bound run.
Status JobProcessor::bind(std::uint32_t number, const Request &job) {
  bound_.there = false;
  if (Status status = slots_.check_owner(job.task_slot, job.owner); !status.ok()) return status;
  const image::LoadedTask &task = slots_.slot(job.task_slot).task;
  if (!task.valid()) return {ErrorCode::not_ready, "task_slot", -1, job.task_slot};
  static_assert(sizeof(Window) == sizeof(MemoryRange) && offsetof(Window, size) == offsetof(MemoryRange, size));
  const auto given = std::bit_cast<std::array<MemoryRange, kWindows>>(job.windows);
  const std::span<const MemoryRange> reserved = slots_.reserved(ring_.range());
  schedule::WindowUse use;
  if (Status status = schedule::bind_windows(task, given, dram_, reserved, bound_.windows, &use); !status.ok()) return status;
  bound_.options.place_constants = use.constants != 0;
  if (Status status = bound_.inferences.take(job, bound_.windows, use.written, dram_, reserved); !status.ok()) return status;
  bound_.options.time_limit_us = job.time_limit_us;
  bound_.options.core_mask = job.core_mask;
  bound_.options.retries = job.retries;
  bound_.options.owner = job.owner;
  bound_.options.read_counters = (job.flags & kReadCounters) != 0;
  bound_.task_slot = static_cast<std::uint8_t>(job.task_slot);
  bound_.number = number;
  bound_.follows = false;
  bound_.there = true;
  return {};
}

/// Binds job `number`, the first that waits, if it is a run. Called when no job can begin. If the job cannot be bound, perform() finds out
/// why when its turn has come.
void JobProcessor::bind_next(std::uint32_t number) {
  const JobRecord &record = records_[number];
  if (record.job_kind() != Kind::run || record.blocked != 0) return;
  const ActiveRun &before = runs_[record.task_slot];
  const bool runs = runs_.has_run(record.task_slot);
  const bool follows = runs && records_.behind(number) == ring_.taken() && !loading_;
  only_train_ = follows ? record.train : std::uint8_t{0};
  bound_.follows = false;
  // No run begins before the counters of the run on the device are read. So its instructions are not delayed now.
  if (runs && before.engine == ActiveRun::kTileCores && scheduler_.run(before.context).report.counted) return;
  if (!bound_.there || bound_.number != number) {
    Request job;
    if (!copy(number, record, job).ok() || !bind(number, job).ok()) return;
  }
  bound_.follows = follows;
}

/// Binds the first run that waits if it can only follow run `begun`, which has just begun. A short run may end before the next turn.
void JobProcessor::bind_behind(std::uint32_t begun) {
  const std::uint32_t waiting = records_.first_waiting(ring_.completed(), ring_.taken());
  const bool follows = waiting != ring_.taken() && records_[waiting].job_kind() == Kind::run &&
                       records_[waiting].task_slot == records_[begun].task_slot && records_.behind(waiting) == ring_.taken();
  if (follows) bind_next(waiting);
}

/// True if the bound run is the next to begin and the run of its task slot has ended.
bool JobProcessor::can_follow() const {
  return bound_.there && bound_.follows && runs_.has_run(bound_.task_slot) && records_[bound_.number].stage == Stage::waiting &&
         !runs_[bound_.task_slot].inferences.any_left() && runs_.has_ended(bound_.task_slot);
}

/// Begins next inferences as soon as the ones before have ended, and the bound run as soon as the run of its task slot has ended, if no
/// other job could begin before it. Everything else that is to be done for the jobs comes after the start.
void JobProcessor::follow() {
  for (std::uint32_t runs = runs_.slots(); runs != 0;) {
    const unsigned task_slot = take_lowest(runs);
    if (runs_[task_slot].inferences.any_left() && runs_.has_ended(task_slot)) go_on(task_slot);
  }
  if (!can_follow() || runs_.find_conflict(bound_).run != nullptr) return;
  if (!runs_.start_again(bound_.task_slot, bound_.windows, bound_.options, last_run_)) return;
  end_run(bound_.task_slot, last_run_, {});
  note_begin(records_[bound_.number]);
}

/// Starts the bound run if there is room, or blocks its job.
Status JobProcessor::begin_run(JobRecord &record) {
  const ActiveRuns::Conflict conflict = runs_.find_conflict(bound_);
  if (conflict.run != nullptr && conflict.run->owner != record.owner) {
    return {ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(conflict.window),
            signed_of(bound_.windows[conflict.window].base), conflict.run->owner};
  }
  if (conflict.run == nullptr) {
    const image::LoadedTask &task = slots_.slot(bound_.task_slot).task;
    if (task.program() != nullptr && streams_->is_busy(streams_->number_of(task))) {
      record.blocked = static_cast<std::uint8_t>(JobRecord::kEngineBusy + streams_->number_of(task));
      any_blocked_ = true;
      return {};
    }
    const Status status =
        runs_.start(bound_.task_slot, bound_.windows, bound_.options);  // next_job() has waited for the end of the slot's previous run
    if (status.ok()) {
      note_begin(record);
      return {};
    }
    // There may be room when another run has ended.
    if (status.code() != ErrorCode::no_room || runs_.slots() == 0) return status;
  }
  // Otherwise a run of the same owner uses the memory: the job waits for the run's end.
  record.blocked = JobRecord::kNoRoom;
  any_blocked_ = true;
  return {};
}

/// Writes down that the bound run has begun.
void JobProcessor::note_begin(JobRecord &record) {
  bound_.there = false;
  record.stage = Stage::running;
  ring_.mark_running(bound_.number, record.owner);
  ActiveRun &run = runs_[bound_.task_slot];
  boot_record::enter_run(bound_.number, run.context, run.engine == ActiveRun::kTileCores);
  runs_.add(bound_, record.owner);
  run.charged = slots_.slot(bound_.task_slot).last_cycles;
  owners_.charge(run.owner, run.charged);
  for (std::uint32_t other = ring_.completed(); any_blocked_ && other != ring_.taken(); ++other) {
    JobRecord &waits = records_[other];
    if (waits.stage == Stage::waiting && waits.blocked == JobRecord::kNoRoom && waits.passed != UINT8_MAX) ++waits.passed;
  }
}

/// Begins the next inference of a run that has ended, in its context and on its cores or engine. Returns false if no inference is left, or
/// if it cannot begin in this way.
bool JobProcessor::go_on(unsigned task_slot) {
  const ActiveRun &run = runs_[task_slot];
  if (!run.inferences.any_left() || run.cancelled) return false;
  if (!runs_.start_again(task_slot, runs_.next_windows(task_slot), run.options, last_run_)) return false;
  count_inference(task_slot, {});
  return true;
}

/// Takes the reports of runs that have ended, and begins the next inferences of those that have any. Returns true if any has ended.
bool JobProcessor::end_runs() {
  bool any = false;
  for (std::uint32_t runs = runs_.slots(); runs != 0;) {
    const unsigned number = take_lowest(runs);
    if (!runs_.has_ended(number)) continue;
    ActiveRun &run = runs_[number];
    any = true;
    if (go_on(number)) continue;
    std::optional<schedule::RunWindows> next;
    if (run.inferences.any_left() && !run.cancelled) next = runs_.next_windows(number);
    ActiveRuns::Counters queues;
    last_run_ = runs_.take(number, queues);
    if (last_run_.status.ok() && run.inferences.any_left()) {
      count_inference(number, queues);
      queues = {};
      const Status status = next ? runs_.start(number, *next, run.options) : Status{ErrorCode::cancelled, "job", -1, run.number};
      if (status.ok()) continue;
      last_run_.status = status;
      last_run_.start_cycle = last_run_.counted_cycle = last_run_.end_cycle;
      last_run_.control_instructions = 0;
      last_run_.accelerator_instructions = last_run_.retried = 0;
    }
    end_run(number, last_run_, queues);
  }
  return any;
}

/// Counts a run or inference that has ended, and charges its owner.
void JobProcessor::count_run(unsigned task_slot, const schedule::RunSummary &report) {
  TaskSlot &slot = slots_.slot(task_slot);
  ++slot.runs;
  if (!report.status.ok()) ++slot.failures;
  slot.last_cycles = report.end_cycle - std::min(report.start_cycle, report.end_cycle);
  slot.last_cycles *= slot.task.needs().cores;
  owners_.settle(runs_[task_slot].owner, runs_[task_slot].charged, slot.last_cycles);
}

/// Counts an inference that has ended well (last_run_), and charges the owner for the next one.
void JobProcessor::count_inference(unsigned task_slot, std::span<const hal::tile::QueueCounters> queues) {
  ActiveRun &run = runs_[task_slot];
  ring_.add_inference(run.number, last_run_, queues, run.inferences.done());
  run.inferences.count();
  count_run(task_slot, last_run_);
  run.charged = slots_.slot(task_slot).last_cycles;
  owners_.charge(run.owner, run.charged);
}

/// Finishes the job of a run that has ended.
void JobProcessor::end_run(unsigned task_slot, const schedule::RunSummary &report, std::span<const hal::tile::QueueCounters> queues) {
  const ActiveRun &run = runs_[task_slot];
  runs_.remove(task_slot);
  count_run(task_slot, report);
  finish(run.number, report.status, report, queues, run.inferences.done());
  if (any_blocked_) unblock(run.engine);
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

/// Cancels a job of the same owner that stands before job `number` in the ring and is not done.
Status JobProcessor::cancel(const Request &job, std::uint32_t number) {
  const std::uint32_t target = job.argument;
  // Only a job from completed() to `number` - 1 can be cancelled. Earlier jobs are done, and later jobs have no record yet.
  if (number - target - 1 >= number - ring_.completed()) return {ErrorCode::not_ready, "argument", -1, target, ring_.completed()};
  JobRecord &record = records_[target];
  if (record.stage == Stage::done) return {ErrorCode::not_ready, "argument", -1, target};
  if (record.owner != job.owner) return {ErrorCode::not_owner, "argument", -1, target, record.owner};
  if (record.stage == Stage::waiting) {
    finish(target, {ErrorCode::cancelled, "job", -1, target});
    return {};
  }
  if (record.stage == Stage::loading) {
    load_cancelled_ = true;  // step_load() ends the load job
    return {};
  }
  const Status status = runs_.cancel(record.task_slot);
  if (runs_[record.task_slot].inferences.any_left()) return {};
  // Scheduler::cancel() fails if the run has already left the scheduler.
  return status.ok() ? status : Status{ErrorCode::not_ready, "argument", -1, target};
}

}  // namespace cox::firmware::job
