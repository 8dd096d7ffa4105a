// SPDX-License-Identifier: MIT
// The producer's side of the submission queue of one class on one tile core (docs/design.md, Queues). A push copies one instruction to the
// ring and touches no register; one doorbell covers all pushes since the last doorbell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/hal/tile/slot_copy.h"
#include "coxswain/isa/tile/header.h"

namespace cox::hal::tile {

class SubmissionQueue {
 public:
  static constexpr std::size_t kSlotBytes = sizeof(isa::tile::MachineCode);
  struct Offsets;  ///< offsets of members, for the loop in assembly (firmware/schedule/token_loop.cpp)

  /// Connects to the queue of class `queue` on tile core `core`, and enables it with 2^size_log2 slots in `ring`. Running
  /// indices continue from those of the device. Errors, with no register written: invalid_argument for a core, class or size that the
  /// device does not have, or for a ring that is too small or not aligned to a slot; not_ready if the device still has instructions of an
  /// earlier use (call reset_core() first).
  Status init(const Geometry &geometry, unsigned core, isa::tile::Class queue, std::span<std::byte> ring, unsigned size_log2);

  /// Returns a queue without a ring that counts as full: its in_flight() is larger than any ring, and its tail is far past its limit (see
  /// set_limit()).
  [[nodiscard]] static constexpr SubmissionQueue full() {
    SubmissionQueue queue;
    queue.done_ = queue.tail_;
    return queue;
  }

  /// Number of instructions that can be pushed before the next reclaim().
  [[nodiscard]] std::uint32_t room() const { return mask_ + 1 - in_flight(); }
  /// Number of instructions that were pushed and not reclaimed.
  [[nodiscard]] std::uint32_t in_flight() const { return distance_to_tail(done_); }
  /// Running index of the next slot to fill. The in_flight() slots before it are in flight.
  [[nodiscard]] std::uint32_t tail() const { return tail_; }
  /// Running index of the oldest slot in flight.
  [[nodiscard]] std::uint32_t head() const { return tail_ - in_flight(); }
  /// The instruction with this running index, as it was pushed. It is valid until a later push reuses its slot, so the caller may read it
  /// directly after reclaim().
  [[nodiscard]] const isa::tile::MachineCode &slot(std::uint32_t index) const { return slots_[index & mask_]; }
  /// The same, faster, for a queue that was initialised with size_log2 = kSizeLog2. The scheduler's inner loop uses it.
  template <unsigned kSizeLog2>
  [[nodiscard]] const isa::tile::MachineCode &slot(std::uint32_t index) const {
    return slots_[index & ((1U << kSizeLog2) - 1)];
  }
  /// Running index of the next instruction that the device will finish. Not for the inner loop, because this is a register access.
  [[nodiscard]] std::uint32_t device_head() const { return mmio::read(registers_->HEAD); }

  /// Copies an instruction to the ring with this context and completion flag. Both must be 0 in `code`, as the verifier has proved, and
  /// room() must not be 0: neither is checked here, in the scheduler's inner loop. Returns the running index; its low 16 bits will be the
  /// tag of the completion.
  std::uint32_t push(const isa::tile::MachineCode &code, std::uint8_t context, bool want_completion) {
    const std::uint32_t index = tail_;
    isa::tile::MachineCode &slot = slots_[index & mask_];
    slot = code;
    slot[0] = code[0] | static_cast<std::uint32_t>(context) << isa::tile::kContextBit |
              static_cast<std::uint32_t>(want_completion) << isa::tile::kCompletionBit;
    tail_ = index + 1;
    return index;
  }

  /// Copies `count` instructions, 1 to room(), that lie side by side and already contain their context and completion flag. Returns the end
  /// of the source.
  const isa::tile::MachineCode *push_prepared(const isa::tile::MachineCode *codes, std::uint32_t count) {
    std::uint32_t first = tail_ & mask_;
    tail_ += count;
    for (;; first = 0) {  // at the end of the ring, goes on at its begin
      const std::uint32_t fits = std::min(count, mask_ + 1 - first);
      codes = copy_slots(slots_ + first, codes, fits);
      count -= fits;
      if (count == 0) return codes;
    }
  }

  /// Prepares the loop in assembly (see Offsets): sets its next slot, and its limit. Up to the limit, the loop may begin a group of `most`
  /// pushes: at least `kept` slots are free, and `most` instructions fit before the end of the ring. A smaller group may begin so much
  /// later that it ends where a group of `most` would end. Later completions make more room, but only the next call moves the limit.
  void set_limit(std::uint32_t kept, std::uint32_t most);
  /// Tells the device of all pushes.
  void ring_doorbell() {
    // The slots must be in memory before the doorbell, because the device may fetch them at once.
    memory_barrier();
    mmio::write(registers_->TAIL, tail_);
  }

  /// Frees the slot with this tag and all slots before it, which have ended because the queue runs in order. The tag is the low half of a
  /// running index; higher bits of `tag` are ignored. Returns false, with nothing changed, if no such instruction is in flight.
  [[nodiscard]] bool reclaim(std::uint32_t tag) {
    if (distance_to_tail(tag) >= in_flight()) return false;
    done_ = tag;
    return true;
  }

  /// The registers of the queue, for the loop in assembly.
  [[nodiscard]] NPU_CORE_SQ_Type *registers() const { return registers_; }
  /// Running index of the last slot that was reclaimed.
  [[nodiscard]] std::uint32_t last_reclaimed() const { return head() - 1; }
  /// True if the last doorbell has reached the device. This is a register access.
  [[nodiscard]] bool has_heard() const { return mmio::read(registers_->TAIL) == tail_; }
  /// True if the queue is still enabled. A reset of the core from outside disables it. This is a register access.
  [[nodiscard]] bool is_enabled() const { return registers::core::sq::control::kEnable.get(mmio::read(registers_->CONTROL)) != 0; }

 private:
  /// Number of slots between the one with this tag and the tail. 16 bits suffice, because a ring has at most 2^15 slots.
  [[nodiscard]] std::uint16_t distance_to_tail(std::uint32_t tag) const { return static_cast<std::uint16_t>(tail_ - tag - 1); }

  /// Distance from a limit to a tail that is past it, whatever the size of the next group.
  static constexpr std::uint32_t kFarPast = std::uint32_t{1} << 31;

  // The members are in this order so that one instruction loads those that are used together.
  std::uint32_t limit_ = kFarPast;          ///< last running index at which a group may begin (see set_limit())
  isa::tile::MachineCode *next_ = nullptr;  ///< the next slot to fill, for the loop in assembly; other pushes do not move it
  std::uint32_t tail_ = 0;                  ///< running index of the next slot to fill
  std::uint32_t done_ = ~std::uint32_t{0};  ///< the low half is the tag of the last slot that was reclaimed; the high half has any value
  NPU_CORE_SQ_Type *registers_ = nullptr;
  isa::tile::MachineCode *slots_ = nullptr;
  std::uint32_t mask_ = ~std::uint32_t{0};  ///< number of slots - 1; with this initial value, room() is 0
};

struct SubmissionQueue::Offsets {
  static constexpr std::size_t kLimit = offsetof(SubmissionQueue, limit_);
  static constexpr std::size_t kNext = offsetof(SubmissionQueue, next_);
  static constexpr std::size_t kTail = offsetof(SubmissionQueue, tail_);
  static constexpr std::size_t kDone = offsetof(SubmissionQueue, done_);
  static constexpr std::size_t kSlots = offsetof(SubmissionQueue, slots_);
};

}  // namespace cox::hal::tile
