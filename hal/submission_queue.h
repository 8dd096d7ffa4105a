// SPDX-License-Identifier: MIT
// The producer's side of a submission queue (docs/design.md, Queues): one a class a tile core. Pushing copies one instruction to the
// ring and touches no register; one doorbell covers everything pushed since the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "hal/barrier.h"
#include "hal/device.h"
#include "hal/device/npu.h"
#include "hal/mmio.h"
#include "isa/tile/header.h"

namespace cox::hal {

class SubmissionQueue {
 public:
  static constexpr std::size_t kSlotBytes = sizeof(isa::tile::MachineCode);

  /// Connects to the queue of `queue` on tile core `core` and enables it, with a ring of 2^size_log2 slots in `ring`, memory that the
  /// device reads at the same address. Running indices go on where the device stands. Checked before any register is written:
  /// invalid_argument for a core, class or size that the device does not have, a ring that is too small or not aligned to a slot;
  /// not_ready where the device still has instructions of an earlier use (reset_core() first).
  Status init(const Geometry &geometry, unsigned core, isa::tile::Class queue, std::span<std::byte> ring, unsigned size_log2);

  /// Slots that can be pushed before something is reclaimed.
  [[nodiscard]] std::uint32_t room() const { return mask_ + 1 - (tail_ - head_); }
  /// Instructions pushed and not reclaimed.
  [[nodiscard]] std::uint32_t in_flight() const { return tail_ - head_; }

  /// Copies an instruction to the ring with this context and completion flag; both must be 0 in `code`, as the verifier has proved.
  /// Only where room() > 0: this is the scheduler's inner loop and does not ask again. Returns the running index, which will be the
  /// tag of its completion.
  std::uint32_t push(const isa::tile::MachineCode &code, std::uint8_t context, bool want_completion) {
    const std::uint32_t index = tail_;
    isa::tile::MachineCode &slot = slots_[index & mask_];
    slot = code;
    slot[0] = code[0] | static_cast<std::uint32_t>(context) << isa::tile::kContextBit |
              static_cast<std::uint32_t>(want_completion) << isa::tile::kCompletionBit;
    tail_ = index + 1;
    return index;
  }

  /// Tells the device of everything pushed.
  void ring_doorbell() {
    // The device may fetch as soon as it sees the doorbell: the slots must be in memory by then.
    memory_barrier();
    mmio::write(registers_->TAIL, tail_);
  }

  /// The completion with this tag has come: its slot and all before it are free, for the queue runs in order. False, with nothing
  /// changed, where no such instruction is in flight.
  [[nodiscard]] bool reclaim(std::uint32_t tag) {
    if (tag - head_ >= tail_ - head_) return false;
    head_ = tag + 1;
    return true;
  }

 private:
  isa::tile::MachineCode *slots_ = nullptr;
  std::uint32_t tail_ = 0;                  ///< running index of the next slot to fill
  std::uint32_t head_ = 0;                  ///< running index of the oldest slot in flight
  std::uint32_t mask_ = ~std::uint32_t{0};  ///< slots - 1; room() is 0 before init()
  NPU_CORE_SQ_Type *registers_ = nullptr;
};

}  // namespace cox::hal
