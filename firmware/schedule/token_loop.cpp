// SPDX-License-Identifier: MIT
// give_tokens() in assembly, because the control core executes half of its instructions here. The twin in C++ is give_tokens_in_cpp().
//
// Registers. The numbers ascend as ldm and stm move the registers:
//   r0 to r2  scratch: index of a group, counters, the limit of the ring
//   r3        the queue's registers
//   r4        giver: lane of the instruction that has ended (in). A call of go_on() keeps this register
//   r5        the groups that tokens name (Lane::groups); while a group is dispatched, the next slot of the ring
//   r6        wakes: address of the giver's next token (out)
//   r7        wake: the token that was read last (out)
//   r8        lane: address of the first byte after the Lane whose head group is ready (out)
//   r9        the lane's queue
//   r10       the lane's next instruction
//   r11       the lane's head group
//   r12       the tail of the ring
//   lr        counter of the copy's low-overhead loop
// The copy moves all eight words of an instruction at once, so it keeps r3, r4, r6, r7 and r9 on the stack. toolchain/stack-use does not
// see these 20 bytes, but go_on() needs more.
#include "firmware/schedule/token_loop.h"

#include <cstddef>

namespace cox::firmware::schedule {

#if defined(COX_HAL_NATIVE) || defined(COX_TRACE)

// The native board cannot run the assembly. With a trace, the twin in C++ replaces the assembly, because the assembly dispatches groups
// without recording them. The twin leaves every dispatch to go_on(), which records it.
void give_tokens(Lane &giver) { give_tokens_in_cpp(giver); }

#else

namespace {

using Offsets = hal::tile::SubmissionQueue::Offsets;

// Offset of Lane::code, counted from the end of the struct. The register `lane` points to this end.
constexpr int kLaneCode = static_cast<int>(offsetof(Lane, code)) - static_cast<int>(sizeof(Lane));
constexpr unsigned kLaneShift = 5;
constexpr unsigned kGroupShift = 3;
// Layout of a token (class Wake).
constexpr unsigned kWakeGroup = 11;
constexpr unsigned kWakeLane = 1;
constexpr unsigned kWakeLaneBits = 6;
constexpr unsigned kLastToTop = 31;

static_assert(sizeof(Lane) == 1U << kLaneShift && sizeof(Group) == 1U << kGroupShift);
static_assert(sizeof(isa::tile::MachineCode) == 32 && sizeof(Wake) == 4);
static_assert(Wake(5, 9).group() == 5 && Wake::of(5U << kWakeGroup | 9U << kWakeLane).group() == 5);
static_assert(Wake::of(5U << kWakeGroup | 9U << kWakeLane).to() == 9 && Wake::of(63U << kWakeLane).to() == (1U << kWakeLaneBits) - 1);
static_assert(!Wake::of(~std::uint32_t{1}).last() && Wake::of(1U << (31 - kLastToTop)).last());
// The assembly moves these members together, with ldrd, strd or ldm, or expects them at an end of the struct.
static_assert(offsetof(Lane, groups) == offsetof(Lane, wakes) + 4);
static_assert(offsetof(Lane, registers) == sizeof(Lane) - 16 && offsetof(Lane, queue) == sizeof(Lane) - 12 &&
              offsetof(Lane, code) == sizeof(Lane) - 8 && offsetof(Lane, group) == sizeof(Lane) - 4);
static_assert(offsetof(Group, missing) == 0 && offsetof(ClassQueue, ring) == 0);
static_assert(Offsets::kLimit == 0 && Offsets::kNext == 4 && Offsets::kTail == 8);

}  // namespace

void give_tokens(Lane &giver) {
  register Lane *from __asm("r4") = &giver;
  register const Wake *wakes __asm("r6");
  register std::uint32_t wake __asm("r7");
  register std::uintptr_t lane __asm("r8");
  for (;;) {
    __asm goto(
        "ldrd r6, r5, [r4, %[lane_wakes]]\n"

        // Load a token, and decrement the counter of the group that waits for it.
        "1:\n\t"
        "ldr r7, [r6], #4\n\t"
        "lsrs r0, r7, %[wake_group]\n\t"
        "ldr r1, [r5, r0, lsl %[group_shift]]\n\t"
        "subs r1, r1, #1\n\t"
        "str r1, [r5, r0, lsl %[group_shift]]\n\t"
        "bne 4f\n\t"
        "ubfx r0, r7, %[wake_lane], %[wake_lane_bits]\n\t"
        "sub r8, r5, r0, lsl %[lane_shift]\n"

        // The lane's head group is ready. If `limit - tail` of its ring is negative, there is no room: jump to `look`, which calls go_on().
        "2:\n\t"
        "ldmdb r8, {r3, r9, r10, r11}\n\t"
        "ldmia r9, {r0, r5, r12}\n\t"
        "subs r0, r0, r12\n\t"
        "bmi %l[look]\n\t"

        // The ring has room: advance the tail by the size of the group, and copy the group's instructions.
        "ldrh r0, [r11, %[group_size]]\n\t"
        "add r12, r12, r0\n\t"
        "dls lr, r0\n\t"
        "push {r3, r4, r6, r7, r9}\n"
        "3:\n\t"
        "ldmia r10!, {r0, r1, r2, r3, r4, r6, r7, r9}\n\t"
        "stmia r5!, {r0, r1, r2, r3, r4, r6, r7, r9}\n\t"
        "le lr, 3b\n\t"
        "pop {r3, r4, r6, r7, r9}\n"

        // Ring the doorbell. The barrier first puts the slots into memory, because the device may fetch them at once.
        "dmb sy\n\t"
        "str r12, [r3, %[tail]]\n\t"
        "strd r5, r12, [r9, %[queue_next]]\n\t"

        // The next group becomes the head group. This subtracts 1 from its Group::missing. At 0, this group is ready, too.
        "ldr r0, [r11, %[group_bytes]]!\n\t"
        "subs r0, r0, #1\n\t"
        "str r0, [r11]\n\t"
        "strd r10, r11, [r8, %[lane_code]]\n\t"
        "beq 2b\n\t"

        // Go on with the next token, unless this was the last token of the instruction that has ended.
        "lsls r0, r7, %[last_to_top]\n\t"
        "bmi 5f\n\t"
        "ldr r5, [r4, %[lane_groups]]\n\t"
        "b 1b\n"
        "4:\n\t"
        "lsls r0, r7, %[last_to_top]\n\t"
        "bpl 1b\n"
        "5:\n\t"
        "str r6, [r4, %[lane_wakes]]"
        : "=&r"(wake), "=&r"(wakes), "=&r"(lane), "+&r"(from)
        : [lane_wakes] "i"(offsetof(Lane, wakes)), [lane_groups] "i"(offsetof(Lane, groups)), [lane_code] "i"(kLaneCode),
          [lane_shift] "i"(kLaneShift), [group_size] "i"(offsetof(Group, size)), [group_bytes] "i"(sizeof(Group)),
          [group_shift] "i"(kGroupShift), [wake_group] "i"(kWakeGroup), [wake_lane] "i"(kWakeLane), [wake_lane_bits] "i"(kWakeLaneBits),
          [last_to_top] "i"(kLastToTop), [queue_next] "i"(Offsets::kNext), [tail] "i"(offsetof(NPU_CORE_SQ_Type, TAIL))
        : "r0", "r1", "r2", "r3", "r5", "r9", "r10", "r11", "r12", "lr", "cc", "memory"
        : look);
    return;

  look:  // reached if the lane's ring is full or about to wrap, or if the lane is the end lane (Plan::groups)
    Lane *const own = from;
    own->wakes = wakes;
    const bool last = Wake::of(wake).last();
    go_on(*reinterpret_cast<Lane *>(lane - sizeof(Lane)));  // NOLINT(performance-no-int-to-ptr)
    if (last) return;
    from = own;
  }
}

#endif

}  // namespace cox::firmware::schedule
