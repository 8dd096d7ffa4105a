// SPDX-License-Identifier: MIT
// Recovery from a task that faults or takes too long, and from a device that does not answer. The task begins again if that is safe, or
// fails with a record of what happened; other tasks run on (docs/scheduler.md, When something goes wrong).
#include <algorithm>
#include <limits>

#include "coxswain/base/bits.h"
#include "coxswain/firmware/schedule/inspect.h"
#include "coxswain/firmware/schedule/run_table.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/board.h"

namespace cox::firmware::schedule {

using hal::FaultCode;
using isa::tile::kClasses;

namespace {

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

}  // namespace

/// Handles the completion of an instruction that had a fault.
[[gnu::cold]] void RunTable::on_fault(const hal::Completion &entry) {
  CoreBank &cores = dispatcher_.cores();
  const unsigned from = entry.queue();
  const std::uint32_t tag = cores.queue(from).ring.last_reclaimed();
  if (entry.status() == FaultCode::ecc && entry.context() == kNoContext) {
    // The slot is unreadable, so nothing tells which task's instruction this was.
    const Status unread(ErrorCode::device_fault, fault_name(FaultCode::ecc), -1, static_cast<std::int64_t>(FaultCode::ecc),
                        entry.time_high);
    fail_all(from / kClasses, unread, {.detail = entry.time_high, .queue = static_cast<std::uint8_t>(from), .fault = FaultCode::ecc});
    return;
  }
  TaskRun &run = runs_[isa::tile::context_of(cores.queue(from).ring.slot(tag)) % kMaximumRuns];
  trace::record<trace::Kind::fault>(run.context, from, static_cast<std::uint32_t>(entry.status()));
  const bool explains = is_unexplained(run) && entry.status() != FaultCode::aborted;
  if (run.state != RunState::running && !explains) return;
  const Status status(ErrorCode::device_fault, fault_name(entry.status()), instruction_index(cores, run, from, tag),
                      static_cast<std::int64_t>(entry.status()), entry.time_high);
  // If the device could not fetch the instruction, it has not quarantined the context. The abort quarantines it.
  if (entry.context() == kNoContext) static_cast<void>(hal::abort_context(geometry(), run.context));
  if (run.state == RunState::running) fail(run, status, may_pass(entry.status()));
  run.report.status = status;
  run.passing = may_pass(entry.status());
  run.fault.queue = static_cast<std::uint8_t>(from);
  run.fault.fault = entry.status();
  run.fault.detail = entry.time_high;
  run.fault.instruction = status.index();
  if (entry.status() != FaultCode::ecc ||
      entry.time_high >= std::max(geometry().l2_bytes, geometry().wl0_units * isa::tile::kWeightUnitBytes))
    return;
  // The damaged word is in L2 or WL0 of one of the task's cores. The completion does not say of which core, because SI and SO also
  // reach another core's L2. Only a write or a reset of its core repairs the word, so all cores of the task are reset.
  for (std::uint32_t damaged = run.cores; damaged != 0;) cores.mark_damaged(take_lowest(damaged));
  dispatcher_.raise_attention();
}

/// Aborts the run's context, which quarantines it, and stops the run.
void RunTable::abort(TaskRun &run, const Status &status, bool passing) {
  static_cast<void>(hal::abort_context(geometry(), run.context));  // cannot fail: the task was started in this context
  fail(run, status, passing);
}

/// Stops a run whose context the device has quarantined. The scheduler dispatches no more of its instructions, and waits for those in the
/// device. `passing`: the fault is transient, so the task may begin again.
void RunTable::fail(TaskRun &run, const Status &status, bool passing) {
  run.report.status = status;
  run.report.accelerator_instructions = 0;
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    run.report.accelerator_instructions += static_cast<std::uint32_t>(dispatched(run, lane));
    run.stop_index[lane] = last_of(dispatcher_.cores(), run, run.first_lane + lane);
  }
  dispatcher_.abandon(run);
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
  dispatcher_.raise_attention();
}

void RunTable::cancel(unsigned context) {
  TaskRun &run = runs_[context];
  const Status cancelled(ErrorCode::cancelled, "task");
  run.retries_left = 0;
  if (run.state == RunState::running) {
    abort(run, cancelled, false);
  } else if (run.state == RunState::stopping) {
    run.report.status = cancelled;
    run.passing = false;
  } else if (run.state == RunState::restarting) {
    run.report.status = cancelled;
    run.state = RunState::ended;
  }
}

bool RunTable::should_poll() {
  const bool settling = std::ranges::any_of(runs_, [](const TaskRun &run) {
    return run.state == RunState::stopping && run.quiet_since != std::numeric_limits<std::uint64_t>::max();
  });
  return settling && ++settle_polls_ < kSettlePolls;
}

/// True if the device has finished with the task and all of its completions were taken. Only then may another run use the context.
bool RunTable::has_stopped(TaskRun &run, std::uint64_t now) {
  const CoreBank &bank = dispatcher_.cores();
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const unsigned number = run.first_lane + lane;
    if (!bank.core(isa::tile::core_of_lane(number)).ready) continue;
    if (is_behind(bank.queue(number).ring.device_head(), run.stop_index[lane])) return false;
  }
  for (std::uint32_t cores = run.cores; cores != 0;) {
    const unsigned core = take_lowest(cores);
    if (!bank.core(core).ready) continue;
    dispatcher_.take_from(1U << core);
    if (!bank.core(core).completions.is_drained()) {
      dispatcher_.find_blocked(core);
      return false;
    }
  }
  bool all_heard_of = true;
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const unsigned number = run.first_lane + lane;
    if (!bank.core(isa::tile::core_of_lane(number)).ready) continue;
    all_heard_of = all_heard_of && !is_behind(bank.queue(number).ring.head(), run.stop_index[lane]);
  }
  if (all_heard_of) return true;
  // A completion may still be on its way to memory. The next run in this context would take it for one of its own, and could end early.
  run.quiet_since = std::min(run.quiet_since, now);
  return now - run.quiet_since >= kSettleTime;
}

/// Ends or restarts a run that has nothing left in the device.
void RunTable::finish_stopped(TaskRun &run) {
  const bool all_ready = dispatcher_.cores().are_ready(run.cores);
  // If a core with instructions of the context does not reset, the device refuses to clear the context. The context is then lost.
  run.lost = !all_ready;
  if (all_ready) static_cast<void>(hal::release_context(geometry(), run.context));
  const std::uint64_t executed = board::executed_instructions();
  run.report.end_cycle = hal::device_cycles();
  run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
  run.report.counted_cycle = run.report.end_cycle;
  dispatcher_.cores().leave(run.cores, run.context);
  dispatcher_.cores().stop_clocks();

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

/// Resets the cores on which an instruction of the run is stuck, so that the run does not stop. A reset empties the queues.
void RunTable::reset_stuck(TaskRun &run) {
  CoreBank &bank = dispatcher_.cores();
  for (std::uint32_t cores = run.cores; cores != 0;) {
    const unsigned core = take_lowest(cores);
    bool stuck = false;
    for (unsigned number = core * kClasses; number < (core + 1) * kClasses; ++number) {
      stuck = stuck || is_behind(bank.queue(number).ring.device_head(), run.stop_index[number - run.first_lane]);
    }
    if (stuck) bank.mark_stuck(core);
    if (stuck || !bank.core(core).completions.is_drained()) reset_core(core, Status(ErrorCode::cancelled, "tile core", -1, core));
  }
}

void RunTable::look_after(TaskRun &run, std::uint64_t now) {
  if (run.state == RunState::running && now >= run.deadline) {
    abort(run, describe_delay(dispatcher_.cores(), run), false);
  }
  if (run.state != RunState::stopping) return;
  if (!has_stopped(run, now)) {
    if (now < run.deadline) return;
    if (run.retries_left != 0) run.passing = true;
    reset_stuck(run);
    if (!has_stopped(run, now)) return;
  }
  finish_stopped(run);
}

void RunTable::supervise(std::uint64_t now) {
  const CoreBank &cores = dispatcher_.cores();
  for (unsigned core = 0; core < geometry().cores; ++core) reset_marked(core);
  bool again = false;
  for (std::uint32_t used = used_; used != 0;) look_after(runs_[take_lowest(used)], now);
  for (std::uint32_t used = used_; used != 0 && !again;) again = runs_[take_lowest(used)].state == RunState::stopping;
  for (unsigned core = 0; core < geometry().cores; ++core) again = again || cores.must_reset(core);
  dispatcher_.settle_attention(again);
}

/// Resets the core if it is marked for that.
void RunTable::reset_marked(unsigned core) {
  const TileCore &own = dispatcher_.cores().core(core);
  if (own.was_reset) {
    reset_core(core, Status(ErrorCode::device_fault, "core reset", -1, core));
  } else if (own.damaged) {
    reset_core(core, Status(ErrorCode::device_fault, fault_name(FaultCode::ecc), -1, static_cast<std::int64_t>(FaultCode::ecc), core));
  } else if (own.broken) {
    reset_core(core, Status(ErrorCode::device_fault, "completion", -1, core));
  }
}

void RunTable::count_look(unsigned context, bool quiet) {
  TaskRun &run = runs_[context];
  // One look is not enough, because the last completion entry may still be on its way to memory.
  run.quiet_looks = quiet ? static_cast<std::uint8_t>(run.quiet_looks + 1) : std::uint8_t{0};
  if (run.quiet_looks < 2) return;
  ++lost_completions_;
  abort(run, Status(ErrorCode::device_fault, "completion", -1, run.report.first_core), true);
}

/// Fails all tasks that run on the core, because of the transient fault `cause`. If a task is already stopping, and the device has not
/// reported why (is_unexplained()), the function records `cause` as its fault.
void RunTable::fail_all(unsigned core, const Status &status, const hal::FaultRecord &cause) {
  for (TaskRun &run : runs_) {
    if (run.state != RunState::running && !is_unexplained(run)) continue;
    if ((run.cores >> core & 1) == 0) continue;
    if (run.state == RunState::running) abort(run, status, true);
    run.report.status = status;
    run.passing = true;
    run.fault.queue = cause.queue;
    run.fault.fault = cause.fault;
    run.fault.detail = cause.detail;
  }
}

/// Resets a core, which empties its queues. Tasks that ran on the core fail with the status `others`, or begin again. Tasks that were
/// stopping already keep the status with which they failed.
void RunTable::reset_core(unsigned core, const Status &others) {
  CoreBank &cores = dispatcher_.cores();
  hal::FaultRecord record;
  record.cycle = hal::device_cycles();
  record.queue = static_cast<std::uint8_t>(core * kClasses);
  record.error = others.code();
  record.fault = cores.core(core).damaged ? FaultCode::ecc : FaultCode::none;
  record.action = hal::FaultAction::reset;
  hal::fault_log::append(record);
  fail_all(core, others, record);
  cores.reset(core);
  for (TaskRun &run : runs_) {
    if (run.state != RunState::stopping || (run.cores >> core & 1) == 0) continue;
    for (unsigned own = 0; own < kClasses; ++own) {
      const unsigned number = core * kClasses + own;
      run.stop_index[number - run.first_lane] = cores.queue(number).ring.tail();
    }
  }
}

}  // namespace cox::firmware::schedule
