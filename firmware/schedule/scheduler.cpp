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
  lane.queue->starved = static_cast<std::uint16_t>(lane.queue->starved | lane.context_bit);
  active_->flags_ |= kStarved;
}

/// The head group has all its tokens: its first instruction goes to its queue, and the doorbell rings at once. False where the ring has no
/// room; then the lane goes on when a completion has brought some.
inline bool Scheduler::dispatch(Lane &lane) {
  hal::SubmissionQueue &ring = lane.queue->ring;
  if (!has_room(ring)) {
    starve(lane);
    return false;
  }
  ring.push_and_ring(lane.code);
  return true;
}

/// After dispatch(): the rest of the group. The next one is the head now, and goes at once if its tokens were there already: it stands
/// ready behind the one that runs.
[[gnu::noinline]] void Scheduler::follow(Lane &lane) {
  const MachineCode *const code = lane.code;
  const std::uint32_t size = lane.group->size;
  Group *const next = lane.group + 1;
  lane.code = code + size;
  lane.group = next;
  if (size > 1) {
    hal::SubmissionQueue &ring = lane.queue->ring;
    ring.push_prepared(code + 1, size - 1);
    ring.ring_doorbell();
  }
  if (--next->missing == 0) go_on(lane);
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
    ring.push_prepared(lane.code, size);
    lane.code += size;
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

/// The tokens of the next instruction of `from` that ends and gives some. Whoever waited for just one of them is dispatched. `behind`: the
/// lane that follow() is still due for, or nullptr; returns the one that it is due for now.
[[gnu::noinline]] Lane *Scheduler::give_tokens(TaskRun &run, unsigned from, Lane *behind) {
  const Wake *wakes = run.lanes[from].wakes;
  Group *const groups = run.groups;
  Wake wake;
  do {
    wake = *wakes++;
    if (--groups[wake.group()].missing == 0) {
      Lane &lane = run.lanes[wake.to()];
      if (dispatch(lane)) {
        if (behind != nullptr) follow(*behind);
        behind = &lane;
      }
    }
  } while (!wake.last());
  run.lanes[from].wakes = wakes;
  return behind;
}

/// Takes completions until there are none. With `kSleep`, sleeps then and goes on, until a wake-up brings none or somebody is to look.
template <bool kSleep>
inline void Scheduler::take_completions() {
  hal::CompletionQueue::Cursor completions = completions_.cursor();  // a copy stays in registers
  Lane *behind = nullptr;                                            // its head was dispatched, and follow() is due
  bool progress = true;                                              // since the last sleep
  for (;;) {
    const hal::Completion *entry = completions.peek();
    if (entry == nullptr) {
      // Nothing that waited for tokens is left: now what follows. What comes meanwhile ends the sleep at once.
      if (behind != nullptr) follow(*behind);
      behind = nullptr;
      completions_.acknowledge(completions);
      if (flags_ != 0) {
        if ((flags_ & kStarved) != 0) resume_starved();
        if ((flags_ & kAttention) != 0) break;
      }
      if (!kSleep || !progress) break;
      progress = false;
      board::wait_for_completion();
      continue;
    }
    completions.pop();
    progress = true;
    // Queue and status in one comparison: any status but 0 makes it too large.
    const std::uint32_t from = entry->outcome & 0xFFFF;
    const std::uint32_t tag = entry->tag;
    if (from >= kClasses || !queues_[from].ring.reclaim(tag)) {
      if (behind != nullptr) follow(*behind);
      behind = nullptr;
      take_failed_completion(*entry);
      continue;
    }
    ClassQueue &queue = queues_[from];
    // Next_Insts and the context stand in the slot still: no other record of what is in flight is kept.
    const MachineCode &slot = queue.ring.slot(tag);
    TaskRun &run = runs_[context_in(slot)];
    const bool gives = gives_tokens(slot);
    if (gives) {
      behind = give_tokens(run, from, behind);
    } else if (--run.sinks_left == 0) {
      end(run, *entry);
    }
  }
  completions_.set_cursor(completions);
}

void Scheduler::service() { take_completions<false>(); }

void Scheduler::serve() { take_completions<true>(); }

/// The last sink of a run: every other instruction gave a token that some later one took, and so has ended before.
void Scheduler::end(TaskRun &run, const hal::Completion &last) {
  const std::uint64_t executed = board::executed_instructions();
  run.report.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - run.control_start;
  run.report.end_cycle = std::uint64_t{last.time_high} << 32 | last.time_low;
  run.state = RunState::ended;
  flags_ |= kAttention;
}

}  // namespace cox::firmware::schedule
