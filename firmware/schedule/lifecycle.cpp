// SPDX-License-Identifier: MIT
// Brings the device up, starts tasks and waits for them.
#include <algorithm>
#include <atomic>

#include "firmware/schedule/scheduler.h"
#include "firmware/schedule/token_loop.h"
#include "firmware/trace/trace.h"
#include "hal/board.h"
#include "hal/interrupt_mask.h"
#include "isa/tile/configuration.h"
#include "isa/tile/lane.h"

namespace cox::firmware::schedule {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::MachineCode;

namespace {

constexpr std::size_t kSubmissionBytes = hal::tile::SubmissionQueue::kSlotBytes << kSubmissionSizeLog2;
constexpr std::size_t kCompletionBytes = sizeof(hal::Completion) << kCompletionSizeLog2;

// A run has at most kCompletionInterval - 1 instructions in a ring behind its last one that asks for a completion. Even if all runs have
// that many in one ring, the ring must have room for two more groups. With less room, go_on() would dispatch nothing, and no completion
// would ever make room (docs/scheduler.md, Room in the rings).
static_assert(kMaximumRuns * (plan::kCompletionInterval - 1) + 2 * plan::kMaximumGroup <= 1U << kSubmissionSizeLog2);

/// Returns the windows that the task needs, each with the size and the access that it needs.
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

/// The scheduler needs only the completion that reports the fault.
void Scheduler::on_fault(const hal::Fault & /*fault*/) { trace::record<trace::Kind::interrupt>(0, 0, 1); }

Status Scheduler::initialise(hal::Accelerator &accelerator) {
  const unsigned cores = accelerator.geometry().cores;
  const Result<std::span<std::byte>> memory = accelerator.attach(registers::Engine::tile, cores * kCoreQueueBytes);
  if (!memory) return memory.status();
  accelerator_ = &accelerator;
  geometry_ = accelerator.geometry();
  memory_ = memory.value();
  const Status status = bring_up();
  ready_ = status.ok();
  if (!ready_) static_cast<void>(accelerator.detach(registers::Engine::tile));  // cannot fail: the cores are attached
  return status;
}

/// Brings up all cores and connects their interrupts.
Status Scheduler::bring_up() {
  if (geometry_.queue_size_log2_max < kCompletionSizeLog2) {
    return {ErrorCode::unknown_device, "GEOMETRY2.QUEUE_SIZE_LOG2_MAX", -1, geometry_.queue_size_log2_max, kCompletionSizeLog2};
  }
  // A core without a clock does not reset.
  if (Status status = hal::tile::set_core_clocks(geometry_, (1U << geometry_.cores) - 1); !status.ok()) return status;
  for (unsigned core = 0; core < geometry_.cores; ++core) {
    if (Status status = bring_up(core); !status.ok()) return status;
  }
  update_clocks();
  for (unsigned context = 0; context < kMaximumRuns; ++context) {
    runs_[context].context = static_cast<std::uint8_t>(context);
  }
  corrected_before_ = hal::corrected_errors();
  active_ = this;
  return accelerator_->connect(registers::Engine::tile, {.completion = on_completion_interrupt, .fault = on_fault});
}

Status Scheduler::close() {
  if (!ready_) return {ErrorCode::not_ready, "scheduler"};
  for (const TaskRun &run : runs_) {
    if (run.state != RunState::idle) return {ErrorCode::not_ready, "runs", run.context};
  }
  Status status = hal::tile::set_core_clocks(geometry_, (1U << geometry_.cores) - 1);
  for (unsigned core = 0; core < geometry_.cores && status.ok(); ++core) status = hal::tile::reset_core(geometry_, core);
  update_clocks();
  if (!status.ok()) return status;
  ready_ = false;
  return accelerator_->detach(registers::Engine::tile);
}

/// Resets a core and initialises its queues again. The core must have its clock.
Status Scheduler::bring_up(unsigned core) {
  TileCore &own = cores_[core];
  own.ready = own.broken = own.was_reset = own.damaged = false;
  if (Status status = hal::tile::reset_core(geometry_, core); !status.ok()) return status;
  const std::span<std::byte> memory = memory_.subspan(core * kCoreQueueBytes, kCoreQueueBytes);
  for (unsigned queue = 0; queue < kClasses; ++queue) {
    ClassQueue &class_queue = queues_[core * kClasses + queue];
    const std::span<std::byte> ring = memory.subspan(queue * kSubmissionBytes, kSubmissionBytes);
    if (Status status = class_queue.ring.init(geometry_, core, static_cast<Class>(queue), ring, kSubmissionSizeLog2); !status.ok())
      return status;
    class_queue.starved = 0;
  }
  const std::span<std::byte> entries = memory.subspan(kClasses * kSubmissionBytes, kCompletionBytes);
  if (Status status = own.completions.init(geometry_, core, entries, {}); !status.ok()) return status;
  own.ready = true;
  return {};
}

image::DeviceGeometry Scheduler::device_geometry() const {
  return {geometry_.l2_bytes, std::uint64_t{geometry_.wl0_units} * isa::tile::kWeightUnitBytes, geometry_.cores};
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
  const std::array<hal::Window, hal::kWindows> narrowed = narrow(task, windows);
  if (Status status = check_windows(task, narrowed); !status.ok()) return status;
  const std::uint8_t allowed = options.core_mask == 0 ? std::uint8_t{0xFF} : options.core_mask;
  Result<unsigned> first_core = choose_cores(task, allowed);
  if (!first_core) return first_core.status();
  const unsigned contexts = std::min(geometry_.contexts, kMaximumRuns);
  unsigned context = 0;
  while (context < contexts && !accelerator_->is_free(context)) ++context;
  if (context == contexts) return Status{ErrorCode::no_room, "contexts", -1, contexts, contexts};
  if (options.place_constants) {
    place_constants(task, narrowed);
    first_core = choose_cores(task, allowed);  // choose again, because a core may have failed while constants were written
    if (!first_core) return first_core.status();
  }

  TaskRun &run = runs_[context];
  run.task = &task;
  run.windows = narrowed;
  run.allowed = allowed;
  run.time_limit = options.time_limit_us == 0 ? kDefaultTimeLimit : options.time_limit_us;
  run.retries_left = task.needs().restartable ? options.retries : std::uint8_t{0};
  run.owner = options.owner;
  run.report = RunReport{};
  run.report.cores = static_cast<std::uint8_t>(task.needs().cores);
  static_cast<void>(accelerator_->take_context(registers::Engine::tile, context));  // cannot fail: it is free
  if (Status status = launch(run, first_core.value()); !status.ok()) {
    accelerator_->give_context(context);
    return status;
  }
  return context;
}

/// Starts a task on the cores that were chosen for it: sets up its context and rings its first doorbells. Before this call, the device
/// has no instruction of the task.
Status Scheduler::launch(TaskRun &run, unsigned first_core) {
  const image::LoadedTask &task = *run.task;
  run.first_lane = first_core * kClasses;
  run.cores = static_cast<std::uint8_t>(((1U << task.needs().cores) - 1) << first_core);
  run.report.first_core = static_cast<std::uint8_t>(first_core);
  hal::ContextConfiguration configuration;
  const verify::TaskNeeds &needs = task.needs();
  configuration.l2_first = needs.blocks.first;
  configuration.l2_last = needs.blocks.last;
  configuration.wl0_first = needs.weights.first;
  configuration.wl0_last = needs.weights.last;
  configuration.first_core = run.report.first_core;
  configuration.last_core = run.report.first_core + needs.cores - 1;
  configuration.owner = run.owner;
  for (unsigned i = 0; i < hal::kWindows; ++i) configuration.windows[i] = run.windows[i];
  if (Status status = hal::configure_context(geometry_, run.context, configuration); !status.ok()) return status;

  const Plan &plan = task.plan();
  plan.rewind(run.context);
  const RunMemory memory(plan.groups.data());
  tokens_[run.context] = {memory, LanesByQueue(memory, run.first_lane)};
  const auto run_bit = static_cast<std::uint16_t>(1U << run.context);
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const LanePlan &own = plan.lanes[lane];
    memory.lane(lane) = {&queues_[run.first_lane + lane], own.code.data(), &memory.group(own.first_group), own.wakes.data(), run_bit};
  }
  memory.lane(run.lane_count()) = {&end_, nullptr, &plan.groups.back(), nullptr, run_bit};
  run.passing = false;
  run.quiet_looks = 0;
  const bool first = run.report.retried == 0;

  const hal::InterruptMask mask;
  for (unsigned core = 0; core < geometry_.cores; ++core) {
    if ((run.cores >> core & 1) != 0) cores_[core].runs = static_cast<std::uint8_t>(cores_[core].runs | 1U << run.context);
  }
  update_clocks();
  read_counters(run, run.report.queues, run.clocked_start);
  run.report.status = Status();
  run.state = RunState::running;
  main_program_was_here_ = true;
  run.deadline = board::microseconds() + run.time_limit;
  trace::record<trace::Kind::run_start>(run.context, run.report.first_core, run.report.cores);
  if (first) run.report.start_cycle = hal::device_cycles();
  if (first) run.control_start = board::executed_instructions();
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    Lane &own = run.lane(lane);
    if (--own.group->missing == 0) go_on(own);
  }
  return {};
}

/// Gives back the cores of a run. The device must have no instruction of the run left, except on cores whose reset failed.
void Scheduler::leave_cores(TaskRun &run) {
  for (unsigned core = 0; core < geometry_.cores; ++core) {
    if ((run.cores >> core & 1) != 0) cores_[core].runs = static_cast<std::uint8_t>(cores_[core].runs & ~(1U << run.context));
  }
  update_clocks();
}

/// Gives a clock to each core that a task is on, and takes the clock from all others.
void Scheduler::update_clocks() {
  std::uint32_t in_use = 0;
  for (unsigned core = 0; core < geometry_.cores; ++core) in_use |= cores_[core].runs != 0 ? 1U << core : 0;
  cores_in_use_ = static_cast<std::uint8_t>(in_use);
  static_cast<void>(hal::tile::set_core_clocks(geometry_, in_use));  // cannot fail: the cores exist
}

Result<RunReport> Scheduler::wait(unsigned context) {
  if (context >= kMaximumRuns || runs_[context].state == RunState::idle) {
    return Status{ErrorCode::invalid_argument, "context", -1, context};
  }
  TaskRun &run = runs_[context];
  for (;;) {
    {
      const hal::InterruptMask mask;  // masked anew in each turn of the loop, so that handlers run between the turns
      if (run.state == RunState::ended) break;
      rest();
    }
    restart_failed();
  }
  return take_report(run);
}

Result<RunReport> Scheduler::take(unsigned context) {
  if (context >= kMaximumRuns || runs_[context].state == RunState::idle) {
    return Status{ErrorCode::invalid_argument, "context", -1, context};
  }
  if (!has_ended(context)) return Status{ErrorCode::not_ready, "context", -1, context};
  return take_report(runs_[context]);
}

/// Sleeps until the main program has something to do.
void Scheduler::rest() {
  if ((flags_ & kAttention) == 0) {
    // serve() returns when a run has ended, when something is wrong, or after a wake-up without completions. The tick is such a wake-up, so
    // the main program checks limits at each tick.
    serve();
  } else {
    supervise();
    if ((flags_ & kAttention) == 0) return;
    // kSettleTime is much shorter than a sleep, so the main program polls first. After kSettlePolls polls it sleeps, because time on the
    // native board passes only in sleep.
    if (is_settling() && ++settle_polls_ < kSettlePolls) return;
    board::wait_for_interrupt();
  }
  supervise();
}

bool Scheduler::sleep() {
  const auto any_ended = [this] {
    return std::any_of(runs_.begin(), runs_.end(), [](const TaskRun &run) { return run.state == RunState::ended; });
  };
  bool ended = false;
  {
    const hal::InterruptMask mask;
    if (any_ended()) return true;
    rest();
    ended = any_ended();
  }
  restart_failed();
  return ended;
}

void Scheduler::poll() {
  {
    const hal::InterruptMask mask;
    supervise();
  }
  restart_failed();
}

bool Scheduler::has_ended(unsigned context) const {
  if (context >= kMaximumRuns) return false;
  // The completion interrupt runs on this core and may end the run at any instruction of the caller. The atomic load makes the compiler
  // read the state at each call. The signal fence makes the caller read the report after the state, because end() writes the report first.
  // A signal fence costs no instruction.
  auto &state = const_cast<RunState &>(runs_[context].state);  // C++20's atomic_ref refuses const
  const bool ended = std::atomic_ref(state).load(std::memory_order_relaxed) == RunState::ended;
  std::atomic_signal_fence(std::memory_order_acquire);
  return ended;
}

RunReport Scheduler::take_report(TaskRun &run) {
  RunReport &report = run.report;
  trace::record<trace::Kind::run_end>(run.context, report.first_core, static_cast<std::uint32_t>(report.status.code()));
  if (report.status.ok()) report.accelerator_instructions = static_cast<std::uint32_t>(run.task->instructions().size());
  std::array<hal::tile::QueueCounters, kClasses> now;
  std::uint64_t clocked = 0;
  read_counters(run, now, clocked);
  report.clocked_cycles = clocked - run.clocked_start;
  for (unsigned own = 0; own < kClasses; ++own) {
    hal::tile::QueueCounters &queue = report.queues[own];
    // If a counter is lower now than at the start of the run, a reset of the core has cleared the counters.
    const bool reset = now[own].instructions < queue.instructions || now[own].busy_cycles < queue.busy_cycles;
    if (reset) queue = {};
    queue = {now[own].instructions - queue.instructions, now[own].busy_cycles - queue.busy_cycles,
             now[own].stalled_cycles - queue.stalled_cycles, now[own].bytes - queue.bytes};
  }
  totals_.instructions += report.accelerator_instructions;
  ++totals_.runs;
  if (!report.status.ok()) ++totals_.failures;
  run.state = RunState::idle;
  if (!run.lost) accelerator_->give_context(run.context);
  return report;
}

unsigned Scheduler::tokens(const TaskRun &run, unsigned from, unsigned to) const {
  const hal::InterruptMask mask;
  if (run.state != RunState::running || from >= run.lane_count() || to >= run.lane_count()) return 0;
  const Plan &plan = run.task->plan();
  unsigned count = 0;
  for (const Wake *wake = plan.lanes[from].wakes.data(); wake != run.lane(from).wakes; ++wake) count += wake->to() == to ? 1 : 0;
  const bool same_core = isa::tile::core_of_lane(from) == isa::tile::core_of_lane(to);
  const unsigned port = same_core ? isa::tile::class_of_lane(from) : kClasses + isa::tile::core_of_lane(from);
  for (const MachineCode *code = plan.lanes[to].code.data(); code != run.lane(to).code; ++code) {
    count -= isa::tile::taken_ports(*code) >> port & 1;
  }
  return count;
}

void Scheduler::read_counters(const TaskRun &run, std::array<hal::tile::QueueCounters, kClasses> &counters, std::uint64_t &clocked) const {
  counters = {};
  clocked = 0;
  for (unsigned core = 0; core < geometry_.cores; ++core) {
    if ((run.cores >> core & 1) == 0) continue;
    clocked += hal::tile::clocked_cycles(geometry_, core).value();
    for (unsigned own = 0; own < kClasses; ++own) {
      const hal::tile::QueueCounters read = hal::tile::read_counters(geometry_, core, static_cast<Class>(own)).value();
      hal::tile::QueueCounters &sum = counters[own];
      sum = {sum.instructions + read.instructions, sum.busy_cycles + read.busy_cycles, sum.stalled_cycles + read.stalled_cycles,
             sum.bytes + read.bytes};
    }
  }
}

}  // namespace cox::firmware::schedule
