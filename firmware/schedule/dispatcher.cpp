// SPDX-License-Identifier: MIT
// The inner loop: from a completion to the doorbells of the groups that become ready. Its cost is counted in executed instructions
// (docs/scheduler.md, Cost). The completion interrupt runs the loop, so the loop uses integers only.
#include "coxswain/firmware/schedule/dispatcher.h"

#include <array>
#include <bit>
#include <cstddef>
#include <limits>

#include "coxswain/base/bits.h"
#include "coxswain/firmware/schedule/take_one.h"
#include "coxswain/firmware/schedule/token_loop.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/completion_sleep.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;
using isa::tile::MachineCode;
using trace::Kind;

namespace {

/// Destinations of the tokens that a failed task's instructions give when they end late. abandon() makes the task's lanes read this array
/// instead of the plan. It has one element for each slot of a submission ring.
constinit std::array<Wake, std::size_t{1} << kSubmissionSizeLog2> wakes_of_nobody{};

/// The group that gets the tokens of failed tasks. It is never ready, because each call of abandon() sets its `missing` to the maximum.
constinit Group nobody{};

// A run has at most kCompletionInterval - 1 instructions in a ring behind its last one that asks for a completion. Even if all runs have
// that many in one ring, the ring must have room for two more groups. With less room, go_on() would dispatch nothing, and no completion
// would ever make room (docs/scheduler.md, Room in the rings).
static_assert(kMaximumRuns * (plan::kCompletionInterval - 1) + 2 * plan::kMaximumGroup <= 1U << kSubmissionSizeLog2);

/// True if the ring has room for a group of `size` instructions and for another as a reserve.
bool has_room(const hal::tile::SubmissionQueue &ring, unsigned size) {
  return ring.in_flight() + size <= (1U << kSubmissionSizeLog2) - plan::kMaximumGroup;
}

}  // namespace

constinit Dispatcher *Dispatcher::active_ = nullptr;

/// Marks a lane whose head group is ready but finds no room in its ring.
[[gnu::cold, gnu::noinline]] void Dispatcher::starve(Lane &lane) {
  lane.queue->starved = static_cast<std::uint16_t>(lane.queue->starved | lane.run_bit);
  flags_ |= kStarved;
}

namespace {

[[gnu::always_inline]] inline void trace_dispatch(const Lane &lane, const ClassQueue *first) {
  if constexpr (trace::kEnabled) {
    trace::record<Kind::dispatch>(static_cast<std::uint32_t>(std::countr_zero(lane.run_bit)),
                                  static_cast<std::uint32_t>(lane.queue - first), lane.queue->ring.tail() & 0xFFFF);
  }
}

}  // namespace

void go_on(Lane &lane) {
  Dispatcher &dispatcher = *Dispatcher::active_;
  if (lane.queue == &dispatcher.end_) {
    dispatcher.events_->on_end(static_cast<unsigned>(std::countr_zero(lane.run_bit)), dispatcher.last_taken_->time());
    return;
  }
  hal::tile::SubmissionQueue &ring = lane.queue->ring;
  const std::uint32_t before = ring.tail();
  const MachineCode *code = lane.code;
  Group *group = lane.group;
  do {
    if (!has_room(ring, group->size)) {
      dispatcher.starve(lane);  // resume_starved() goes on when completions have made room
      break;
    }
    code = ring.push_prepared(code, group->size);
    ++group;
  } while (--group->missing == 0);
  lane.code = code;
  lane.group = group;
  ring.set_limit(2 * plan::kMaximumGroup, plan::kMaximumGroup);
  // Each time the ring wraps, kClock makes serve() return, unless the main program has checked the time limits recently. The loop in
  // assembly may have filled the ring's last slot. So the ring wraps when the slot after it is filled.
  if (((ring.tail() - 1) ^ (before - 1)) >> kSubmissionSizeLog2 != 0) dispatcher.flags_ |= Dispatcher::kClock;
  ring.ring_doorbell();
  trace_dispatch(lane, &dispatcher.cores_.queue(0));
}

/// Dispatches groups that waited for room in a ring, if completions have made room.
[[gnu::cold, gnu::noinline]] void Dispatcher::resume_starved() {
  flags_ &= static_cast<std::uint8_t>(~kStarved);
  for (std::uint32_t number = 0; number < cores_.geometry().cores * kClasses; ++number) {
    ClassQueue &queue = cores_.queue(number);
    std::uint32_t runs = queue.starved;
    queue.starved = 0;
    while (runs != 0) go_on(lanes_[take_lowest(runs)][number]);
  }
}

/// Called before sleeping. Returns false if the main program must run supervise() first.
[[gnu::always_inline]] inline bool Dispatcher::heed_flags() { return flags_ == 0 || heed_raised_flags(); }

[[gnu::cold, gnu::noinline]] bool Dispatcher::heed_raised_flags() {
  if ((flags_ & kStarved) != 0) resume_starved();
  if (flags_ == kClock && board::microseconds() - last_look_ < kBusyLookInterval) flags_ = 0;
  return (flags_ & (kAttention | kClock)) == 0;
}

[[gnu::always_inline]] inline void Dispatcher::sleep_for_completion() {
  trace::record<Kind::sleep>(0, 0, 0);
  hal::sleep_until_completion();
  trace::record<Kind::wake_up>(0, 0, 0);
}

/// Takes all completions of the cores in `pending`. The interrupt status says that these cores have some.
[[gnu::noinline]] void Dispatcher::take_pending(std::uint32_t pending) {
  for (; pending != 0; pending &= pending - 1) {
    TileCore &core = *hidden(by_pending_[pending]);
    CompletionQueue &queue = core.completions;
    CompletionQueue::Cursor completions = queue.cursor();  // a copy, which stays in registers
    const hal::Completion *next = hidden(completions.next());
    if (!completions.is_written(next)) [[unlikely]] {
      find_blocked(core.number);
      continue;
    }
    do {
      hal::memory_barrier();  // reads the rest of the entry only after its phase bit
      take_one(*next, core);
      completions.pop();
      next = hidden(completions.next());
    } while (completions.is_written(next));
    queue.acknowledge(completions);
    taken_ -= queue.popped();
    queue.set_cursor(completions);
    taken_ += queue.popped();
  }
  if ((flags_ & kStarved) != 0) resume_starved();
}

#if defined(COX_HAL_NATIVE) || defined(COX_TRACE)

// In place of the loops in assembly (token_loop.cpp).

void Dispatcher::serve_one(TileCore &core) {
  const std::uint32_t own = 1U << core.number;
  const auto is_written = [&queue = core.completions] { return queue.cursor().is_written(queue.cursor().next()); };
  if (is_written()) take_pending(own);
  while (flags_ == 0) {
    sleep_for_completion();
    if (!is_written()) break;
    take_pending(own);
  }
}

void Dispatcher::serve_many(std::uint32_t cores) {
  take_pending(CompletionQueue::pending(cores));
  while (flags_ == 0) {
    sleep_for_completion();
    const std::uint32_t pending = CompletionQueue::pending(cores);
    if (pending == 0) break;
    take_pending(pending);
  }
}

#else

constinit const volatile std::uint32_t *const completion_status = &COX_NPU->INT_STATUS;

#endif

void Dispatcher::service() {
  trace::record<Kind::interrupt>(0, 0, 0);
  std::uint32_t pending = CompletionQueue::pending(kAllCores);
  if (interrupts_aside_) {
    // This interrupt may have been pending since before set_interrupts_aside(true). Its completions have already been taken.
    if (pending == 0) return;
    set_interrupts_aside(false);
    pending = CompletionQueue::pending(kAllCores);
  }
  take_pending(pending);
  if (taken_ < kMostInInterrupts) return;
  if (main_program_was_here_) {
    begin_count();
  } else {
    set_interrupts_aside(true);
  }
}

/// Starts a new count of completions, which service() compares with kMostInInterrupts.
void Dispatcher::begin_count() {
  main_program_was_here_ = false;
  taken_ = 0;
}

[[gnu::cold, gnu::noinline]] void Dispatcher::set_interrupts_aside(bool aside) {
  // If `aside` is true, a completion queue interrupts when it is nearly full, or kMainProgramCycles after its first completion.
  constexpr std::uint32_t kNearlyFull = (1U << kCompletionSizeLog2) - 1;
  const CompletionQueue::Coalescing coalescing =
      aside ? CompletionQueue::Coalescing{kNearlyFull, kMainProgramCycles} : CompletionQueue::Coalescing{};
  for (unsigned core = 0; core < cores_.geometry().cores; ++core) cores_.core(core).completions.set_coalescing(coalescing);
  interrupts_aside_ = aside;
  begin_count();
}

void Dispatcher::take_from(std::uint32_t cores) { take_pending(CompletionQueue::pending(cores)); }

void Dispatcher::begin_turn() {
  main_program_was_here_ = true;
  if (interrupts_aside_) set_interrupts_aside(false);
}

void Dispatcher::serve() {
  begin_turn();
  const std::uint32_t cores = cores_.in_use();
  if (cores == 0) {
    sleep_for_completion();
    return;
  }
  TileCore *const only = (cores & (cores - 1)) == 0 ? by_pending_[cores] : nullptr;
  while (heed_flags()) {
    if (flags_ != 0) {
      // A lane is starved. The loops below do not look for room in its ring, but take_pending() does.
      sleep_for_completion();
      const std::uint32_t pending = CompletionQueue::pending(cores);
      if (pending == 0) return;
      take_pending(pending);
      continue;
    }
    if (only != nullptr) {
      serve_one(*only);
    } else {
      serve_many(cores);
    }
    if (flags_ == 0) break;  // after a wake-up without completions
  }
  if (only == nullptr) return;
  // An interrupt without a completion may come from an entry with a wrong phase bit, which serve_one() does not see.
  const CompletionQueue::Cursor completions = only->completions.cursor();
  if (!completions.is_written(completions.next())) find_blocked(only->number);
}

void Dispatcher::settle_attention(bool attention) {
  flags_ = static_cast<std::uint8_t>((flags_ & ~(kAttention | kClock)) | (attention ? kAttention : 0));
}

/// Handles a completion that reports a fault, and a completion that belongs to no instruction in flight. The loops in assembly may also
/// have read a sound completion while the device wrote it.
[[gnu::cold, gnu::noinline]] void Dispatcher::take_failed(const hal::Completion &entry, TileCore &core) {
  hal::memory_barrier();
  const unsigned from = entry.queue();
  if (!entry.is_intact() || from - core.number * kClasses >= kClasses || !cores_.queue(from).ring.reclaim(entry.tag())) {
    cores_.refuse_completion(core.number);
    raise_attention();
    return;
  }
  if (entry.status() == hal::FaultCode::none) {
    give_tokens_of(entry, from);
  } else {
    events_->on_fault(entry);
  }
}

[[gnu::cold, gnu::noinline]] void Dispatcher::find_blocked(unsigned core) {
  if (cores_.find_blocked(core)) raise_attention();
}

void Dispatcher::connect(RunEvents &events) {
  events_ = &events;
  for (unsigned pending = 1; pending < by_pending_.size(); ++pending) {
    by_pending_[pending] = &cores_.core(static_cast<unsigned>(std::countr_zero(pending)));
  }
  active_ = this;
}

void Dispatcher::prepare(const TaskRun &run) {
  const Plan &plan = run.task->plan();
  const RunMemory memory = run.memory();
  lanes_[run.context] = LanesByQueue(memory, run.first_lane);
  const auto begin = [&](unsigned lane, ClassQueue &queue, Group &group) -> Lane & {
    Lane &own = memory.lane(lane);
    own.groups = memory.groups();
    own.run_bit = static_cast<std::uint16_t>(1U << run.context);
    own.registers = queue.ring.registers();
    own.queue = &queue;
    own.group = &group;
    return own;
  };
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const LanePlan &planned = plan.lanes[lane];
    Lane &own = begin(lane, cores_.queue(run.first_lane + lane), memory.group(planned.first_group));
    own.wakes = planned.wakes.data();
    own.code = planned.code.data();
  }
  begin(run.lane_count(), end_, plan.groups.back());
  memory.keep_lanes(run.lane_count() + 1U);
}

// The end lane gives the tokens of the start, because it gives no others.
void Dispatcher::launch(const TaskRun &run) {
  main_program_was_here_ = true;
  Lane &giver = run.lane(run.lane_count());
  giver.wakes = run.task->plan().start.data();
  give_tokens(giver);
}

void Dispatcher::abandon(const TaskRun &run) {
  for (Wake &wake : wakes_of_nobody) wake.mark_last();
  nobody.missing = std::numeric_limits<std::uint32_t>::max();
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    ClassQueue &queue = cores_.queue(run.first_lane + lane);
    queue.starved = static_cast<std::uint16_t>(queue.starved & ~(1U << run.context));
    // The tokens of late completions go to a group that never becomes ready.
    run.lane(lane).wakes = wakes_of_nobody.data();
    run.lane(lane).groups = &nobody;
  }
}

}  // namespace cox::firmware::schedule
