// SPDX-License-Identifier: MIT
// The scheduler's loops in assembly, because the control core executes most of its instructions here: give_tokens(), and the dispatcher's
// two completion loops. tests/target/token_loop runs them beside their twins in C++ (token_loop.h, take_one.h).
//
// All three contain the text of COX_GIVE_TOKENS. Its registers (the numbers ascend as ldm and stm move the registers):
//   r0        scratch: index of a group, room in the ring, size of a group
//   r1, r2    not used
//   r3        counter of a group; while a group is dispatched, the queue's registers
//   r4        giver: lane of the instruction that has ended (in)
//   r5        the groups that tokens name (Lane::groups); while a group is dispatched, the next slot of the ring
//   r6        wakes: address of the giver's next token (out)
//   r7        wake: the token that was read last (out)
//   r8        lane: address of the first byte after the Lane whose head group is ready (out)
//   r9        the lane's queue
//   r10       the lane's next instruction
//   r11       the lane's head group
//   r12       the tail of the ring
//   lr        not used, except as the counter of the copy's low-overhead loop
// The copy moves all eight words of an instruction at once, so it keeps eight registers on the stack. toolchain/stack-use does not see
// these 32 bytes, but the C++ functions that the loops call need more.
//
// Registers of the completion loops, beside these:
//   r0        the dispatcher (in), then scratch
//   r1        serve_one(): the entries of the completion queue (in). serve_many(): the core (out)
//   r2        serve_one(): running index of the next entry (in, out). serve_many(): bit c: core c has a completion (in, out)
//   lr        the dispatcher
//   r3 to r12 while an entry is checked: see COX_CHECK_ENTRY
#include "coxswain/firmware/schedule/token_loop.h"

#include <cstddef>

#include "coxswain/firmware/schedule/dispatcher.h"
#include "coxswain/hal/completion_sleep.h"

namespace cox::firmware::schedule {

#if defined(COX_HAL_NATIVE) || defined(COX_TRACE)

// The native board cannot run the assembly. With a trace, C++ replaces the assembly, because the assembly records nothing.
// give_tokens_in_cpp() leaves every dispatch to go_on(), which records it.
void give_tokens(Lane &giver) { give_tokens_in_cpp(giver); }

#else

namespace {

using Slots = hal::tile::SubmissionQueue::Offsets;
using Entries = CompletionQueue::Offsets;

constexpr unsigned kLaneShift = 5;
constexpr unsigned kGroupShift = 3;
constexpr unsigned kEntryShift = 4;
// Layout of a token (class Wake).
constexpr unsigned kWakeGroup = 11;
constexpr unsigned kWakeLane = 1;
constexpr unsigned kWakeLaneBits = 6;
constexpr unsigned kLastToTop = 31;
constexpr unsigned kSlotShift = 5;

static_assert(sizeof(Lane) == 1U << kLaneShift && sizeof(Group) == 1U << kGroupShift && sizeof(ClassQueue) == 1U << kLaneShift);
static_assert(sizeof(hal::Completion) == 1U << kEntryShift && sizeof(isa::tile::MachineCode) == 1U << kSlotShift);
static_assert(kCompletionSizeLog2 == 8 && kSubmissionSizeLog2 == 8);          // uxtb turns an index into a place
static_assert(isa::tile::kContextBit == 8 && isa::tile::kContextWidth == 8);  // ldrb loads the context of a slot
static_assert(sizeof(Wake) == 4);
static_assert(Wake(5, 9).group() == 5 && Wake::of(5U << kWakeGroup | 9U << kWakeLane).group() == 5);
static_assert(Wake::of(5U << kWakeGroup | 9U << kWakeLane).to() == 9 && Wake::of(63U << kWakeLane).to() == (1U << kWakeLaneBits) - 1);
static_assert(!Wake::of(~std::uint32_t{1}).last() && Wake::of(1U << (31 - kLastToTop)).last());
// The assembly moves these members together, with ldrd, strd or ldm, or expects them at an end of the struct.
static_assert(offsetof(Lane, wakes) == 0 && offsetof(Lane, groups) == 4);
static_assert(offsetof(Lane, registers) == sizeof(Lane) - 16 && offsetof(Lane, queue) == sizeof(Lane) - 12 &&
              offsetof(Lane, code) == sizeof(Lane) - 8 && offsetof(Lane, group) == sizeof(Lane) - 4);
static_assert(offsetof(Group, missing) == 0 && offsetof(Group, size) == 4 && offsetof(ClassQueue, ring) == 0 &&
              offsetof(TileCore, completions) == 0);
static_assert(Slots::kLimit == 0 && Slots::kNext == 4 && Slots::kTail == 8 && Slots::kDone == 12);
static_assert(Entries::kRegisters == 0 && Entries::kHead == 4 && Entries::kEntries == 8);
static_assert(Dispatcher::Offsets::kLanes == 0);

// One instruction loads both members of each of these.

/// How a loop clears the pending state of the completion interrupt before it sleeps.
struct Clear {
  volatile std::uint32_t *address = &cox_npu_completion_register;
  const std::byte *value = cox_npu_completion_bit;
};

/// serve_many() finds here which cores have completions.
struct Pending {
  const volatile std::uint32_t *status;
  std::uint32_t cores;  ///< the cores to look at
};

}  // namespace

// Gives the tokens of the instruction of lane r4 that has ended. Behind the text, it has given all. It jumps to `look` if a lane's ring is
// full or about to wrap, or if the lane is the end lane (Plan::groups).
#define COX_GIVE_TOKENS                                                                                                              \
  "ldrd r6, r5, [r4]\n" /* Load a token, and decrement the counter of the group that waits for it. */                                \
  "11:\n\t"                                                                                                                          \
  "ldr r7, [r6], #4\n\t"                                                                                                             \
  "lsrs r0, r7, %[wake_group]\n\t"                                                                                                   \
  "ldr r3, [r5, r0, lsl %[group_shift]]\n\t"                                                                                         \
  "subs r3, r3, #1\n\t"                                                                                                              \
  "str r3, [r5, r0, lsl %[group_shift]]\n\t"                                                                                         \
  "bne 14f\n\t"                                                                                                                      \
  "ubfx r0, r7, %[wake_lane], %[wake_lane_bits]\n\t"                                                                                 \
  "sub r8, r5, r0, lsl %[lane_shift]\n" /* The lane's head group is ready. Has its ring room for a group of any size? */             \
  "12:\n\t"                                                                                                                          \
  "ldmdb r8, {r3, r9, r10, r11}\n\t"                                                                                                 \
  "ldmia r9, {r0, r5, r12}\n\t"                                                                                                      \
  "subs r0, r0, r12\n\t"                                                                                                             \
  "bmi 16f\n" /* The ring has room: advance the tail by the size of the group, and copy the group's instructions. */                 \
  "13:\n\t"                                                                                                                          \
  "ldrh r0, [r11, #4]\n\t"                                                                                                           \
  "add r12, r12, r0\n\t"                                                                                                             \
  "push {r1, r2, r3, r4, r6, r7, r9, lr}\n\t"                                                                                        \
  "dls lr, r0\n"                                                                                                                     \
  "15:\n\t"                                                                                                                          \
  "ldmia r10!, {r0, r1, r2, r3, r4, r6, r7, r9}\n\t"                                                                                 \
  "stmia r5!, {r0, r1, r2, r3, r4, r6, r7, r9}\n\t"                                                                                  \
  "le lr, 15b\n\t"                                                                                                                   \
  "pop {r1, r2, r3, r4, r6, r7, r9, lr}\n\t" /* Ring the doorbell. The slots must be in memory before: the device may fetch them. */ \
  "dmb sy\n\t"                                                                                                                       \
  "str r12, [r3, %[tail]]\n\t"                                                                                                       \
  "strd r5, r12, [r9, #4]\n\t" /* The next group becomes the head group, which subtracts 1 from its Group::missing. */               \
  "ldr r0, [r11, #8]!\n\t"     /* At 0, this group is ready, too. */                                                                 \
  "subs r0, r0, #1\n\t"                                                                                                              \
  "str r0, [r11]\n\t"                                                                                                                \
  "strd r10, r11, [r8, #-8]\n\t"                                                                                                     \
  "beq 12b\n\t" /* Go on with the next token, unless this was the last token of the instruction that has ended. */                   \
  "lsls r0, r7, %[last_to_top]\n\t"                                                                                                  \
  "bmi 17f\n\t"                                                                                                                      \
  "ldr r5, [r4, #4]\n\t"                                                                                                             \
  "b 11b\n" /* Has the ring room for this group? */                                                                                  \
  "16:\n\t"                                                                                                                          \
  "push {r1}\n\t"                                                                                                                    \
  "ldrh r1, [r11, #4]\n\t"                                                                                                           \
  "adds r0, r0, %[most]\n\t"                                                                                                         \
  "cmp r0, r1\n\t"                                                                                                                   \
  "pop {r1}\n\t"                                                                                                                     \
  "bge 13b\n\t"                                                                                                                      \
  "b %l[look]\n"                                                                                                                     \
  "14:\n\t"                                                                                                                          \
  "lsls r0, r7, %[last_to_top]\n\t"                                                                                                  \
  "bpl 11b\n"                                                                                                                        \
  "17:\n\t"                                                                                                                          \
  "str r6, [r4]\n\t"

#define COX_TOKEN_CONSTANTS                                                                                               \
  [lane_shift] "i"(kLaneShift), [group_shift] "i"(kGroupShift), [wake_group] "i"(kWakeGroup), [wake_lane] "i"(kWakeLane), \
      [wake_lane_bits] "i"(kWakeLaneBits), [last_to_top] "i"(kLastToTop), [tail] "i"(offsetof(NPU_CORE_SQ_Type, TAIL)),   \
      [most] "i"(plan::kMaximumGroup)

// Checks the completion whose first words are in r4 (identity) and r5 (outcome), as Dispatcher::take_one() does. Frees its slot, and turns
// r4 into the lane of its instruction. Jumps to `failed` if it is not sound; nothing is changed then.
//   r0, r12   scratch; at the end r0 is the slot, which still holds the context
//   r6        the queue, if the entry is intact and its status is 0; otherwise larger than any queue
//   r7        the dispatcher plus the queue's offset
//   r10, r11  tail of the queue's ring, and tag of the last slot that was freed
// The two sbc subtract 1 more, because the comparison with kMostLanes has cleared the carry flag. They compute distances to the tail, of
// which the low halves count (hal::tile::SubmissionQueue::reclaim()).
#define COX_CHECK_ENTRY                    \
  "eor r0, r4, r5\n\t"                     \
  "eor r0, r0, r0, ror #16\n\t"            \
  "uxth r6, r5\n\t"                        \
  "orn r6, r6, r0\n\t"                     \
  "cmp r6, %[most_lanes]\n\t"              \
  "bhs %l[failed]\n\t"                     \
  "add r7, lr, r6, lsl %[lane_shift]\n\t"  \
  "ldrd r10, r11, [r7, %[queue_tail]]\n\t" \
  "sbc r12, r10, r4\n\t"                   \
  "sbc r0, r10, r11\n\t"                   \
  "lsl r0, r0, #16\n\t"                    \
  "cmp r0, r12, lsl #16\n\t"               \
  "bls %l[failed]\n\t"                     \
  "str r4, [r7, %[queue_done]]\n\t"        \
  "ldr r0, [r7, %[queue_slots]]\n\t"       \
  "uxtb r12, r4\n\t"                       \
  "add r0, r0, r12, lsl %[slot_shift]\n\t" \
  "ldrb r5, [r0, #1]\n\t"                  \
  "ldr r5, [lr, r5, lsl #2]\n\t"           \
  "sub r4, r5, r6, lsl %[lane_shift]\n\t"

#define COX_ENTRY_CONSTANTS                                                                                                           \
  [most_lanes] "i"(isa::tile::kMostLanes), [queue_tail] "i"(Dispatcher::Offsets::kQueues + Slots::kTail),                             \
      [queue_done] "i"(Dispatcher::Offsets::kQueues + Slots::kDone), [queue_slots] "i"(Dispatcher::Offsets::kQueues + Slots::kSlots), \
      [slot_shift] "i"(kSlotShift), [entry_shift] "i"(kEntryShift), [head] "i"(offsetof(NPU_CQ_Type, HEAD))

// r5 becomes the outcome of the entry with index r2, and r4 its identity. The minus flag is set if the entry is written. The two words may
// come from two writes: a check finds this, because the half-words of an entry without a fault and of the entry a lap before differ in the
// phase.
#define COX_LOOK_AT_ENTRY                  \
  "uxtb r0, r2\n\t"                        \
  "add r9, r1, r0, lsl %[entry_shift]\n\t" \
  "ldrd r4, r5, [r9]\n\t"                  \
  "eors r0, r5, r2, lsl %[phase]\n\t"

#define COX_CLOBBERED "r9", "r10", "r11", "r12", "lr", "cc", "memory"

void give_tokens(Lane &giver) {
  register Lane *from __asm("r4") = &giver;
  register const Wake *wakes __asm("r6");
  register std::uint32_t wake __asm("r7");
  register std::uintptr_t lane __asm("r8");
  for (;;) {
    __asm goto(COX_GIVE_TOKENS
               : "=&r"(wake), "=&r"(wakes), "=&r"(lane), "+&r"(from)
               : COX_TOKEN_CONSTANTS
               : "r0", "r1", "r2", "r3", "r5", COX_CLOBBERED
               : look);
    return;

  look:
    Lane *const own = from;
    own->wakes = wakes;
    const bool last = Wake::of(wake).last();
    go_on(*reinterpret_cast<Lane *>(lane - sizeof(Lane)));  // NOLINT(performance-no-int-to-ptr)
    if (last) return;
    from = own;
  }
}

/// Ends what a completion loop has begun: `ready` is the lane for which it has jumped to `look`, and `wake` is the token that has made it
/// ready. The giver's next token is at `wakes`.
[[gnu::cold, gnu::noinline]] void Dispatcher::end_rare_case(Lane &giver, const Wake *wakes, Wake wake, Lane &ready) {
  giver.wakes = wakes;
  go_on(ready);
  if (!wake.last()) give_tokens(giver);
}

void Dispatcher::serve_one(TileCore &core) {
  CompletionQueue &queue = core.completions;
  NPU_CQ_Type *const registers = queue.registers();
  const Clear clear;
  for (;;) {
    register Dispatcher *self __asm("r0") = this;
    register const hal::Completion *entries __asm("r1") = queue.entries();
    register std::uint32_t index __asm("r2") = queue.popped();
    register Lane *from __asm("r4");
    register const Wake *wakes __asm("r6");
    register std::uint32_t wake __asm("r7");
    register std::uintptr_t lane __asm("r8");
    __asm goto(
        "mov lr, r0\n\t"
        "b 2f\n"
        "1:\n\t" COX_CHECK_ENTRY COX_GIVE_TOKENS
        "adds r2, r2, #1\n"
        "2:\n\t" COX_LOOK_AT_ENTRY
        "bmi 1b\n\t"
        // All entries are taken. Each was compared before this store, so the device does not overwrite it too early.
        "ldr r3, %[registers]\n\t"
        "str r2, [r3, %[head]]\n\t"
        "ldrd r3, r4, %[clear]\n\t"
        "str r4, [r3]\n\t"
        "dsb sy\n\t"
        "wfi\n\t" COX_LOOK_AT_ENTRY "bmi 1b"
        : "=&r"(wake), "=&r"(wakes), "=&r"(lane), "=&r"(from), "+&r"(index), "+&r"(self)
        : "r"(entries), [registers] "m"(registers), [clear] "m"(clear), [phase] "i"(hal::Completion::kPhaseBit - kCompletionSizeLog2),
          COX_ENTRY_CONSTANTS, COX_TOKEN_CONSTANTS
        : "r3", "r5", COX_CLOBBERED
        : look, failed);
    queue.set_popped(index);
    return;

  look:
    queue.set_popped(index);
    last_taken_ = &queue.entry(queue.popped());
    end_rare_case(*from, wakes, Wake::of(wake), *reinterpret_cast<Lane *>(lane - sizeof(Lane)));  // NOLINT(performance-no-int-to-ptr)
    queue.pop();
    if (flags_ == 0) continue;
    queue.acknowledge();
    return;

  failed:
    queue.set_popped(index);
    take_pending(1U << core.number);
    if (flags_ != 0) return;
  }
}

void Dispatcher::serve_many(std::uint32_t cores) {
  const Pending source{completion_status, cores};
  const Clear clear;
  for (std::uint32_t left = *completion_status & cores;;) {
    register Dispatcher *self __asm("r0") = this;
    register TileCore *core __asm("r1");
    register std::uint32_t pending __asm("r2") = left;
    register Lane *from __asm("r4");
    register const Wake *wakes __asm("r6");
    register std::uint32_t wake __asm("r7");
    register std::uintptr_t lane __asm("r8");
    __asm goto(
        "mov lr, r0\n\t"
        "cmp r2, #0\n\t"
        "beq 2f\n"
        // Take the next entry of the core with the lowest bit. Its phase needs no look: the status says that it is written, the address
        // depends on the status, and the check finds another entry.
        "1:\n\t"
        "add r1, lr, r2, lsl #2\n\t"
        "ldr r1, [r1, %[by_pending]]\n\t"
        "ldm r1, {r3, r8, r9}\n\t"
        "uxtb r0, r8\n\t"
        "add r9, r9, r0, lsl %[entry_shift]\n\t"
        "ldrd r4, r5, [r9]\n\t" COX_CHECK_ENTRY
        // Give the entry back. It was compared before, so the device does not overwrite it too early.
        "adds r8, r8, #1\n\t"
        "str r8, [r1, #4]\n\t"
        "str r8, [r3, %[head]]\n\t" COX_GIVE_TOKENS
        "subs r3, r2, #1\n\t"
        "ands r2, r2, r3\n\t"
        "bne 1b\n"
        "2:\n\t"
        "ldrd r3, r4, %[clear]\n\t"
        "str r4, [r3]\n\t"
        "dsb sy\n\t"
        "wfi\n\t"
        "ldrd r3, r4, %[source]\n\t"
        "ldr r2, [r3]\n\t"
        "ands r2, r2, r4\n\t"
        "bne 1b"
        : "=&r"(wake), "=&r"(wakes), "=&r"(lane), "=&r"(from), "=&r"(core), "+&r"(pending), "+&r"(self)
        : [clear] "m"(clear), [source] "m"(source), [by_pending] "i"(Dispatcher::Offsets::kByPending), COX_ENTRY_CONSTANTS,
          COX_TOKEN_CONSTANTS
        : "r3", "r5", COX_CLOBBERED
        : look, failed);
    return;

  look:
    left = pending;
    // The entry keeps its time until the device has written a whole lap of the ring.
    last_taken_ = &core->completions.entry(core->completions.popped() - 1);
    end_rare_case(*from, wakes, Wake::of(wake), *reinterpret_cast<Lane *>(lane - sizeof(Lane)));  // NOLINT(performance-no-int-to-ptr)
    goto taken;

  failed:
    left = pending;
    take_pending(1U << core->number);

  taken:
    left &= left - 1;
    if (flags_ != 0) return;
  }
}

#endif

}  // namespace cox::firmware::schedule
