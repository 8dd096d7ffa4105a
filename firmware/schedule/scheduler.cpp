// SPDX-License-Identifier: MIT
// The inner loop: from a completion to the doorbells of what it frees. Counted in executed instructions (docs/scheduler.md, Cost), and
// run in the completion interrupt: integers only.
#include "firmware/schedule/scheduler.h"

#include <bit>

#include "hal/board.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;
using isa::tile::MachineCode;

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

}  // namespace

[[gnu::cold, gnu::noinline]] void Scheduler::starve(Lane &lane) {
  lane.queue->starved = static_cast<std::uint16_t>(lane.queue->starved | lane.run_bit);
  active_->flags_ |= kStarved;
}

/// The head group of `lane` has all its tokens: its first instruction goes to its queue, and the doorbell rings at once. True where
/// follow() is due.
inline bool Scheduler::dispatch(Lane &lane) {
  hal::SubmissionQueue &ring = lane.queue->ring;
  if (!has_room(ring)) [[unlikely]] {
    starve(lane);  // goes on when a completion has brought some
    return false;
  }
  lane.code = ring.push_and_ring(lane.code);
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
}

/// Completions may have made room since.
[[gnu::cold, gnu::noinline]] void Scheduler::resume_starved() {
  flags_ &= static_cast<std::uint8_t>(~kStarved);
  for (unsigned own = 0; own < kClasses; ++own) {
    std::uint32_t contexts = queues_[own].starved;
    queues_[own].starved = 0;
    while (contexts != 0) {
      const auto context = static_cast<unsigned>(std::countr_zero(contexts));
      contexts &= contexts - 1;
      go_on(runs_[context].lanes[own]);
    }
  }
}

/// An instruction has ended: its tokens. Whoever waited for just one of them is dispatched, and what follows in its class goes when none of
/// them is left.
[[gnu::noinline]] void Scheduler::give_tokens(std::uint32_t context, std::uint32_t from) {
  TaskRun &run = runs_[context];
  Lane &giver = run.lanes[from];
  Group *const groups = run.groups;
  const Wake *wakes = giver.wakes;
  Lane *behind = nullptr;
  Wake wake;
  do {
    wake = *wakes++;
    if (--groups[wake.group()].missing != 0) continue;
    Lane &lane = run.lanes[wake.to()];
    if (!dispatch(lane)) continue;
    if (behind != nullptr) follow(*behind);
    behind = &lane;
  } while (!wake.last());
  giver.wakes = wakes;
  if (behind != nullptr) follow(*behind);
}

/// Takes completions until there are none. With `kSleep`, sleeps then and goes on, until a wake-up brings none or somebody is to look.
template <bool kSleep>
inline void Scheduler::take_completions() {
  hal::CompletionQueue::Cursor completions = completions_.cursor();  // a copy stays in registers
  for (;;) {
    while (const hal::Completion *const entry = completions.peek()) {
      // Queue and status in one comparison: any status but 0 makes it too large.
      const std::uint32_t from = entry->outcome & 0xFFFF;
      const std::uint16_t tag = entry->tag();
      if (entry->is_intact() && from < kClasses && queues_[from].ring.reclaim(tag)) [[likely]] {
        // Next_Insts and the context stand in the slot still: no other record of what is in flight is kept.
        const MachineCode &slot = queues_[from].ring.slot(tag);
        const std::uint32_t context = context_in(slot);
        if (gives_tokens(slot)) [[likely]] {
          give_tokens(context, from);
        } else if (--runs_[context].sinks_left == 0) {
          end(runs_[context], *entry);
        }
      } else {
        take_failed_completion(*entry);
      }
      // However fast they come, now and then somebody looks at the clock.
      if (completions.pop()) [[unlikely]]
        flags_ |= kClock;
    }
    completions_.acknowledge(completions);  // what comes from here on ends the sleep at once
    if (flags_ != 0) [[unlikely]] {
      if ((flags_ & kStarved) != 0) resume_starved();
      if ((flags_ & (kAttention | kClock)) != 0) break;
    }
    if (!kSleep) break;
    board::wait_for_completion();
    if (completions.is_empty()) break;
  }
  completions_.set_cursor(completions);
}

void Scheduler::service() { take_completions<false>(); }

void Scheduler::serve() { take_completions<true>(); }

/// The last sink of a run: every other instruction gave a token that some later one took, and so has ended before.
[[gnu::cold, gnu::noinline]] void Scheduler::end(TaskRun &run, const hal::Completion &last) {
  const std::uint64_t executed = board::executed_instructions();
  run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
  run.report.end_cycle = std::uint64_t{last.time_high} << 32 | last.time_low;
  run.state = RunState::ended;
  flags_ |= kAttention;
}

}  // namespace cox::firmware::schedule
