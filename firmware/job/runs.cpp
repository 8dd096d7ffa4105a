// SPDX-License-Identifier: MIT
// Runs: beginning them when there is room, ending them, and cancelling them for their owners.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "base/bits.h"
#include "firmware/boot/boot_record.h"
#include "firmware/job/job_processor.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

namespace {

/// Returns the bytes of a range in DRAM, or of an empty range.
Extent extent_of(const MemoryRange &range) {
  const auto first = static_cast<std::uintptr_t>(range.address);
  return range.size == 0 ? Extent() : Extent{first, first + static_cast<std::uintptr_t>(range.size) - 1};
}

/// Returns the first window (0 to 3) of `memory` in which two runs conflict: one would write bytes that the other uses. Returns kWindows if
/// there is no conflict.
unsigned conflict(const MemoryUse &running, const MemoryUse &memory) {
  for (unsigned own = 0; own < kWindows; ++own) {
    for (unsigned other = 0; other < kWindows; ++other) {
      const bool written = ((memory.written >> own | running.written >> other) & 1) != 0;
      if (written && memory.windows[own].overlaps(running.windows[other])) return own;
    }
  }
  return kWindows;
}

}  // namespace

/// Returns the memory of a run on these windows. A window into which the firmware copies constants is whole blocks, because the firmware
/// writes whole cache lines.
MemoryUse JobProcessor::memory_of(unsigned task_slot, std::span<const hal::Window, kWindows> windows) const {
  const image::LoadedTask &task = slots_.slot(task_slot).task;
  MemoryUse memory;
  memory.written = static_cast<std::uint8_t>(schedule::written_windows(task, windows));
  for (unsigned i = 0; i < kWindows; ++i) {
    const bool copied = (memory.written >> i & 1) != 0 && task.windows()[i].has_constants;
    memory.windows[i] = extent_of(copied ? blocks_of(windows[i].range()) : windows[i].range());
  }
  return memory;
}

/// Returns the memory of the bound run.
MemoryUse JobProcessor::memory_of_bound() const {
  MemoryUse memory = memory_of(bound_.task_slot, bound_.windows);
  bound_.inferences.widen(memory);
  return memory;
}

/// Returns the memory of the run on the device.
MemoryUse JobProcessor::memory_of_run(unsigned task_slot) const {
  const ActiveRun &run = runs_[task_slot];
  MemoryUse memory = run.engine == ActiveRun::kTileCores ? memory_of(task_slot, scheduler_.run(run.context).configuration.windows)
                                                         : memory_of(task_slot, streams_->windows(run.engine));
  run.inferences.widen(memory);
  return memory;
}

/// Checks the task and the windows of a run, and makes it the bound run.
Status JobProcessor::bind(std::uint32_t number, const Request &job) {
  bound_.there = false;
  if (Status status = slots_.check_owner(job.task_slot, job.owner); !status.ok()) return status;
  const image::LoadedTask &task = slots_.slot(job.task_slot).task;
  if (!task.valid()) return {ErrorCode::not_ready, "task_slot", -1, job.task_slot};
  static_assert(sizeof(Window) == sizeof(MemoryRange) && offsetof(Window, size) == offsetof(MemoryRange, size));
  const auto given = std::bit_cast<std::array<MemoryRange, kWindows>>(job.windows);
  std::uint32_t written = 0;
  if (Status status = schedule::bind_windows(task, given, dram_, slots_.reserved(ring_.range()), bound_.windows, &written); !status.ok())
    return status;
  bound_.options.place_constants = false;
  for (unsigned i = 0; i < kWindows; ++i) {
    if ((written >> i & 1) != 0 && task.windows()[i].has_constants) bound_.options.place_constants = true;
  }
  if (Status status = bound_.inferences.plan(job, bound_.windows, written, dram_, slots_.reserved(ring_.range())); !status.ok())
    return status;
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
  const bool on_cores = before.there && before.engine == ActiveRun::kTileCores;
  const bool follows = on_cores && records_.behind(number) == ring_.taken() && !loading_;
  only_train_ = follows ? record.train : std::uint8_t{0};
  bound_.follows = false;
  // No run begins before the counters of the run on the device are read. So its instructions are not delayed now.
  if (on_cores && scheduler_.run(before.context).report.counted) return;
  if (!bound_.there || bound_.number != number) {
    Request job;
    if (!copy(number, record, job).ok() || !bind(number, job).ok()) return;
  }
  bound_.follows = follows;
}

/// True if the bound run is the next to begin and the run of its task slot has ended.
bool JobProcessor::can_follow() const {
  const ActiveRun &before = runs_[bound_.task_slot];
  return bound_.there && bound_.follows && before.there && !before.inferences.any_left() &&
         records_[bound_.number].stage == Stage::waiting && has_ended(before);
}

/// Starts the bound run as soon as the run of its task slot has ended, if no other job could begin before it. Everything else that is to be
/// done for the two jobs comes after the start.
void JobProcessor::follow() {
  const std::uint32_t others = running_ & ~(1U << bound_.task_slot);
  if (!can_follow() || (others != 0 && conflicts(others))) return;
  ActiveRun &run = runs_[bound_.task_slot];
  if (!scheduler_.start_again(run.context, bound_.windows, bound_.options, last_run_)) return;
  end_run(bound_.task_slot, last_run_, {});
  note_begin(run, records_[bound_.number]);
}

/// Starts the bound run if there is room, or blocks its job.
Status JobProcessor::begin_run(JobRecord &record) {
  const unsigned task_slot = bound_.task_slot;
  const MemoryUse memory = running_ == 0 ? MemoryUse() : memory_of_bound();
  for (std::uint32_t others = running_; others != 0;) {
    const unsigned other = take_lowest(others);
    const ActiveRun &running = runs_[other];
    const unsigned window = conflict(memory_of_run(other), memory);
    if (window == kWindows) continue;
    if (running.owner != record.owner) {
      return {ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(window), signed_of(bound_.windows[window].base),
              running.owner};
    }
    record.blocked = JobRecord::kNoRoom;  // a run of the same owner uses the memory: the job waits for the run's end
    any_blocked_ = true;
    return {};
  }
  const image::LoadedTask &task = slots_.slot(task_slot).task;
  if (is_engine_busy(task, record)) return {};
  ActiveRun &run = runs_[task_slot];  // next_job() has waited for the end of the slot's previous run
  if (const Status status = start(run, task, bound_.windows, bound_.options); !status.ok()) {
    // There may be room when another run has ended.
    if (status.code() != ErrorCode::no_room || !anything_runs()) return status;
    record.blocked = JobRecord::kNoRoom;
    any_blocked_ = true;
    return {};
  }
  note_begin(run, record);
  return {};
}

/// Writes down that the bound run has begun.
void JobProcessor::note_begin(ActiveRun &run, JobRecord &record) {
  bound_.there = false;
  record.stage = Stage::running;
  mark_running(bound_.number, record.owner);
  boot_record::enter_run(bound_.number, run.context);
  running_ |= 1U << bound_.task_slot;
  run.there = true;
  run.owner = record.owner;
  run.number = bound_.number;
  run.cancelled = false;
  run.inferences = bound_.inferences;
  if (run.inferences.any_left()) {
    run.windows = bound_.windows;
    run.options = bound_.options;
  }
  run.charged = slots_.slot(bound_.task_slot).last_cycles;
  owners_.charge(run.owner, run.charged);
  for (std::uint32_t other = ring_.completed(); any_blocked_ && other != ring_.taken(); ++other) {
    JobRecord &waits = records_[other];
    if (waits.stage == Stage::waiting && waits.blocked == JobRecord::kNoRoom && waits.passed != UINT8_MAX) ++waits.passed;
  }
}

/// Starts a run on the engine of its task, and writes its place to `run`. Errors: those of Scheduler::start() or of StreamRuns::start().
Status JobProcessor::start(ActiveRun &run, const image::LoadedTask &task, const schedule::RunWindows &windows,
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

/// True if the bound run would conflict with one of the runs in `others` (bit s: task slot s).
bool JobProcessor::conflicts(std::uint32_t others) const {
  const MemoryUse memory = memory_of_bound();
  while (others != 0) {
    if (conflict(memory_of_run(take_lowest(others)), memory) != kWindows) return true;
  }
  return false;
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

/// Takes the reports of runs that have ended, and begins the next inferences of those that have any. Returns true if any has ended.
bool JobProcessor::end_runs() {
  bool any = false;
  if (streams_ != nullptr) streams_->poll();
  for (std::uint32_t runs = running_; runs != 0;) {
    const unsigned number = take_lowest(runs);
    ActiveRun &run = runs_[number];
    if (!has_ended(run)) continue;
    any = true;
    const bool goes_on = run.inferences.any_left() && !run.cancelled;
    if (goes_on) run.inferences.move(run.windows);
    if (goes_on && run.engine == ActiveRun::kTileCores && scheduler_.start_again(run.context, run.windows, run.options, last_run_)) {
      count_inference(number, {});
      continue;
    }
    const schedule::RunReport &report =
        run.engine == ActiveRun::kTileCores ? scheduler_.take_ended(run.context) : streams_->take(run.engine);
    std::span<const hal::tile::QueueCounters> queues;
    if (report.counted) queues = report.queues;
    last_run_ = report;
    if (last_run_.status.ok() && run.inferences.any_left()) {
      count_inference(number, queues);
      queues = {};
      const Status status =
          goes_on ? start(run, slots_.slot(number).task, run.windows, run.options) : Status{ErrorCode::cancelled, "job", -1, run.number};
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
void JobProcessor::count_run(ActiveRun &run, unsigned task_slot, const schedule::RunSummary &report) {
  TaskSlot &slot = slots_.slot(task_slot);
  ++slot.runs;
  if (!report.status.ok()) ++slot.failures;
  slot.last_cycles = report.end_cycle - std::min(report.start_cycle, report.end_cycle);
  slot.last_cycles *= slot.task.needs().cores;
  owners_.settle(run.owner, run.charged, slot.last_cycles);
}

/// Counts an inference that has ended well (last_run_), and charges the owner for the next one.
void JobProcessor::count_inference(unsigned task_slot, std::span<const hal::tile::QueueCounters> queues) {
  ActiveRun &run = runs_[task_slot];
  ring_.add_inference(run.number, last_run_, queues, run.inferences.done());
  run.inferences.count();
  count_run(run, task_slot, last_run_);
  run.charged = slots_.slot(task_slot).last_cycles;
  owners_.charge(run.owner, run.charged);
}

/// Finishes the job of a run that has ended.
void JobProcessor::end_run(unsigned task_slot, const schedule::RunSummary &report, std::span<const hal::tile::QueueCounters> queues) {
  ActiveRun &run = runs_[task_slot];
  run.there = false;
  running_ &= ~(1U << task_slot);
  count_run(run, task_slot, report);
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
    finish(target, {ErrorCode::cancelled, "job", -1, target});
    return {};
  }
  if (record.stage == Stage::loading) {
    load_cancelled_ = true;  // step_load() ends the load job
    return {};
  }
  ActiveRun &run = runs_[record.task_slot];
  const Status status = cancel_run(run);
  run.cancelled = true;
  if (run.inferences.any_left()) return {};
  // Scheduler::cancel() fails if the run has already left the scheduler.
  return status.ok() ? status : Status{ErrorCode::not_ready, "argument", -1, target};
}

}  // namespace cox::firmware::job
