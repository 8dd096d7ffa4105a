// SPDX-License-Identifier: MIT
// The inner loop: from a completion to the doorbells of what it frees. Counted in executed instructions (docs/scheduler.md, Cost), and
// run in the completion interrupt: integers only.
#include "firmware/schedule/scheduler.h"

#include <atomic>
#include <bit>
#include <cstddef>

#include "base/bits.h"
#include "firmware/schedule/token_loop.h"
#include "firmware/trace/trace.h"
#include "hal/board.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;
using isa::tile::MachineCode;
using trace::Kind;

namespace {

// A header word, where isa/tile/header.h has to look at two.
std::uint32_t context_in(const MachineCode &slot) {
  static_assert(isa::tile::kContextBit == 8 && isa::tile::kContextWidth == 8);
  return slot[0] >> 8 & 0xFF;
}

/// Room for a group, and more.
bool has_room(const hal::SubmissionQueue &ring) { return ring.in_flight() <= (1U << kSubmissionSizeLog2) - 2 * plan::kMaximumGroup; }

/// Keeps the compiler from taking an index for an offset that it adds twice.
template <typename T>
[[gnu::always_inline]] inline T *hidden(T *pointer) {
#if !defined(COX_HAL_NATIVE)
  __asm("" : "+r"(pointer));
#endif
  return pointer;
}

}  // namespace

/// The head group of `lane` is ready and finds no room.
[[gnu::cold, gnu::noinline]] void Scheduler::starve(Lane &lane) {
  lane.queue->starved = static_cast<std::uint16_t>(lane.queue->starved | lane.run_bit);
  active_->flags_ |= kStarved;
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
  Scheduler &scheduler = *Scheduler::active_;
  if (lane.queue == &scheduler.end_) {
    scheduler.end(scheduler.runs_[static_cast<unsigned>(std::countr_zero(lane.run_bit))]);
    return;
  }
  hal::SubmissionQueue &ring = lane.queue->ring;
  const std::uint32_t before = ring.tail();
  do {
    if (!has_room(ring)) {
      Scheduler::starve(lane);  // resume_starved() goes on when completions have made room
      break;
    }
    lane.code = ring.push_prepared(lane.code, lane.group->size);
    ++lane.group;
  } while (--lane.group->missing == 0);
  ring.set_limit(2 * plan::kMaximumGroup, plan::kMaximumGroup);
  // However fast completions come, the main program looks at the clock each time that a ring wraps.
  if ((ring.tail() ^ before) >> kSubmissionSizeLog2 != 0) scheduler.flags_ |= Scheduler::kClock;
  ring.ring_doorbell();
  trace_dispatch(lane, scheduler.queues_.data());
}

/// Completions may have made room since.
[[gnu::cold, gnu::noinline]] void Scheduler::resume_starved() {
  flags_ &= static_cast<std::uint8_t>(~kStarved);
  for (std::uint32_t number = 0; number < geometry_.tile_cores * kClasses; ++number) {
    std::uint32_t runs = queues_[number].starved;
    queues_[number].starved = 0;
    while (runs != 0) {
      const TaskRun &run = runs_[take_lowest(runs)];
      go_on(run.lane(number - run.first_lane));
    }
  }
}

[[gnu::always_inline]] inline void Scheduler::take_one(const hal::Completion &entry, TileCore &core) {
  // Queue and status in one comparison: any status but 0 makes it too large. What is intact names a queue of its core.
  const std::uint32_t from = entry.outcome & 0xFFFF;
  const std::uint32_t tag = entry.identity;  // its low half
  if (entry.is_intact() && from < isa::tile::kMostLanes && queues_[from].ring.reclaim(tag)) [[likely]] {
    // The context stands in the slot still: no other record of what is in flight is kept.
    const std::uint32_t context = context_in(queues_[from].ring.slot<kSubmissionSizeLog2>(tag));
    last_taken_ = &entry;
    trace::record<Kind::completion>(context, from, entry.tag());
    give_tokens(tokens_[context], from);
  } else {
    take_failed_completion(entry, core);
  }
}

/// Before sleep. False: somebody is to look first.
[[gnu::always_inline]] inline bool Scheduler::heed_flags() { return flags_ == 0 || heed_raised_flags(); }

[[gnu::cold, gnu::noinline]] bool Scheduler::heed_raised_flags() {
  if ((flags_ & kStarved) != 0) resume_starved();
  if (flags_ == kClock && board::microseconds() - last_look_ < kBusyLookInterval) flags_ = 0;
  return (flags_ & (kAttention | kClock)) == 0;
}

[[gnu::always_inline]] inline void Scheduler::sleep_for_completion() {
  trace::record<Kind::sleep>(0, 0, 0);
  board::wait_for_completion();
  trace::record<Kind::wake_up>(0, 0, 0);
}

/// Takes the entry at `next` and all behind it, of which there is at least the one.
[[gnu::always_inline]] inline void Scheduler::take_written(CompletionQueue::Cursor &completions, const hal::Completion *next,
                                                           TileCore &core) {
  do {
    hal::memory_barrier();  // the rest of the entry is not read before what says that it is there
    take_one(*next, core);
    completions.pop();
    next = hidden(completions.next());
  } while (completions.is_written(next));
}

/// Where one core has tasks. Takes completions until there are none, sleeps then and goes on, until a wake-up brings none or somebody is to
/// look.
void Scheduler::serve_one(unsigned core) {
  TileCore &own = *hidden(&cores_[core]);
  CompletionQueue &queue = own.completions;
  CompletionQueue::Cursor completions = queue.cursor();  // a copy stays in registers
  for (bool first = true;; first = false) {
    const hal::Completion *const next = hidden(completions.next());
    if (completions.is_written(next)) [[likely]] {
      take_written(completions, next, own);
    } else if (!first) {
      break;
    }
    queue.acknowledge(completions);  // what comes from here on ends the sleep at once
    if (!heed_flags()) [[unlikely]]
      break;
    sleep_for_completion();
  }
  queue.set_cursor(completions);
  // An interrupt that brought nothing may be of an entry that cannot be seen.
  if (!completions.is_written(completions.next())) find_blocked(core);
}

/// All completions of a core. False: there were none.
[[gnu::always_inline]] inline bool Scheduler::take_all(TileCore &core) {
  CompletionQueue &queue = core.completions;
  CompletionQueue::Cursor completions = queue.cursor();
  const hal::Completion *const next = hidden(completions.next());
  if (!completions.is_written(next)) return false;
  take_written(completions, next, core);
  queue.acknowledge(completions);
  queue.set_cursor(completions);
  return true;
}

/// Where several cores have tasks: the same, by the cores that the interrupt status names. A run that ends sees to it that somebody looks.
[[gnu::noinline]] void Scheduler::serve_many(std::uint32_t cores) {
  std::uint32_t pending = CompletionQueue::pending(cores);
  for (;;) {
    while (pending != 0) {
      const unsigned core = take_lowest(pending);
      if (!take_all(*hidden(&cores_[core]))) [[unlikely]]
        find_blocked(core);
    }
    if (!heed_flags()) [[unlikely]]
      break;
    sleep_for_completion();
    pending = CompletionQueue::pending(cores);
    if (pending == 0) break;
  }
}

/// Running count, of all cores.
[[gnu::always_inline]] inline std::uint32_t Scheduler::taken() const {
  std::uint32_t sum = 0;
#pragma GCC unroll 4
  for (const TileCore &core : cores_) sum += core.completions.popped();
  return sum;
}

/// With interrupts masked: the main program is not in here. However fast completions come, it goes on: after some of them the next
/// interrupt waits (docs/scheduler.md, The loop).
void Scheduler::service() {
  trace::record<Kind::interrupt>(0, 0, 0);
  constexpr std::uint32_t kAll = (1U << isa::tile::kMostCores) - 1;
  if (interrupts_aside_) {
    if (CompletionQueue::pending(kAll) == 0) return;  // one that was pending already
    set_interrupts_aside(false);
  }
  take_from(kAll);
  if (taken() - taken_before_ < kMostInInterrupts) return;
  if (main_program_was_here_) {
    begin_count();
  } else {
    set_interrupts_aside(true);
  }
}

/// Of the completions that interrupts take while the main program waits.
void Scheduler::begin_count() {
  main_program_was_here_ = false;
  taken_before_ = taken();
}

[[gnu::cold, gnu::noinline]] void Scheduler::set_interrupts_aside(bool aside) {
  // A line rises when its queue is nearly full, too.
  constexpr std::uint32_t kNearlyFull = (1U << kCompletionSizeLog2) - 1;
  const CompletionQueue::Coalescing coalescing =
      aside ? CompletionQueue::Coalescing{kNearlyFull, kMainProgramCycles} : CompletionQueue::Coalescing{};
  for (unsigned core = 0; core < geometry_.tile_cores; ++core) cores_[core].completions.set_coalescing(coalescing);
  interrupts_aside_ = aside;
  begin_count();
}

/// What there is, without sleeping. The walk is written out again: shared, it costs serve_many() an instruction a completion.
void Scheduler::take_from(std::uint32_t cores) {
  for (std::uint32_t pending = CompletionQueue::pending(cores); pending != 0;) {
    const unsigned core = take_lowest(pending);
    if (!take_all(*hidden(&cores_[core]))) [[unlikely]]
      find_blocked(core);
  }
  if ((flags_ & kStarved) != 0) resume_starved();
}

/// The main program is here, and takes completions itself.
void Scheduler::begin_turn() {
  main_program_was_here_ = true;
  if (interrupts_aside_) set_interrupts_aside(false);
}

void Scheduler::serve() {
  begin_turn();
  const std::uint32_t cores = cores_in_use_;
  if (cores == 0) {
    sleep_for_completion();
  } else if ((cores & (cores - 1)) == 0) {
    serve_one(static_cast<unsigned>(std::countr_zero(cores)));
  } else {
    serve_many(cores);
  }
}

/// The last sink of a run: every other instruction gave a token that some later one took, and so has ended before.
[[gnu::cold, gnu::noinline]] void Scheduler::end(TaskRun &run) {
  const std::uint64_t executed = board::executed_instructions();
  run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
  run.report.counted_cycle = hal::device_cycles();
  run.report.end_cycle = last_taken_->time();
  std::atomic_signal_fence(std::memory_order_release);  // has_ended() sees the state only behind the report
  std::atomic_ref(run.state).store(RunState::ended, std::memory_order_relaxed);
  for (std::uint32_t cores = run.cores; cores != 0;) {
    TileCore &core = cores_[take_lowest(cores)];
    core.suspect = core.lost = false;
  }
  leave_cores(run);
  flags_ |= kAttention;
}

}  // namespace cox::firmware::schedule
