// SPDX-License-Identifier: MIT
// The inner loop: from a completion to the doorbells of what it frees. Counted in executed instructions (docs/scheduler.md, Cost), and
// run in the completion interrupt: integers only.
#include "firmware/schedule/scheduler.h"

#include <bit>

#include "firmware/trace/trace.h"
#include "firmware/verify/lanes.h"
#include "hal/board.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;
using isa::tile::MachineCode;
using trace::Kind;

namespace {

// A header word each, where isa/tile/header.h has to look at two: bits beside these fields are zero or belong to them (isa/tile/check.h).
std::uint32_t context_in(const MachineCode &slot) {
  static_assert(isa::tile::kContextBit == 8 && isa::tile::kContextWidth == 8);
  return slot[0] >> 8 & 0xFF;
}
bool gives_tokens(const MachineCode &slot) {
  static_assert(isa::tile::kNextBit == 41 && isa::tile::kHeaderBits == 64);
  return slot[1] >> 9 != 0;
}

/// Room for a group, and for the first instruction of another that may come between its first and its rest.
bool has_room(const hal::SubmissionQueue &ring) { return ring.in_flight() <= (1U << kSubmissionSizeLog2) - 2 * kMaximumGroup; }

/// Keeps the compiler from taking an index for an offset that it adds twice.
template <typename T>
[[gnu::always_inline]] inline T *hidden(T *pointer) {
#if !defined(COX_HAL_NATIVE)
  __asm("" : "+r"(pointer));
#endif
  return pointer;
}

}  // namespace

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

/// The head group of `lane` has all its tokens: its first instruction goes to its queue, and the doorbell rings at once. True where
/// follow() is due.
inline bool Scheduler::dispatch(Lane &lane) {
  hal::SubmissionQueue &ring = lane.queue->ring;
  if (!has_room(ring)) [[unlikely]] {
    starve(lane);  // goes on when a completion has brought some
    return false;
  }
  lane.code = ring.push_and_ring(lane.code);
  trace_dispatch(lane, active_->queues_.data());
  // Mostly that is all: no configurations, and the next group waits for tokens.
  Group *const group = lane.group++;
  return --group[1].missing == 0 || group->size != 1;
}

/// After dispatch(): the rest of the group. The next one goes at once if its tokens were there already: it stands ready behind the one
/// that runs.
[[gnu::noinline]] void Scheduler::follow(Lane &lane) {
  const std::uint32_t left = lane.group[-1].size - 1;
  if (left != 0) {
    hal::SubmissionQueue &ring = lane.queue->ring;
    lane.code = ring.push_prepared(lane.code, left);
    ring.ring_doorbell();
    trace_dispatch(lane, active_->queues_.data());
  }
  if (lane.group->missing == 0) go_on(lane);
}

/// The head group is ready: it goes, and so do those behind it up to one that waits for tokens.
[[gnu::noinline]] void Scheduler::go_on(Lane &lane) {
  hal::SubmissionQueue &ring = lane.queue->ring;
  do {
    if (!has_room(ring)) {
      starve(lane);
      break;
    }
    const std::uint32_t size = lane.group->size;
    lane.code = ring.push_prepared(lane.code, size);
    ++lane.group;
  } while (--lane.group->missing == 0);
  ring.ring_doorbell();
  trace_dispatch(lane, active_->queues_.data());
}

/// Completions may have made room since.
[[gnu::cold, gnu::noinline]] void Scheduler::resume_starved() {
  flags_ &= static_cast<std::uint8_t>(~kStarved);
  for (std::uint32_t number = 0; number < geometry_.tile_cores * kClasses; ++number) {
    std::uint32_t runs = queues_[number].starved;
    queues_[number].starved = 0;
    while (runs != 0) {
      const TaskRun &run = runs_[verify::take_lowest(runs)];
      go_on(run.lanes[number - run.first_lane]);
    }
  }
}

/// An instruction has ended: its tokens. Whoever waited for just one of them is dispatched, and what follows in its lane goes when none of
/// them is left.
[[gnu::noinline]] void Scheduler::give_tokens(const TaskRun &run, std::uint32_t from) {
  Lane *const lanes = run.lanes;
  Lane &giver = run.lane_of_queue(from);
  Group *const groups = run.groups;
  const Wake *wakes = giver.wakes;
  Lane *behind = nullptr;
  Wake wake;
  do {
    wake = *wakes++;
    if (--groups[wake.group()].missing != 0) continue;
    Lane &lane = *hidden(&lanes[wake.to()]);
    if (!dispatch(lane)) continue;
    if (behind != nullptr) follow(*behind);
    behind = &lane;
  } while (!wake.last());
  giver.wakes = wakes;
  if (behind != nullptr) follow(*behind);
}

/// An instruction with an empty Next_Insts: a sink, or an SI or SO whose tokens all go to other cores.
[[gnu::noinline]] void Scheduler::end_silent(TaskRun &run, const hal::Completion &entry, const MachineCode &slot) {
  if (verify::given_ports(slot) != 0) {
    give_tokens(run, entry.queue());
  } else if (--run.sinks_left == 0) {
    end(run, entry);
  }
}

[[gnu::always_inline]] inline void Scheduler::take_one(const hal::Completion &entry, TileCore &core) {
  // Queue and status in one comparison: any status but 0 makes it too large. What is intact names a queue of its core.
  const std::uint32_t from = entry.outcome & 0xFFFF;
  const std::uint32_t tag = entry.identity;  // its low half
  if (entry.is_intact() && from < isa::tile::kMostLanes && queues_[from].ring.reclaim(tag)) [[likely]] {
    // Next_Insts and the context stand in the slot still: no other record of what is in flight is kept.
    const MachineCode &slot = queues_[from].ring.slot<kSubmissionSizeLog2>(tag);
    TaskRun &run = *by_context_[context_in(slot)];
    trace::record<Kind::completion>(context_in(slot), from, entry.tag());
    if (gives_tokens(slot)) [[likely]] {
      give_tokens(run, from);
    } else {
      end_silent(run, entry, slot);
    }
  } else {
    take_failed_completion(entry, core);
  }
}

/// Before sleep. False: somebody is to look first.
[[gnu::always_inline]] inline bool Scheduler::heed_flags() {
  if (flags_ == 0) [[likely]]
    return true;
  if ((flags_ & kStarved) != 0) resume_starved();
  return (flags_ & (kAttention | kClock)) == 0;
}

[[gnu::always_inline]] inline void Scheduler::sleep_for_completion() {
  trace::record<Kind::sleep>(0, 0, 0);
  board::wait_for_completion();
  trace::record<Kind::wake_up>(0, 0, 0);
}

/// Where one core has tasks. Takes completions until there are none, sleeps then and goes on, until a wake-up brings none or somebody is to
/// look.
void Scheduler::serve_one(unsigned core) {
  TileCore &own = *hidden(&cores_[core]);
  hal::CompletionQueue &queue = own.completions;
  hal::CompletionQueue::Cursor completions = queue.cursor();  // a copy stays in registers
  bool any = !completions.is_empty();
  for (;; any = true) {
    if (any) {
      do {
        take_one(completions.front(), own);
        // However fast they come, now and then somebody looks at the clock.
        if (completions.pop<kCompletionSizeLog2>()) [[unlikely]]
          flags_ |= kClock;
      } while (!completions.is_empty());
    }
    queue.acknowledge(completions);  // what comes from here on ends the sleep at once
    if (!heed_flags()) [[unlikely]]
      break;
    sleep_for_completion();
    if (completions.is_empty()) break;
  }
  queue.set_cursor(completions);
  // An interrupt that brought nothing may be of an entry that cannot be seen.
  if (completions.is_empty()) find_blocked(core);
}

/// All completions of a core. False: there were none.
[[gnu::noinline]] bool Scheduler::take_from(unsigned core) {
  TileCore &own = *hidden(&cores_[core]);
  hal::CompletionQueue &queue = own.completions;
  hal::CompletionQueue::Cursor completions = queue.cursor();
  if (completions.is_empty()) return false;
  do {
    take_one(completions.front(), own);
    if (completions.pop<kCompletionSizeLog2>()) [[unlikely]]
      flags_ |= kClock;
  } while (!completions.is_empty());
  queue.acknowledge(completions);
  queue.set_cursor(completions);
  return true;
}

/// Where several cores have tasks: the same, by the cores that the interrupt status names.
void Scheduler::serve_many() {
  std::uint32_t pending = hal::interrupt_status().completion_cores & cores_in_use_;
  for (;;) {
    take_pending(pending);
    if (!heed_flags()) [[unlikely]]
      break;
    sleep_for_completion();
    pending = hal::interrupt_status().completion_cores & cores_in_use_;
    if (pending == 0) break;
  }
}

[[gnu::always_inline]] inline void Scheduler::take_pending(std::uint32_t pending) {
  while (pending != 0) {
    const unsigned core = verify::take_lowest(pending);
    if (!take_from(core)) [[unlikely]]
      find_blocked(core);
  }
}

/// With interrupts masked: the main program is not in here.
void Scheduler::service() {
  trace::record<Kind::interrupt>(0, 0, 0);
  take_pending(hal::interrupt_status().completion_cores & ((1U << geometry_.tile_cores) - 1));
  static_cast<void>(heed_flags());
}

void Scheduler::serve() {
  const std::uint32_t cores = cores_in_use_;
  if (cores == 0) {
    sleep_for_completion();
  } else if ((cores & (cores - 1)) == 0) {
    serve_one(static_cast<unsigned>(std::countr_zero(cores)));
  } else {
    serve_many();
  }
}

/// The last sink of a run: every other instruction gave a token that some later one took, and so has ended before.
[[gnu::cold, gnu::noinline]] void Scheduler::end(TaskRun &run, const hal::Completion &last) {
  const std::uint64_t executed = board::executed_instructions();
  run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
  run.report.end_cycle = std::uint64_t{last.time_high} << 32 | last.time_low;
  run.state = RunState::ended;
  for (std::uint32_t cores = run.cores; cores != 0;) cores_[verify::take_lowest(cores)].suspect = false;
  leave_cores(run);
  flags_ |= kAttention;
}

}  // namespace cox::firmware::schedule
