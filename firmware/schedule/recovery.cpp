// SPDX-License-Identifier: MIT
// Recovery from a task that faults or takes too long, and from a device that does not answer. The task begins again if that is safe, or
// fails with a record of what happened; other tasks run on (docs/scheduler.md, When something goes wrong). Everything here except
// place_constants() and restart_failed() runs with interrupts masked.
#include <algorithm>
#include <limits>

#include "base/bits.h"
#include "firmware/schedule/bindings.h"
#include "firmware/schedule/scheduler.h"
#include "firmware/trace/trace.h"
#include "hal/board.h"
#include "hal/interrupt_mask.h"
#include "isa/tile/lane.h"

namespace cox::firmware::schedule {

using hal::FaultCode;
using isa::tile::kClasses;

namespace {

/// Destinations of the tokens that a failed task's instructions give when they end late. fail() makes the task's lanes read this array
/// instead of the plan. It has one element for each slot of a submission ring.
constinit std::array<Wake, std::size_t{1} << kSubmissionSizeLog2> wakes_of_nobody{};

/// The group that gets the tokens of failed tasks. It is never ready, because each call of fail() sets its `missing` to the maximum.
constinit Group nobody{};

std::size_t dispatched(const TaskRun &run, unsigned lane) {
  return static_cast<std::size_t>(run.lane(lane).code - run.task->plan().lanes[lane].code.data());
}

const char *fault_name(FaultCode code) {
  const auto index = static_cast<unsigned>(code);
  return index < registers::kFaultCodes ? registers::kFaultCodeNames[index] : "unknown_fault";
}

/// Returns true for a fault of memory that may be transient: the task may succeed if it begins again.
bool may_pass(FaultCode code) { return code == FaultCode::bus_error || code == FaultCode::ecc; }

/// The context number in the completion of an instruction whose slot the device could not read (docs/model.md, Faults).
constexpr unsigned kNoContext = 0xFF;

/// True if the run is stopping and the device has so far reported only that it quarantined the context. One core may report this before
/// another core reports the fault.
bool is_unexplained(const TaskRun &run) { return run.state == RunState::stopping && run.fault.fault == FaultCode::aborted; }

bool is_behind(std::uint32_t index, std::uint32_t other) { return static_cast<std::int32_t>(index - other) < 0; }

}  // namespace

/// Returns the index in the task of the instruction with the tag `tag`. The queue's ring does not hold this index, so the function counts
/// back from the task's last dispatched instruction.
std::int32_t Scheduler::instruction_index(const TaskRun &run, unsigned queue, std::uint32_t tag) const {
  const hal::tile::SubmissionQueue &ring = queues_[queue].ring;
  std::size_t back = 1;
  for (std::uint32_t index = tag + 1; index != ring.tail(); ++index) {
    if (isa::tile::context_of(ring.slot(index)) == run.context) ++back;
  }
  const unsigned lane = queue - run.first_lane;
  const std::size_t count = dispatched(run, lane);
  if (back > count) return -1;
  return static_cast<std::int32_t>(run.task->plan().lanes[lane].indices[count - back]);
}

/// Returns the running index that follows the index of the run's last instruction in the queue.
std::uint32_t Scheduler::last_of(const TaskRun &run, unsigned queue) const {
  const hal::tile::SubmissionQueue &ring = queues_[queue].ring;
  std::uint32_t last = ring.tail();
  while (last != ring.head() && isa::tile::context_of(ring.slot(last - 1)) != run.context) --last;
  return last;
}

/// Returns a status that names the oldest instruction of the task that the device has not finished.
Status Scheduler::describe_delay(const TaskRun &run) const {
  Status oldest(ErrorCode::time_limit, "completion", -1, run.time_limit, run.time_limit);
  std::int32_t earliest = std::numeric_limits<std::int32_t>::max();
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const unsigned number = run.first_lane + lane;
    const hal::tile::SubmissionQueue &ring = queues_[number].ring;
    const std::uint32_t head = ring.device_head();
    for (std::uint32_t index = ring.head(); index != ring.tail(); ++index) {
      if (is_behind(index, head) || isa::tile::context_of(ring.slot(index)) != run.context) continue;
      const std::int32_t at = instruction_index(run, number, index);
      if (at >= 0 && at < earliest) {
        earliest = at;
        oldest = Status(ErrorCode::time_limit, isa::tile::kClassNames[isa::tile::class_of_lane(lane)], at, run.time_limit, run.time_limit);
      }
      break;
    }
  }
  return oldest;
}

/// Handles a completion that reports a fault, and a completion that belongs to no instruction in flight.
[[gnu::cold, gnu::noinline]] void Scheduler::take_failed_completion(const hal::Completion &entry, TileCore &core) {
  const auto own = static_cast<unsigned>(&core - cores_.data());
  const unsigned from = entry.queue();
  if (!entry.is_intact() || from - own * kClasses >= kClasses || !queues_[from].ring.reclaim(entry.tag())) {
    ++totals_.bad_completions;
    break_core(own);
    return;
  }
  const std::uint32_t tag = queues_[from].ring.last_reclaimed();
  if (entry.status() == FaultCode::ecc && entry.context() == kNoContext) {
    // The slot is unreadable, so nothing tells which task's instruction this was.
    const Status unread(ErrorCode::device_fault, fault_name(FaultCode::ecc), -1, static_cast<std::int64_t>(FaultCode::ecc),
                        entry.time_high);
    fail_all(own, unread, {.detail = entry.time_high, .queue = static_cast<std::uint8_t>(from), .fault = FaultCode::ecc});
    return;
  }
  TaskRun &run = runs_[isa::tile::context_of(queues_[from].ring.slot(tag)) % kMaximumRuns];
  trace::record<trace::Kind::fault>(run.context, from, static_cast<std::uint32_t>(entry.status()));
  const bool explains = is_unexplained(run) && entry.status() != FaultCode::aborted;
  if (run.state != RunState::running && !explains) return;
  const Status status(ErrorCode::device_fault, fault_name(entry.status()), instruction_index(run, from, tag),
                      static_cast<std::int64_t>(entry.status()), entry.time_high);
  // If the device could not fetch the instruction, it has not quarantined the context. The abort quarantines it.
  if (entry.context() == kNoContext) static_cast<void>(hal::abort_context(geometry_, run.context));
  if (run.state == RunState::running) fail(run, status, may_pass(entry.status()));
  run.report.status = status;
  run.passing = may_pass(entry.status());
  run.fault.queue = static_cast<std::uint8_t>(from);
  run.fault.fault = entry.status();
  run.fault.detail = entry.time_high;
  run.fault.instruction = status.index();
  if (entry.status() != FaultCode::ecc ||
      entry.time_high >= std::max(geometry_.l2_bytes, geometry_.wl0_units * isa::tile::kWeightUnitBytes))
    return;
  // The damaged word is in L2 or WL0 of one of the task's cores. The completion does not say of which core, because SI and SO also
  // reach another core's L2. Only a write or a reset of its core repairs the word, so all cores of the task are reset.
  for (std::uint32_t cores = run.cores; cores != 0;) {
    const unsigned damaged = take_lowest(cores);
    cores_[damaged].damaged = true;
    break_core(damaged);
  }
}

/// Marks the core for a reset by the main program.
void Scheduler::break_core(unsigned core) {
  cores_[core].broken = true;
  flags_ |= kAttention;
}

/// Looks for two reasons why a core delivers no completion: other code has reset the core, or the core's next completion entry has a wrong
/// phase bit. The completion loops never take such an entry, and it keeps the interrupt line high, so this function drops it.
[[gnu::cold, gnu::noinline]] void Scheduler::find_blocked(unsigned core) {
  TileCore &own = cores_[core];
  if (!own.ready) return;
  if (!queues_[core * kClasses].ring.is_enabled()) {
    own.was_reset = true;
    flags_ |= kAttention;
    return;
  }
  if (!own.completions.is_blocked()) return;
  ++totals_.bad_completions;
  own.completions.pop();
  own.completions.acknowledge();
  break_core(core);
}

/// Stops a run whose context the device has quarantined. The scheduler dispatches no more of its instructions, and waits for those in the
/// device. `passing`: the fault is transient, so the task may begin again.
void Scheduler::fail(TaskRun &run, const Status &status, bool passing) {
  for (Wake &wake : wakes_of_nobody) wake.mark_last();
  nobody.missing = std::numeric_limits<std::uint32_t>::max();
  run.report.status = status;
  run.report.accelerator_instructions = 0;
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const unsigned number = run.first_lane + lane;
    run.report.accelerator_instructions += static_cast<std::uint32_t>(dispatched(run, lane));
    queues_[number].starved = static_cast<std::uint16_t>(queues_[number].starved & ~(1U << run.context));
    run.stop_index[lane] = last_of(run, number);
    run.lane(lane).wakes = wakes_of_nobody.data();
  }
  // The tokens of late completions go to a group that never becomes ready.
  tokens_[run.context].memory = RunMemory(&nobody);
  run.passing = passing;
  run.fault = hal::FaultRecord();
  run.fault.context = run.context;
  run.fault.owner = run.owner;
  run.fault.instruction = status.index();
  run.fault.error = status.code();
  run.quiet_since = std::numeric_limits<std::uint64_t>::max();
  settle_polls_ = 0;
  run.deadline = board::microseconds() + kStopLimit;
  run.state = RunState::stopping;
  flags_ |= kAttention;
}

Status Scheduler::cancel(unsigned context) {
  const hal::InterruptMask mask;
  if (context >= kMaximumRuns || runs_[context].state == RunState::idle) {
    return {ErrorCode::invalid_argument, "context", -1, context};
  }
  TaskRun &run = runs_[context];
  const Status cancelled(ErrorCode::cancelled, "task");
  run.retries_left = 0;
  if (run.state == RunState::running) {
    static_cast<void>(hal::abort_context(geometry_, run.context));
    fail(run, cancelled, false);
  } else if (run.state == RunState::stopping) {
    run.report.status = cancelled;
    run.passing = false;
  } else if (run.state == RunState::restarting) {
    run.report.status = cancelled;
    run.state = RunState::ended;
  }
  return {};
}

/// True if a failed run has no instruction left in the device, and only waits for kSettleTime to pass (has_stopped()).
bool Scheduler::is_settling() const {
  return std::any_of(runs_.begin(), runs_.end(), [](const TaskRun &run) {
    return run.state == RunState::stopping && run.quiet_since != std::numeric_limits<std::uint64_t>::max();
  });
}

/// True if the device has finished with the task and all of its completions were taken. Only then may another run use the context.
bool Scheduler::has_stopped(TaskRun &run, std::uint64_t now) {
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const unsigned number = run.first_lane + lane;
    if (!cores_[isa::tile::core_of_lane(number)].ready) continue;
    if (is_behind(queues_[number].ring.device_head(), run.stop_index[lane])) return false;
  }
  for (std::uint32_t cores = run.cores; cores != 0;) {
    const unsigned core = take_lowest(cores);
    if (!cores_[core].ready) continue;
    take_from(1U << core);
    if (!cores_[core].completions.is_drained()) {
      find_blocked(core);
      return false;
    }
  }
  bool all_heard_of = true;
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const unsigned number = run.first_lane + lane;
    if (!cores_[isa::tile::core_of_lane(number)].ready) continue;
    all_heard_of = all_heard_of && !is_behind(queues_[number].ring.head(), run.stop_index[lane]);
  }
  if (all_heard_of) return true;
  // A completion may still be on its way to memory. The next run in this context would take it for one of its own, and could end early.
  run.quiet_since = std::min(run.quiet_since, now);
  return now - run.quiet_since >= kSettleTime;
}

bool Scheduler::has_working_cores(const TaskRun &run) const {
  for (std::uint32_t cores = run.cores; cores != 0;) {
    if (!cores_[take_lowest(cores)].ready) return false;
  }
  return true;
}

/// Ends or restarts a run that has nothing left in the device.
void Scheduler::finish_stopped(TaskRun &run) {
  const bool all_ready = has_working_cores(run);
  // If a core with instructions of the context does not reset, the device refuses to clear the context. The context is then lost.
  run.lost = !all_ready;
  if (all_ready) static_cast<void>(hal::release_context(geometry_, run.context));
  const std::uint64_t executed = board::executed_instructions();
  run.report.end_cycle = hal::device_cycles();
  run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
  run.report.counted_cycle = run.report.end_cycle;
  leave_cores(run);

  const bool again = run.passing && run.retries_left != 0 && all_ready;
  run.fault.cycle = run.report.end_cycle;
  run.fault.action = again ? hal::FaultAction::retried : hal::FaultAction::failed;
  // A run that only Scheduler::cancel() has stopped is not a fault.
  if (run.report.status.code() != ErrorCode::cancelled || run.fault.error != ErrorCode::cancelled || run.passing)
    hal::fault_log::append(run.fault);
  if (again) {
    --run.retries_left;
    ++run.report.retried;
    ++totals_.retries;
    trace::record<trace::Kind::retry>(run.context, run.report.first_core, run.report.retried);
  }
  run.state = again ? RunState::restarting : RunState::ended;
}

void Scheduler::look_after(TaskRun &run, std::uint64_t now) {
  if (run.state == RunState::running && now >= run.deadline) {
    const Status status = describe_delay(run);
    // Cannot fail: the task was started in this context.
    static_cast<void>(hal::abort_context(geometry_, run.context));
    fail(run, status, false);
  }
  if (run.state != RunState::stopping) return;
  if (!has_stopped(run, now)) {
    if (now < run.deadline) return;
    // An instruction is stuck, so the run does not stop. The cores with a stuck instruction are reset, which empties their queues.
    if (run.retries_left != 0) run.passing = true;
    for (std::uint32_t cores = run.cores; cores != 0;) {
      const unsigned core = take_lowest(cores);
      bool stuck = false;
      for (unsigned own = 0; own < kClasses; ++own) {
        const unsigned number = core * kClasses + own;
        stuck = stuck || is_behind(queues_[number].ring.device_head(), run.stop_index[number - run.first_lane]);
      }
      cores_[core].lost = cores_[core].lost || (cores_[core].suspect && stuck);
      cores_[core].suspect = cores_[core].suspect || stuck;
      if (stuck || !cores_[core].completions.is_drained()) reset_core(core, Status(ErrorCode::cancelled, "tile core", -1, core));
    }
    if (!has_stopped(run, now)) return;
  }
  finish_stopped(run);
}

/// Checks time limits, and handles everything that has gone wrong.
void Scheduler::supervise() {
  begin_turn();
  const std::uint64_t now = board::microseconds();
  if (now - last_look_ >= kLookInterval) {
    last_look_ = now;
    watch_device();
  }
  for (unsigned core = 0; core < geometry_.cores; ++core) {
    if (cores_[core].was_reset) {
      reset_core(core, Status(ErrorCode::device_fault, "core reset", -1, core));
    } else if (cores_[core].damaged) {
      reset_core(core, Status(ErrorCode::device_fault, fault_name(FaultCode::ecc), -1, static_cast<std::int64_t>(FaultCode::ecc), core));
    } else if (cores_[core].broken) {
      reset_core(core, Status(ErrorCode::device_fault, "completion", -1, core));
    }
  }
  for (TaskRun &run : runs_) look_after(run, now);
  flags_ &= static_cast<std::uint8_t>(~(kAttention | kClock));
  for (const TaskRun &run : runs_) {
    if (run.state == RunState::stopping) flags_ |= kAttention;
  }
  for (const TileCore &core : cores_) {
    if (core.broken || core.was_reset) flags_ |= kAttention;
  }
}

/// Fails all tasks that run on the core, because of the transient fault `cause`. If a task is already stopping, and the device has not
/// reported why (is_unexplained()), the function records `cause` as its fault.
void Scheduler::fail_all(unsigned core, const Status &status, const hal::FaultRecord &cause) {
  for (TaskRun &run : runs_) {
    if (run.state != RunState::running && !is_unexplained(run)) continue;
    if ((run.cores >> core & 1) == 0) continue;
    if (run.state == RunState::running) {
      static_cast<void>(hal::abort_context(geometry_, run.context));
      fail(run, status, true);
    }
    run.report.status = status;
    run.passing = true;
    run.fault.queue = cause.queue;
    run.fault.fault = cause.fault;
    run.fault.detail = cause.detail;
  }
}

/// Resets a core, which empties its queues. Tasks that ran on the core fail with the status `others`, or begin again. Tasks that were
/// stopping already keep the status with which they failed.
void Scheduler::reset_core(unsigned core, const Status &others) {
  ++totals_.core_resets;
  hal::FaultRecord record;
  record.cycle = hal::device_cycles();
  record.queue = static_cast<std::uint8_t>(core * kClasses);
  record.error = others.code();
  record.fault = cores_[core].damaged ? FaultCode::ecc : FaultCode::none;
  record.action = hal::FaultAction::reset;
  hal::fault_log::append(record);
  fail_all(core, others, record);
  // A core that does not reset stays unused: choose_cores() skips it.
  static_cast<void>(bring_up(core));
  for (TaskRun &run : runs_) {
    if (run.state != RunState::stopping || (run.cores >> core & 1) == 0) continue;
    for (unsigned own = 0; own < kClasses; ++own) {
      const unsigned number = core * kClasses + own;
      run.stop_index[number - run.first_lane] = queues_[number].ring.tail();
    }
  }
}

/// Writes the constants of a run that is about to begin. Writes them in pieces, and supervises the other runs between two pieces.
void Scheduler::place_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  ConstantCopy copy(task, windows);
  while (copy.step()) {
    const hal::InterruptMask mask;
    supervise();
  }
}

/// Starts the tasks that begin again. Called with interrupts enabled, because it may take long to write a task's constants. Meanwhile, the
/// device holds no instruction of the task.
void Scheduler::restart_failed() {
  for (TaskRun &run : runs_) {
    if (run.state != RunState::restarting) continue;
    // This also repairs constants that a memory fault has damaged.
    place_constants(*run.task, run.windows);
    run.state = RunState::idle;
    const Result<unsigned> better = choose_cores(*run.task, run.allowed);
    // The previous cores may hang again, but they are still reserved for this run, so use them if no others are free. A core that did not
    // reset is out of use.
    Status status = better.status();
    if (better || has_working_cores(run)) status = launch(run, better ? better.value() : run.report.first_core);
    if (!status.ok()) {
      run.report.status = status;
      run.state = RunState::ended;
    }
  }
}

}  // namespace cox::firmware::schedule
