// SPDX-License-Identifier: MIT
// When a task faults, takes too long, or the device does not answer: the task is failed with a record of what happened, the others run on
// (docs/scheduler.md, When something goes wrong). Everything here runs with interrupts masked.
#include <limits>

#include "firmware/schedule/scheduler.h"
#include "hal/board.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;

namespace {

std::size_t dispatched(const TaskRun &run, unsigned own) {
  return static_cast<std::size_t>(run.lanes[own].code - run.task->plan().lanes[own].code.data());
}

const char *fault_name(hal::FaultCode code) {
  const auto index = static_cast<unsigned>(code);
  return index < registers::kFaultCodes ? registers::kFaultCodeNames[index] : "unknown_fault";
}

}  // namespace

/// Which instruction of the task has this tag. Rings hold machine code alone, so it is counted back from the last one dispatched.
std::int32_t Scheduler::instruction_index(const TaskRun &run, unsigned own, std::uint32_t tag) const {
  const hal::SubmissionQueue &queue = queues_[own].ring;
  std::size_t back = 1;
  for (std::uint32_t index = tag + 1; index != queue.tail(); ++index) {
    if (isa::tile::context_of(queue.slot(index)) == run.context) ++back;
  }
  const std::size_t count = dispatched(run, own);
  if (back > count) return -1;
  return static_cast<std::int32_t>(run.task->plan().lanes[own].indices[count - back]);
}

/// The oldest instruction of the task that the device has not finished.
Status Scheduler::describe_delay(const TaskRun &run) const {
  Status oldest(ErrorCode::time_limit, "completion", -1, run.time_limit, run.time_limit);
  std::int32_t earliest = std::numeric_limits<std::int32_t>::max();
  for (unsigned own = 0; own < kClasses; ++own) {
    const hal::SubmissionQueue &queue = queues_[own].ring;
    const std::uint32_t head = queue.tail() - queue.in_flight();
    for (std::uint32_t index = head; index != queue.tail(); ++index) {
      const bool finished = static_cast<std::int32_t>(queue.device_head() - index) > 0;
      if (finished || isa::tile::context_of(queue.slot(index)) != run.context) continue;
      const std::int32_t at = instruction_index(run, own, index);
      if (at >= 0 && at < earliest) {
        earliest = at;
        oldest = Status(ErrorCode::time_limit, isa::tile::kClassNames[own], at, run.time_limit, run.time_limit);
      }
      break;
    }
  }
  return oldest;
}

/// A fault, or an entry that cannot be.
void Scheduler::take_failed_completion(const hal::Completion &entry) {
  const unsigned from = entry.queue();
  if (!entry.is_intact() || from >= kClasses || !queues_[from].ring.reclaim(entry.tag())) {
    ++totals_.bad_completions;
    broken_ = true;
    flags_ |= kAttention;
    return;
  }
  const std::uint32_t tag = queues_[from].ring.last_reclaimed();
  TaskRun &run = runs_[isa::tile::context_of(queues_[from].ring.slot(tag))];
  if (run.state == RunState::running) {
    fail(run, Status(ErrorCode::device_fault, fault_name(entry.status()), instruction_index(run, from, tag),
                     static_cast<std::int64_t>(entry.status()), entry.time_high));
  }
}

/// Nothing more of this task is dispatched; what the device has of it is waited for. Its context is quarantined by now.
void Scheduler::fail(TaskRun &run, const Status &status) {
  run.report.status = status;
  for (unsigned own = 0; own < kClasses; ++own) {
    run.report.accelerator_instructions += static_cast<std::uint32_t>(dispatched(run, own));
    queues_[own].starved = static_cast<std::uint16_t>(queues_[own].starved & ~(1U << run.context));

    const hal::SubmissionQueue &queue = queues_[own].ring;
    const std::uint32_t head = queue.tail() - queue.in_flight();
    std::uint32_t stop = queue.tail();
    while (stop != head && isa::tile::context_of(queue.slot(stop - 1)) != run.context) --stop;
    run.stop_index[own] = stop;
  }
  // What still comes ends nothing and frees nothing.
  run.sinks_left = std::numeric_limits<std::uint32_t>::max();
  for (Group &group : run.task->plan().groups) group.missing = std::numeric_limits<std::uint32_t>::max();
  run.deadline = board::microseconds() + kStopLimit;
  run.state = RunState::stopping;
  flags_ |= kAttention;
}

/// Whether the device is through with the task, and everything it had to say has been heard: only then may the context serve another.
bool Scheduler::has_stopped(const TaskRun &run) {
  for (unsigned own = 0; own < kClasses; ++own) {
    if (static_cast<std::int32_t>(queues_[own].ring.device_head() - run.stop_index[own]) < 0) return false;
  }
  service();
  return completions_.is_drained();
}

void Scheduler::look_after(TaskRun &run, std::uint64_t now) {
  if (run.state == RunState::running && now >= run.deadline) {
    const Status status = describe_delay(run);
    // The context exists: the task was started in it.
    static_cast<void>(hal::abort_context(geometry_, run.context));
    fail(run, status);
  }
  if (run.state != RunState::stopping) return;
  if (has_stopped(run)) {
    static_cast<void>(hal::release_context(geometry_, run.context));
    run.report.end_cycle = hal::device_cycles();
    const std::uint64_t executed = board::executed_instructions();
    run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
    run.state = RunState::ended;
  } else if (now >= run.deadline) {
    reset_core(Status(ErrorCode::cancelled, "tile core"));
  }
}

/// A look at the clock and at what has gone wrong.
void Scheduler::supervise() {
  if (broken_) reset_core(Status(ErrorCode::device_fault, "completion"));
  const std::uint64_t now = board::microseconds();
  for (TaskRun &run : runs_) look_after(run, now);
  flags_ &= static_cast<std::uint8_t>(~(kAttention | kClock));
  for (const TaskRun &run : runs_) {
    if (run.state == RunState::stopping) flags_ |= kAttention;
  }
}

/// The core loses all it had in its queues. Tasks that ran fail with `others`, those that stopped keep their own reason.
void Scheduler::reset_core(const Status &others) {
  ++totals_.core_resets;
  const Status reset = hal::reset_core(geometry_, 0);
  for (TaskRun &run : runs_) {
    if (run.state == RunState::running) fail(run, others);
    if (run.state != RunState::stopping) continue;
    run.report.end_cycle = hal::device_cycles();
    run.report.control_instructions = UINT64_MAX;
    run.report.queues = {};  // the device's counters are gone
    run.state = RunState::ended;
    if (reset.ok()) static_cast<void>(hal::release_context(geometry_, run.context));
  }
  broken_ = false;
  // A core that does not even reset runs nothing any more: start() says not_ready from here on.
  ready_ = reset.ok() && bring_up_queues().ok();
}

}  // namespace cox::firmware::schedule
