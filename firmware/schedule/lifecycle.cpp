// SPDX-License-Identifier: MIT
// Bringing the device up, starting tasks and waiting for them.
#include <algorithm>

#include "firmware/schedule/scheduler.h"
#include "hal/board.h"
#include "hal/interrupt_mask.h"
#include "isa/tile/configuration.h"

namespace cox::firmware::schedule {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::MachineCode;

namespace {

constexpr std::size_t kSubmissionBytes = hal::SubmissionQueue::kSlotBytes << kSubmissionSizeLog2;
constexpr std::size_t kCompletionBytes = sizeof(hal::Completion) << kCompletionSizeLog2;

// However the tasks of all contexts share a ring, it cannot fill with instructions that ask for no completion.
static_assert(kMaximumContexts * (kCompletionInterval - 1) + 2 * kMaximumGroup <= 1U << kSubmissionSizeLog2);

bool overlap(const hal::Window &a, const hal::Window &b) {
  return a.bytes != 0 && b.bytes != 0 && a.base < b.base + b.bytes && b.base < a.base + a.bytes;
}

/// Whether two tasks can be on the core together: neither reaches what is the other's.
Status check_neighbours(const TaskRun &running, const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  const verify::TaskNeeds &theirs = running.task->needs();
  const verify::TaskNeeds &ours = task.needs();
  if (running.task->plan().groups.data() == task.plan().groups.data()) return {ErrorCode::no_room, "task"};
  if (theirs.blocks.overlaps(ours.blocks)) return {ErrorCode::no_room, "L2", -1, ours.blocks.first, theirs.blocks.last};
  if (!theirs.weights.empty() && !ours.weights.empty()) return {ErrorCode::no_room, "WL0"};
  for (unsigned own = 0; own < hal::kWindows; ++own) {
    for (const hal::Window &other : running.windows) {
      if ((windows[own].write || other.write) && overlap(windows[own], other)) {
        return {ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(own), static_cast<std::int64_t>(windows[own].base),
                static_cast<std::int64_t>(other.base)};
      }
    }
  }
  return {};
}

/// What the task asked for of the windows that it was given, and no more.
std::array<hal::Window, hal::kWindows> narrow(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  std::array<hal::Window, hal::kWindows> result{};
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    const image::WindowNeed &need = task.windows()[i];
    if (need.size != 0) result[i] = {windows[i].base, need.size, true, need.writable};
  }
  return result;
}

}  // namespace

constinit Scheduler *Scheduler::active_ = nullptr;

void Scheduler::on_completion_interrupt() { active_->service(); }

/// The completion with the fault says everything that the scheduler needs; the record is only given back for the next one.
void Scheduler::on_fault_interrupt() { hal::clear_fault(); }

Status Scheduler::initialise(std::span<std::byte> memory) {
  const Result<hal::Geometry> geometry = hal::identify();
  if (!geometry) return geometry.status();
  if (geometry.value().queue_size_log2_max < kCompletionSizeLog2) {
    return {ErrorCode::unknown_device, "GEOMETRY2.QUEUE_SIZE_LOG2_MAX", -1, geometry.value().queue_size_log2_max, kCompletionSizeLog2};
  }
  if (memory.size() < kQueueBytes) {
    return {ErrorCode::invalid_argument, "memory", -1, static_cast<std::int64_t>(memory.size()), static_cast<std::int64_t>(kQueueBytes)};
  }
  geometry_ = geometry.value();
  memory_ = memory;
  if (Status status = hal::reset_core(geometry_, 0); !status.ok()) return status;
  if (Status status = bring_up_queues(); !status.ok()) return status;
  for (unsigned context = 0; context < kMaximumContexts; ++context) runs_[context].context = static_cast<std::uint8_t>(context);

  const hal::InterruptMask mask;
  active_ = this;
  board::connect_npu_interrupts(on_completion_interrupt, on_fault_interrupt);
  if (Status status = hal::enable_interrupts(geometry_, 1, true); !status.ok()) return status;
  hal::set_enabled(true);
  ready_ = true;
  return {};
}

Status Scheduler::bring_up_queues() {
  for (unsigned own = 0; own < kClasses; ++own) {
    const std::span<std::byte> ring = memory_.subspan(own * kSubmissionBytes, kSubmissionBytes);
    if (Status status = queues_[own].ring.init(geometry_, 0, static_cast<Class>(own), ring, kSubmissionSizeLog2); !status.ok())
      return status;
    queues_[own].starved = 0;
  }
  return completions_.init(geometry_, 0, memory_.subspan(kClasses * kSubmissionBytes, kCompletionBytes), kCompletionSizeLog2, {});
}

image::DeviceGeometry Scheduler::device_geometry() const {
  return {geometry_.l2_bytes, std::uint64_t{geometry_.wl0_units} * isa::tile::kWeightUnitBytes, geometry_.tile_cores};
}

Status Scheduler::check_start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const {
  if (!ready_) return {ErrorCode::not_ready, "scheduler"};
  if (!task.valid()) return {ErrorCode::invalid_argument, "task"};
  if (task.needs().cores > 1) return {ErrorCode::no_room, "cores", -1, task.needs().cores, 1};
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
  const std::array<hal::Window, hal::kWindows> narrowed = narrow(task, windows);
  unsigned context = geometry_.contexts;
  for (unsigned i = geometry_.contexts; i-- > 0;) {
    if (runs_[i].state == RunState::idle) context = i;
    if (!is_on_device(runs_[i])) continue;
    if (Status status = check_neighbours(runs_[i], task, narrowed); !status.ok()) return status;
  }
  if (context == geometry_.contexts) return Status{ErrorCode::no_room, "contexts", -1, geometry_.contexts, geometry_.contexts};

  hal::ContextConfiguration configuration;
  const verify::BlockRange &blocks = task.needs().blocks;
  if (!blocks.empty()) {
    configuration.l2_first = blocks.first;
    configuration.l2_last = blocks.last;
  }
  for (unsigned i = 0; i < hal::kWindows; ++i) configuration.windows[i] = narrowed[i];
  if (Status status = hal::configure_context(geometry_, context, configuration); !status.ok()) return status;

  TaskRun &run = runs_[context];
  const Plan &plan = task.plan();
  for (std::size_t i = 0; i < plan.groups.size(); ++i) plan.groups[i].missing = plan.initial_missing[i];
  run.lanes = plan.cursors.data();
  for (unsigned own = 0; own < kClasses; ++own) {
    const LanePlan &own_plan = plan.lanes[own];
    for (MachineCode &code : own_plan.code) isa::insert_bits(code, isa::tile::kContextBit, isa::tile::kContextWidth, context);
    run.lanes[own] = {&queues_[own], own_plan.code.data(), plan.groups.data() + own_plan.first_group, own_plan.wakes.data(),
                      static_cast<std::uint16_t>(1U << context)};
  }
  run.groups = plan.groups.data();
  run.sinks_left = plan.sinks;
  run.task = &task;
  run.windows = narrowed;
  run.time_limit = options.time_limit_us == 0 ? kDefaultTimeLimit : options.time_limit_us;
  run.report = RunReport{};
  read_queue_counters(run.report.queues);

  const hal::InterruptMask mask;
  run.state = RunState::running;
  run.deadline = board::microseconds() + run.time_limit;
  run.report.start_cycle = hal::device_cycles();
  run.control_start = board::executed_instructions();
  for (unsigned own = 0; own < kClasses; ++own) {
    Lane &lane = run.lanes[own];
    if (--lane.group->missing == 0) go_on(lane);
  }
  return context;
}

Result<RunReport> Scheduler::wait(unsigned context) {
  if (context >= kMaximumContexts || runs_[context].state == RunState::idle) {
    return Status{ErrorCode::invalid_argument, "context", -1, context};
  }
  TaskRun &run = runs_[context];
  for (;;) {
    const hal::InterruptMask mask;  // anew each time, so that other handlers run in between
    if (run.state == RunState::ended) break;
    // serve() returns when a run has ended, when something is wrong, or after a wake-up without completions: the tick, if nothing else,
    // sees to it that limits are looked at.
    if ((flags_ & kAttention) != 0) {
      board::wait_for_interrupt();
    } else {
      serve();
    }
    supervise();
  }
  return take_report(run);
}

Status Scheduler::cancel(unsigned context) {
  const hal::InterruptMask mask;
  if (context >= kMaximumContexts || !is_on_device(runs_[context])) return {ErrorCode::invalid_argument, "context", -1, context};
  if (runs_[context].state == RunState::stopping) return {};
  static_cast<void>(hal::abort_context(geometry_, context));
  fail(runs_[context], Status(ErrorCode::cancelled, "task"));
  return {};
}

Result<RunReport> Scheduler::take(unsigned context) {
  if (context >= kMaximumContexts || runs_[context].state == RunState::idle) {
    return Status{ErrorCode::invalid_argument, "context", -1, context};
  }
  if (!has_ended(context)) return Status{ErrorCode::not_ready, "context", -1, context};
  return take_report(runs_[context]);
}

bool Scheduler::sleep() {
  const hal::InterruptMask mask;
  for (const TaskRun &run : runs_) {
    if (run.state == RunState::ended) return true;
  }
  if ((flags_ & kAttention) != 0) {
    board::wait_for_interrupt();
  } else {
    serve();
  }
  supervise();
  return true;
}

void Scheduler::poll() {
  const hal::InterruptMask mask;
  supervise();
}

bool Scheduler::has_ended(unsigned context) const {
  // Written by the interrupt.
  return context < kMaximumContexts && *const_cast<const volatile RunState *>(&runs_[context].state) == RunState::ended;
}

RunReport Scheduler::take_report(TaskRun &run) {
  RunReport &report = run.report;
  if (report.status.ok()) report.accelerator_instructions = static_cast<std::uint32_t>(run.task->instructions().size());
  std::array<hal::QueueCounters, kClasses> now;
  read_queue_counters(now);
  for (unsigned own = 0; own < kClasses; ++own) {
    hal::QueueCounters &queue = report.queues[own];
    // Smaller than at the start: the core was reset in between, and the counters with it.
    const bool reset = now[own].instructions < queue.instructions || now[own].busy_cycles < queue.busy_cycles;
    if (reset) queue = {};
    queue = {now[own].instructions - queue.instructions, now[own].busy_cycles - queue.busy_cycles,
             now[own].stalled_cycles - queue.stalled_cycles, now[own].bytes - queue.bytes};
  }
  totals_.instructions += report.accelerator_instructions;
  ++totals_.runs;
  if (!report.status.ok()) ++totals_.failures;
  run.state = RunState::idle;
  return report;
}

unsigned Scheduler::tokens(const TaskRun &run, unsigned from, unsigned to) const {
  const hal::InterruptMask mask;
  if (run.state != RunState::running) return 0;
  unsigned count = 0;
  for (const Wake *wake = run.task->plan().lanes[from].wakes.data(); wake != run.lanes[from].wakes; ++wake)
    count += wake->to() == to ? 1 : 0;
  const MachineCode *code = run.task->plan().lanes[to].code.data();
  for (; code != run.lanes[to].code; ++code) count -= isa::tile::previous_of(*code) >> from & 1;
  return count;
}

void Scheduler::read_queue_counters(std::array<hal::QueueCounters, kClasses> &counters) const {
  for (unsigned own = 0; own < kClasses; ++own) {
    const Result<hal::QueueCounters> read = hal::read_counters(geometry_, 0, static_cast<Class>(own));
    counters[own] = read.ok() ? read.value() : hal::QueueCounters{};
  }
}

}  // namespace cox::firmware::schedule
