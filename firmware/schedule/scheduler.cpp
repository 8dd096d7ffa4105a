// SPDX-License-Identifier: MIT
// Initialises the device, and leads the main program's calls to the scheduler's parts.
#include "coxswain/firmware/schedule/scheduler.h"

#include <bit>

#include "coxswain/base/bits.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/inspect.h"
#include "coxswain/firmware/schedule/placement.h"
#include "coxswain/firmware/schedule/wake_flag.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/threads.h"

namespace cox::firmware::schedule {

namespace {

/// Returns the windows that the task needs, each with the size and the access that it needs.
RunWindows narrow(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  RunWindows result{};
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    const image::WindowNeed &need = task.windows()[i];
    if (need.size != 0) result[i] = {windows[i].base, need.size, true, need.writable};
  }
  return result;
}

/// Goes on with the constants of a run in state preparing. Returns true if all are written. Ends the run if they cannot be written.
bool write_constants(ConstantMover &constants, RunTable &runs, const TaskRun &run) {
  Status failure;
  const ConstantMover::Progress progress = constants.step(run, failure);
  if (progress == ConstantMover::Progress::failed) runs.end_prepared(run.context, failure);
  return progress == ConstantMover::Progress::written;
}

}  // namespace

void Scheduler::on_completion_interrupt() { Dispatcher::active().service(); }

/// The scheduler needs only the completion that reports the fault.
void Scheduler::on_fault(const hal::Fault & /*fault*/) { trace::record<trace::Kind::interrupt>(0, 0, 1); }

Status Scheduler::initialise(hal::Accelerator &accelerator) {
  const Result<std::span<std::byte>> memory = accelerator.attach(registers::Engine::tile, accelerator.geometry().cores * kCoreQueueBytes);
  if (!memory) return memory.status();
  accelerator_ = &accelerator;
  WakeFlag::clear();
  const Status status = bring_up(memory.value());
  ready_ = status.ok();
  if (!ready_) static_cast<void>(accelerator.detach(registers::Engine::tile));  // cannot fail: the cores are attached
  return status;
}

/// Brings up all cores and connects their interrupts.
Status Scheduler::bring_up(std::span<std::byte> memory) {
  const hal::Geometry &geometry = accelerator_->geometry();
  if (geometry.queue_size_log2_max < kCompletionSizeLog2) {
    return {ErrorCode::unknown_device, "GEOMETRY2.QUEUE_SIZE_LOG2_MAX", -1, geometry.queue_size_log2_max, kCompletionSizeLog2};
  }
  if (Status status = dispatcher_.cores().initialise(geometry, memory); !status.ok()) return status;
  runs_.initialise(*accelerator_);
  watch_.initialise();
  hal::Accelerator::Handlers handlers{.completion = on_completion_interrupt, .fault = on_fault};
  if (hal::has_threads()) {
    // Threads may wait for runs.
    handlers.completion = [] {
      on_completion_interrupt();
      if (Dispatcher::active().has_attention()) cox_os_notify(hal::os_number(registers::Engine::tile));
    };
  }
  return accelerator_->connect(registers::Engine::tile, handlers);
}

Status Scheduler::close() {
  if (!ready_) return {ErrorCode::not_ready, "scheduler"};
  if (const std::uint32_t used = runs_.used().used; used != 0) return {ErrorCode::not_ready, "runs", std::countr_zero(used)};
  if (Status status = dispatcher_.cores().close(); !status.ok()) return status;
  ready_ = false;
  return accelerator_->detach(registers::Engine::tile);
}

image::DeviceGeometry Scheduler::device_geometry() const {
  const hal::Geometry &geometry = this->geometry();
  return {geometry.l2_bytes, std::uint64_t{geometry.wl0_units} * isa::tile::kWeightUnitBytes, geometry.cores, geometry.engines};
}

Status Scheduler::check_start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const {
  if (!ready_) return {ErrorCode::not_ready, "scheduler"};
  if (!task.valid()) return {ErrorCode::invalid_argument, "task"};
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    const std::uint64_t needed = task.windows()[i].size;
    if (needed == 0) continue;
    const auto at = static_cast<std::int32_t>(i);
    if (windows[i].bytes == 0) return {ErrorCode::window_missing, "windows", at, 0, static_cast<std::int64_t>(needed)};
    if (windows[i].bytes < needed) {
      return {ErrorCode::window_too_small, "windows", at, static_cast<std::int64_t>(windows[i].bytes), static_cast<std::int64_t>(needed)};
    }
  }
  return {};
}

Result<unsigned> Scheduler::start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows,
                                  const RunOptions &options) {
  if (Status status = check_start(task, windows); !status.ok()) return status;
  return start_bound(task, narrow(task, windows), options);
}

Result<unsigned> Scheduler::start_bound(const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options) {
  if (!ready_) return Status{ErrorCode::not_ready, "scheduler"};
  if (Status status = check_use(task, windows); !status.ok()) return status;
  Result<unsigned> first_core = choose_cores(dispatcher_.cores(), runs_.used(), task, options.allowed_cores());
  if (!first_core) return first_core.status();
  const Result<unsigned> context = runs_.free_context();
  if (!context) return context;
  const bool copies = options.place_constants && copies_constants(task, windows);
  if (copies && constants_.wants(task, windows)) {
    runs_.prepare(context.value(), task, windows, options, first_core.value());
    if (constants_.begin(run(context.value()))) return context;  // start_prepared() starts the run
    runs_.forget(context.value());
  }
  if (copies && place_constants(task, windows)) {
    // Chooses again, because a core may have failed while constants were written.
    first_core = choose_cores(dispatcher_.cores(), runs_.used(), task, options.allowed_cores());
    if (!first_core) return first_core.status();
  }
  if (Status status = runs_.start(context.value(), task, windows, options, first_core.value()); !status.ok()) return status;
  return context;
}

Result<unsigned> Scheduler::lend_cores(unsigned count) {
  if (!ready_) return Status{ErrorCode::not_ready, "scheduler"};
  const hal::InterruptMask mask;
  // A run that will begin, or begin again, has its cores although none of its instructions is there.
  std::uint32_t reserved = 0;
  for (std::uint32_t used = runs_.used().used; used != 0;) {
    const TaskRun &other = run(take_lowest(used));
    if (must_start(other)) reserved |= other.cores;
  }
  return dispatcher_.cores().lend(count, reserved);
}

void Scheduler::reset_lent_cores(unsigned first, unsigned count) {
  const hal::InterruptMask mask;
  for (unsigned core = first; core < first + count; ++core) dispatcher_.cores().reset(core);
}

void Scheduler::take_back_cores(unsigned first, unsigned count) {
  const hal::InterruptMask mask;
  dispatcher_.cores().take_back(first, count);
}

bool Scheduler::start_again(unsigned context, const RunWindows &windows, const RunOptions &options, RunSummary &ended) {
  const bool alone = runs_.used().used == 1U << context;
  if (options.place_constants || !constants_.check(windows).ok()) return false;
  if (!alone && !check_windows(runs_.used(), *run(context).task, windows).ok()) return false;
  return runs_.start_again(context, windows, options, ended);
}

Status Scheduler::check_use(const image::LoadedTask &task, const RunWindows &windows) const {
  if (Status status = constants_.check(windows); !status.ok()) return status;
  return check_windows(runs_.used(), task, windows);
}

/// Writes the constants of a run that is about to begin. Writes them in pieces, and supervises the other runs between two pieces. Returns
/// false if it did not supervise them, because there was at most one piece.
bool Scheduler::place_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  bool supervised = false;
  for (ConstantCopy copy(task, windows); copy.step(); supervised = true) {
    const hal::InterruptMask mask;
    supervise();
  }
  return supervised;
}

/// True if a run was started in `context` and its report was not taken.
bool Scheduler::is_used(unsigned context) const { return context < kMaximumRuns && run(context).state != RunState::idle; }

bool Scheduler::has_ended(unsigned context) const { return context < kMaximumRuns && runs_.has_ended(context); }

Result<RunReport> Scheduler::wait(unsigned context) {
  if (!is_used(context)) return Status{ErrorCode::invalid_argument, "context", -1, context};
  for (;;) {
    {
      const hal::InterruptMask mask;  // masked anew in each turn of the loop, so that handlers run between the turns
      if (runs_.has_ended(context)) break;
      rest();
    }
    start_prepared();
  }
  return runs_.take_report(context);
}

Result<RunReport> Scheduler::take(unsigned context) {
  if (!is_used(context)) return Status{ErrorCode::invalid_argument, "context", -1, context};
  if (!has_ended(context)) return Status{ErrorCode::not_ready, "context", -1, context};
  return take_ended(context);
}

Status Scheduler::cancel(unsigned context) {
  const hal::InterruptMask mask;
  if (!is_used(context)) return {ErrorCode::invalid_argument, "context", -1, context};
  runs_.cancel(context);
  if (run(context).state == RunState::preparing) {
    constants_.cancel(context);
    write_constants(constants_, runs_, run(context));
  }
  return {};
}

void Scheduler::rest() {
  if (constants_.is_ready()) return;
  if (hal::has_threads()) {
    // The interrupt handler takes the completions while the thread is blocked.
    supervise();
    if (!dispatcher_.has_attention() || !runs_.should_poll()) cox_os_wait(hal::os_number(registers::Engine::tile));
  } else if (!dispatcher_.has_attention()) {
    // serve() returns when a run has ended, when something is wrong, or after a wake-up without completions. The tick is such a wake-up, so
    // the main program checks limits at each tick.
    dispatcher_.serve();
  } else {
    supervise();
    if (!dispatcher_.has_attention() || runs_.should_poll()) return;
    board::wait_for_interrupt();
  }
  supervise();
}

bool Scheduler::sleep() {
  bool ended = false;
  {
    const hal::InterruptMask mask;
    if (runs_.any_ended()) return true;
    if (WakeFlag::is_raised()) return false;
    rest();
    ended = runs_.any_ended();
  }
  start_prepared();
  return ended;
}

void Scheduler::poll() {
  {
    const hal::InterruptMask mask;
    supervise();
  }
  start_prepared();
}

/// Checks time limits, and handles everything that has gone wrong. Called with interrupts masked.
void Scheduler::supervise() {
  dispatcher_.begin_turn();
  const std::uint64_t now = board::microseconds();
  if (ready_) watch_.look(now);
  constants_.supervise();
  runs_.supervise(now);
}

/// Starts the runs whose constants are written, and the tasks that begin again. Called with interrupts enabled, because it may take long to
/// write a task's constants. Meanwhile, the device holds no instruction of the task.
void Scheduler::start_prepared() {
  for (std::uint32_t used = runs_.used().used; used != 0;) {
    const TaskRun &run = this->run(take_lowest(used));
    if (run.state == RunState::restarting) {
      // This also repairs constants that a memory fault has damaged.
      if (constants_.wants(*run.task, run.configuration.windows)) {
        runs_.prepare_again(run.context);
        if (constants_.begin(run)) continue;
      }
      static_cast<void>(place_constants(*run.task, run.configuration.windows));
    } else if (run.state == RunState::preparing) {
      if (!write_constants(constants_, runs_, run)) continue;
    } else {
      continue;
    }
    runs_.restart(run.context);
  }
}

unsigned Scheduler::tokens(const TaskRun &run, unsigned from, unsigned to) const {
  const hal::InterruptMask mask;
  return count_tokens(run, from, to);
}

Totals Scheduler::totals() const {
  Totals result{runs_.totals()};
  const CoreBank &cores = dispatcher_.cores();
  result.core_resets = cores.resets();
  result.bad_completions = cores.bad_completions() + runs_.lost_completions();
  result.lost_doorbells = watch_.lost_doorbells();
  result.corrected_errors = watch_.corrected_errors();
  return result;
}

}  // namespace cox::firmware::schedule
