// SPDX-License-Identifier: MIT
// give_tokens() in assembly, because the control core executes half of its instructions here. The twin in C++ is give_tokens_in_cpp().
//
// Registers:
//   r0 to r3   scratch: index of a group, counters, indices of the ring, four words of the copy
//   lr         counter of the copy's low-overhead loop
//   groups     the run's groups: RunMemory (in)
//   giver      lane of the instruction that has ended (in)
//   wakes      address of the giver's next token (out)
//   wake       the token that was read last (out)
//   lane       address of the first byte after the Lane whose head group is ready (out)
//   queue      the lane's queue
//   code       the lane's next instruction
//   group      the lane's head group
//   slot       next slot of the queue's ring
#include "firmware/schedule/token_loop.h"

#include <cstddef>

namespace cox::firmware::schedule {

#if defined(COX_HAL_NATIVE) || defined(COX_TRACE)

// The native board cannot run the assembly. With a trace, the twin in C++ replaces the assembly, because the assembly dispatches groups
// without recording them. The twin leaves every dispatch to go_on(), which records it.
void give_tokens(const Tokens &tokens, std::uint32_t from) { give_tokens_in_cpp(tokens, from); }

#else

namespace {

using Offsets = hal::tile::SubmissionQueue::Offsets;

// Offsets of members of Lane, counted from the end of the struct. The register `lane` points to this end.
constexpr int kLaneQueue = static_cast<int>(offsetof(Lane, queue)) - static_cast<int>(sizeof(Lane));
constexpr int kLaneCode = static_cast<int>(offsetof(Lane, code)) - static_cast<int>(sizeof(Lane));
constexpr unsigned kLaneShift = 5;
constexpr unsigned kGroupShift = 3;
constexpr unsigned kSlotShift = 5;
// Layout of a token (class Wake).
constexpr unsigned kWakeGroup = 11;
constexpr unsigned kWakeLane = 1;
constexpr unsigned kWakeLaneBits = 6;
constexpr unsigned kLastToTop = 31;

static_assert(sizeof(Lane) == 1U << kLaneShift && sizeof(Group) == 1U << kGroupShift);
static_assert(sizeof(isa::tile::MachineCode) == 1U << kSlotShift && sizeof(Wake) == 4);
static_assert(Wake(5, 9).group() == 5 && Wake::of(5U << kWakeGroup | 9U << kWakeLane).group() == 5);
static_assert(Wake::of(5U << kWakeGroup | 9U << kWakeLane).to() == 9 && Wake::of(63U << kWakeLane).to() == (1U << kWakeLaneBits) - 1);
static_assert(!Wake::of(~std::uint32_t{1}).last() && Wake::of(1U << (31 - kLastToTop)).last());
// The assembly moves these members as a pair with one ldrd or strd, or expects them at offset 0.
static_assert(offsetof(Lane, group) == offsetof(Lane, code) + 4);
static_assert(offsetof(Group, missing) == 0 && offsetof(ClassQueue, ring) == 0);
static_assert(Offsets::kTail == Offsets::kRegisters + 4 && Offsets::kSlots == Offsets::kLimit + 4);
// The instruction uxtb takes the lowest 8 bits of a running index, which are the slot's number.
static_assert(kSubmissionSizeLog2 == 8);

}  // namespace

void give_tokens(const Tokens &tokens, std::uint32_t from) {
  Group *const groups = tokens.memory.groups();
  Lane &giver = tokens.lanes[from];
  const Wake *wakes = nullptr;
  std::uintptr_t lane = 0;
  std::uint32_t wake = 0;
  ClassQueue *queue = nullptr;
  const isa::tile::MachineCode *code = nullptr;
  Group *group = nullptr;
  isa::tile::MachineCode *slot = nullptr;
  for (;;) {
    __asm goto(
        "ldr %[wakes], [%[giver], %[lane_wakes]]\n"

        // Load a token, and decrement the counter of the group that waits for it.
        "1:\n\t"
        "ldr %[wake], [%[wakes]], #4\n\t"
        "lsrs r0, %[wake], %[wake_group]\n\t"
        "ldr r1, [%[groups], r0, lsl %[group_shift]]\n\t"
        "subs r1, r1, #1\n\t"
        "str r1, [%[groups], r0, lsl %[group_shift]]\n\t"
        "bne 4f\n\t"
        "ubfx r0, %[wake], %[wake_lane], %[wake_lane_bits]\n\t"
        "sub %[lane], %[groups], r0, lsl %[lane_shift]\n"

        // The lane's head group is ready. If `limit - tail` of its ring is negative, there is no room: jump to `look`, which calls go_on().
        "2:\n\t"
        "ldr %[queue], [%[lane], %[lane_queue]]\n\t"
        "ldrd %[code], %[group], [%[lane], %[lane_code]]\n\t"
        "ldr r2, [%[queue], %[queue_tail]]\n\t"
        "ldrd r1, %[slot], [%[queue], %[queue_limit]]\n\t"
        "subs r1, r1, r2\n\t"
        "bmi %l[look]\n\t"

        // The ring has room: find the slot, and advance the tail by the size of the group.
        "ldrh r0, [%[group], %[group_size]]\n\t"
        "uxtb r1, r2\n\t"
        "add %[slot], %[slot], r1, lsl %[slot_shift]\n\t"
        "add r2, r2, r0\n\t"
        "str r2, [%[queue], %[queue_tail]]\n\t"

        // Copy the instructions of the group.
        "dls lr, r0\n"
        "3:\n\t"
        "ldmia %[code]!, {r0, r1, r2, r3}\n\t"
        "stmia %[slot]!, {r0, r1, r2, r3}\n\t"
        "ldmia %[code]!, {r0, r1, r2, r3}\n\t"
        "stmia %[slot]!, {r0, r1, r2, r3}\n\t"
        "le lr, 3b\n\t"

        // Ring the doorbell. The barrier first puts the slots into memory, because the device may fetch them at once.
        "dmb sy\n\t"
        "ldrd r2, r3, [%[queue], %[queue_registers]]\n\t"
        "str r3, [r2, %[tail]]\n\t"

        // The next group becomes the head group. This subtracts 1 from its Group::missing. At 0, this group is ready, too.
        "ldr r0, [%[group], %[group_bytes]]!\n\t"
        "subs r0, r0, #1\n\t"
        "str r0, [%[group]]\n\t"
        "strd %[code], %[group], [%[lane], %[lane_code]]\n\t"
        "beq 2b\n"

        // Go on with the next token, unless this was the last token of the instruction that has ended.
        "4:\n\t"
        "lsls r0, %[wake], %[last_to_top]\n\t"
        "bpl 1b\n\t"
        "str %[wakes], [%[giver], %[lane_wakes]]"
        : [wake] "=&r"(wake), [wakes] "=&r"(wakes), [lane] "=&r"(lane), [queue] "=&r"(queue), [code] "=&r"(code), [group] "=&r"(group),
          [slot] "=&r"(slot)
        : [groups] "r"(groups), [giver] "r"(&giver), [lane_wakes] "i"(offsetof(Lane, wakes)), [lane_queue] "i"(kLaneQueue),
          [lane_code] "i"(kLaneCode), [lane_shift] "i"(kLaneShift), [group_size] "i"(offsetof(Group, size)),
          [group_bytes] "i"(sizeof(Group)), [group_shift] "i"(kGroupShift), [slot_shift] "i"(kSlotShift), [wake_group] "i"(kWakeGroup),
          [wake_lane] "i"(kWakeLane), [wake_lane_bits] "i"(kWakeLaneBits), [last_to_top] "i"(kLastToTop),
          [queue_registers] "i"(Offsets::kRegisters), [queue_tail] "i"(Offsets::kTail), [queue_limit] "i"(Offsets::kLimit),
          [tail] "i"(offsetof(NPU_CORE_SQ_Type, TAIL))
        : "r0", "r1", "r2", "r3", "lr", "cc", "memory"
        : look);
    return;

  look:  // reached if the lane's ring is full or about to wrap, or if the lane is the end lane (Plan::groups)
    giver.wakes = wakes;
    go_on(*reinterpret_cast<Lane *>(lane - sizeof(Lane)));  // NOLINT(performance-no-int-to-ptr)
    if (Wake::of(wake).last()) return;
  }
}

#endif

}  // namespace cox::firmware::schedule
