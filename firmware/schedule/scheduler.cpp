// SPDX-License-Identifier: MIT
// The inner loop: from a completion to the doorbells of what it frees. Counted in executed instructions (docs/scheduler.md, Cost), and
// run in the completion interrupt: integers only.
#include "firmware/schedule/scheduler.h"

#include <bit>
#include <cstddef>

#include "base/bits.h"
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

/// The head group of `lane` has all its tokens: it goes to its queue, and so do those behind it up to one that waits for tokens. They stand
/// ready behind the one that runs.
[[gnu::cold, gnu::noinline]] void Scheduler::go_on(Lane &lane) {
  if (lane.queue == &active_->end_) {
    active_->end(active_->runs_[static_cast<unsigned>(std::countr_zero(lane.run_bit))]);
    return;
  }
  hal::SubmissionQueue &ring = lane.queue->ring;
  const std::uint32_t before = ring.tail();
  do {
    if (!has_room(ring)) {
      starve(lane);  // goes on when a completion has brought some
      break;
    }
    lane.code = ring.push_prepared(lane.code, lane.group->size);
    ++lane.group;
  } while (--lane.group->missing == 0);
  ring.set_limit(2 * plan::kMaximumGroup, plan::kMaximumGroup);
  // However fast completions come, now and then somebody looks at the clock.
  if ((ring.tail() ^ before) >> kSubmissionSizeLog2 != 0) active_->flags_ |= kClock;
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
      const TaskRun &run = runs_[take_lowest(runs)];
      go_on(run.lane(number - run.first_lane));
    }
  }
}

#if defined(COX_HAL_NATIVE) || defined(COX_TRACE)

/// An instruction has ended: its tokens. What waited for just one of them is dispatched.
[[gnu::noinline]] void Scheduler::give_tokens(const Tokens &tokens, std::uint32_t from) {
  Group *const groups = tokens.groups;
  Lane &giver = tokens.lane_of_queue(from);
  const Wake *wakes = giver.wakes;
  Wake wake;
  do {
    wake = *wakes++;
    if (--groups[wake.group()].missing == 0) go_on(lane_before(groups, wake.to()));
  } while (!wake.last());
  giver.wakes = wakes;
}

#else

/// The same by hand, with the ordinary case of go_on() in place: half of all that the control core executes is here, and GCC spills what a
/// copy of instructions leaves it.
[[gnu::noinline]] void Scheduler::give_tokens(const Tokens &tokens, std::uint32_t from) {
  using Offsets = hal::SubmissionQueue::Offsets;
  // Lane i is i + 1 lanes before the groups.
  static_assert(sizeof(Lane) == 32 && offsetof(Lane, queue) == 0 && offsetof(Lane, group) == offsetof(Lane, code) + 4);
  static_assert(sizeof(Group) == 8 && offsetof(Group, missing) == 0 && offsetof(ClassQueue, ring) == 0);
  static_assert(Offsets::kTail == Offsets::kRegisters + 4 && Offsets::kSlots == Offsets::kLimit + 4 && kSubmissionSizeLog2 == 8);
  static_assert(sizeof(MachineCode) == 32);
  Group *const groups = tokens.groups;
  Lane &giver = tokens.lane_of_queue(from);
  const Wake *wakes = nullptr;
  std::uintptr_t lane = 0;  // behind it
  std::uint32_t wake = 0;
  ClassQueue *queue = nullptr;
  const MachineCode *code = nullptr;
  Group *group = nullptr;
  MachineCode *slot = nullptr;
  for (;;) {
    __asm goto(
        "ldr %[wakes], [%[giver], %[lane_wakes]]\n"
        "1:\n\t"  // a token
        "ldr %[wake], [%[wakes]], #4\n\t"
        "lsrs r0, %[wake], #11\n\t"
        "ldr r1, [%[groups], r0, lsl #3]\n\t"
        "subs r1, r1, #1\n\t"
        "str r1, [%[groups], r0, lsl #3]\n\t"
        "bne 4f\n\t"
        "ubfx r0, %[wake], #1, #6\n\t"
        "sub %[lane], %[groups], r0, lsl #5\n"
        "2:\n\t"  // the lane's head group is ready
        "ldr %[queue], [%[lane], %[lane_queue]]\n\t"
        "ldrd %[code], %[group], [%[lane], %[lane_code]]\n\t"
        "ldr r2, [%[queue], %[queue_tail]]\n\t"
        "ldrd r1, %[slot], [%[queue], %[queue_limit]]\n\t"
        "subs r1, r1, r2\n\t"
        "bmi %l[look]\n\t"
        "ldrh r0, [%[group], %[group_size]]\n\t"
        "uxtb r1, r2\n\t"
        "add %[slot], %[slot], r1, lsl #5\n\t"
        "add r2, r2, r0\n\t"
        "str r2, [%[queue], %[queue_tail]]\n\t"
        "dls lr, r0\n"
        "3:\n\t"
        "ldmia %[code]!, {r0, r1, r2, r3}\n\t"
        "stmia %[slot]!, {r0, r1, r2, r3}\n\t"
        "ldmia %[code]!, {r0, r1, r2, r3}\n\t"
        "stmia %[slot]!, {r0, r1, r2, r3}\n\t"
        "le lr, 3b\n\t"
        "dmb sy\n\t"  // the slots are in memory before the doorbell
        "ldrd r2, r3, [%[queue], %[queue_registers]]\n\t"
        "str r3, [r2, %[tail]]\n\t"
        "ldr r0, [%[group], #8]!\n\t"
        "subs r0, r0, #1\n\t"
        "str r0, [%[group]]\n\t"
        "strd %[code], %[group], [%[lane], %[lane_code]]\n\t"
        "beq 2b\n"
        "4:\n\t"
        "lsls r0, %[wake], #31\n\t"
        "bpl 1b\n\t"
        "str %[wakes], [%[giver], %[lane_wakes]]"
        : [wake] "=&r"(wake), [wakes] "=&r"(wakes), [lane] "=&r"(lane), [queue] "=&r"(queue), [code] "=&r"(code), [group] "=&r"(group),
          [slot] "=&r"(slot)
        : [groups] "r"(groups), [giver] "r"(&giver), [lane_wakes] "i"(offsetof(Lane, wakes)),
          [lane_queue] "i"(-static_cast<int>(sizeof(Lane))),
          [lane_code] "i"(static_cast<int>(offsetof(Lane, code)) - static_cast<int>(sizeof(Lane))), [group_size] "i"(offsetof(Group, size)),
          [queue_registers] "i"(Offsets::kRegisters), [queue_tail] "i"(Offsets::kTail), [queue_limit] "i"(Offsets::kLimit),
          [tail] "i"(offsetof(NPU_CORE_SQ_Type, TAIL))
        : "r0", "r1", "r2", "r3", "lr", "cc", "memory"
        : look);
    return;
  look:  // at a ring that is full or comes round, or at the end of the run
    giver.wakes = wakes;
    go_on(*reinterpret_cast<Lane *>(lane - sizeof(Lane)));  // NOLINT(performance-no-int-to-ptr)
    if (Wake::of(wake).last()) return;
  }
}

#endif

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
  run.state = RunState::ended;
  for (std::uint32_t cores = run.cores; cores != 0;) {
    TileCore &core = cores_[take_lowest(cores)];
    core.suspect = core.lost = false;
  }
  leave_cores(run);
  flags_ |= kAttention;
}

}  // namespace cox::firmware::schedule
