// SPDX-License-Identifier: MIT
// The producer's side of a submission queue (docs/design.md, Queues): one a class a tile core. Pushing copies one instruction to the
// ring and touches no register; one doorbell covers everything pushed since the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "device/npu.h"
#include "hal/barrier.h"
#include "hal/device.h"
#include "hal/mmio.h"
#include "hal/slot_copy.h"
#include "isa/tile/header.h"

namespace cox::hal {

class SubmissionQueue {
 public:
  static constexpr std::size_t kSlotBytes = sizeof(isa::tile::MachineCode);
  struct Offsets;  ///< for a loop in assembly

  /// Connects to the queue of `queue` on tile core `core` and enables it, with a ring of 2^size_log2 slots in `ring`, memory that the
  /// device reads at the same address. Running indices go on where the device stands. Checked before any register is written:
  /// invalid_argument for a core, class or size that the device does not have, a ring that is too small or not aligned to a slot;
  /// not_ready where the device still has instructions of an earlier use (reset_core() first).
  Status init(const Geometry &geometry, unsigned core, isa::tile::Class queue, std::span<std::byte> ring, unsigned size_log2);

  /// One without a ring that holds more than any has room for.
  [[nodiscard]] static constexpr SubmissionQueue full() {
    SubmissionQueue queue;
    queue.head_ = queue.tail_ + 1;
    return queue;
  }

  /// Slots that can be pushed before something is reclaimed.
  [[nodiscard]] std::uint32_t room() const { return mask_ + 1 - (tail_ - head_); }
  /// Instructions pushed and not reclaimed.
  [[nodiscard]] std::uint32_t in_flight() const { return tail_ - head_; }
  /// Running index of the next slot to fill; those in flight are the in_flight() ones before it.
  [[nodiscard]] std::uint32_t tail() const { return tail_; }
  /// Running index of the oldest slot in flight.
  [[nodiscard]] std::uint32_t head() const { return head_; }
  /// The instruction with that running index as it was pushed: true until the ring comes round again, so also just after reclaim().
  [[nodiscard]] const isa::tile::MachineCode &slot(std::uint32_t index) const { return slots_[index & mask_]; }
  /// The same of a queue that was initialised with this size_log2: the scheduler's inner loop.
  template <unsigned kSizeLog2>
  [[nodiscard]] const isa::tile::MachineCode &slot(std::uint32_t index) const {
    return slots_[index & ((1U << kSizeLog2) - 1)];
  }
  /// Running index of the next instruction that the device will finish: a register access, not for the inner loop.
  [[nodiscard]] std::uint32_t device_head() const { return mmio::read(registers_->HEAD); }

  /// Copies an instruction to the ring with this context and completion flag; both must be 0 in `code`, as the verifier has proved.
  /// Only where room() > 0: this is the scheduler's inner loop and does not ask again. Returns the running index, which will be the
  /// tag of its completion (16 bits of it).
  std::uint32_t push(const isa::tile::MachineCode &code, std::uint8_t context, bool want_completion) {
    const std::uint32_t index = tail_;
    isa::tile::MachineCode &slot = slots_[index & mask_];
    slot = code;
    slot[0] = code[0] | static_cast<std::uint32_t>(context) << isa::tile::kContextBit |
              static_cast<std::uint32_t>(want_completion) << isa::tile::kCompletionBit;
    tail_ = index + 1;
    return index;
  }

  /// Copies `count` instructions, 1 to room(), that lie side by side with context and completion flags set already. Returns where they
  /// end.
  const isa::tile::MachineCode *push_prepared(const isa::tile::MachineCode *codes, std::uint32_t count) {
    std::uint32_t first = tail_ & mask_;
    const std::uint32_t before_end = mask_ + 1 - first;
    tail_ += count;
    if (count > before_end) {
      codes = copy_slots(slots_ + first, codes, before_end);
      count -= before_end;
      first = 0;
    }
    return copy_slots(slots_ + first, codes, count);
  }

  /// Looks how far a loop in assembly (Offsets) may push without another look: not where fewer than `kept` slots are free, and not beyond
  /// the end of the ring with groups of at most `most` instructions. Completions make more room; the limit stays until the next look.
  void set_limit(std::uint32_t kept, std::uint32_t most) {
    const std::uint32_t full = head_ + mask_ + 1 - kept;
    const std::uint32_t end = (tail_ | mask_) + 1 - most;
    limit_ = static_cast<std::int32_t>(full - end) < 0 ? full : end;
  }
  /// Tells the device of everything pushed.
  void ring_doorbell() {
    // The device may fetch as soon as it sees the doorbell: the slots must be in memory by then.
    memory_barrier();
    mmio::write(registers_->TAIL, tail_);
  }

  /// The completion with this tag (the low half of a running index; what is above it does not count) has come: its slot and all before it
  /// are free, for the queue runs in order. False, with nothing changed, where no such instruction is in flight.
  [[nodiscard]] bool reclaim(std::uint32_t tag) {
    // As running indices differ: a ring has at most 2^15 slots.
    const std::uint32_t ahead = static_cast<std::uint16_t>(tag - head_);
    if (ahead >= tail_ - head_) return false;
    head_ += ahead + 1;
    return true;
  }

  /// Running index of the last one that was reclaimed.
  [[nodiscard]] std::uint32_t last_reclaimed() const { return head_ - 1; }
  /// What the device took for TAIL at the last doorbell that reached it: a register access.
  [[nodiscard]] bool has_heard() const { return mmio::read(registers_->TAIL) == tail_; }
  /// Whether the queue is enabled still: not after a reset of its core that we did not ask for. A register access.
  [[nodiscard]] bool is_enabled() const { return registers::core::sq::control::kEnable.get(mmio::read(registers_->CONTROL)) != 0; }

 private:
  // In an order in which those used together are loaded together.
  NPU_CORE_SQ_Type *registers_ = nullptr;
  std::uint32_t tail_ = 0;                   ///< running index of the next slot to fill
  std::uint32_t head_ = 0;                   ///< running index of the oldest slot in flight
  std::uint32_t limit_ = ~std::uint32_t{0};  ///< of set_limit(): the last running index at which a group may begin
  isa::tile::MachineCode *slots_ = nullptr;
  std::uint32_t mask_ = ~std::uint32_t{0};  ///< slots - 1; room() is 0 before init()
};

struct SubmissionQueue::Offsets {
  static constexpr std::size_t kRegisters = offsetof(SubmissionQueue, registers_);
  static constexpr std::size_t kTail = offsetof(SubmissionQueue, tail_);
  static constexpr std::size_t kLimit = offsetof(SubmissionQueue, limit_);
  static constexpr std::size_t kSlots = offsetof(SubmissionQueue, slots_);
};

}  // namespace cox::hal
