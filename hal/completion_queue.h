// SPDX-License-Identifier: MIT
// The consumer's side of a completion queue (docs/design.md, Queues): one a tile core and one an engine. New entries are seen by their
// phase bit in memory, without a register access; one store gives a whole batch back.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "device/npu.h"
#include "hal/barrier.h"
#include "hal/device.h"
#include "hal/mmio.h"
#include "isa/tile/header.h"

namespace cox::hal {

/// An entry as the device writes it.
struct Completion {
  std::uint32_t identity;   ///< [15:0] tag, [31:16] check: see the functions
  std::uint32_t outcome;    ///< queue, status, context and phase: see the functions
  std::uint32_t time_low;   ///< device time at the end, low 32 bits
  std::uint32_t time_high;  ///< on success the high 32 bits of it; on a fault its detail: the address, or the opcode

  /// Low half of the instruction's running index in its submission queue.
  [[nodiscard]] std::uint16_t tag() const { return static_cast<std::uint16_t>(identity); }
  /// Whether the four half-words of identity and outcome are what the device made of them: their exclusive or is 0xFFFF. False also of an
  /// entry that was never written.
  [[nodiscard]] bool is_intact() const {
    const std::uint32_t both = identity ^ outcome;
    return (both ^ std::rotr(both, 16)) == 0xFFFFFFFF;
  }
  /// `identity` of an entry with this tag and outcome.
  [[nodiscard]] static constexpr std::uint32_t identity_of(std::uint32_t tag, std::uint32_t outcome) {
    return (tag & 0xFFFF) | (~(tag ^ outcome ^ outcome >> 16) & 0xFFFF) << 16;
  }

  [[nodiscard]] unsigned queue() const { return outcome & 0xFF; }  ///< core * kClasses + class; engines: engine_descriptor.h
  [[nodiscard]] FaultCode status() const { return static_cast<FaultCode>((outcome >> 8) & 0xFF); }
  [[nodiscard]] unsigned context() const { return (outcome >> 16) & 0xFF; }
  [[nodiscard]] unsigned warnings() const { return (outcome >> 24) & 0x7F; }                      ///< of a stream: registers::EngineWarning
  [[nodiscard]] std::uint64_t time() const { return std::uint64_t{time_high} << 32 | time_low; }  ///< on success
  [[nodiscard]] bool phase() const { return (outcome >> kPhaseBit) != 0; }

  static constexpr unsigned kPhaseBit = 31;
};
static_assert(sizeof(Completion) == 16 && offsetof(Completion, outcome) == 4);

/// The device's side of a completion queue. Whoever takes entries is one of the two kinds of queue below.
class CompletionRing {
 public:
  /// Coalescing of the interrupt: after `count` entries (0 and 1: at the first), or `cycles` after the first (0: no such limit).
  struct Coalescing {
    std::uint32_t count = 0;   ///< at most 255
    std::uint32_t cycles = 0;  ///< at most 2^24 - 1
  };
  /// Of a queue in use, within these limits. What is there already counts.
  void set_coalescing(const Coalescing &coalescing) const;

  /// Of these tile cores, a bit a core, those whose queues hold entries that were not acknowledged, and enough of them: one register access
  /// for all of them.
  [[nodiscard]] static std::uint32_t pending(std::uint32_t cores) {
    static_assert(registers::int_status::kCompletion.shift == 0);
    return mmio::read(NPU->INT_STATUS) & cores;
  }

  /// The phase bit of the entry with running index `index`: 1 in the first lap, then 0, 1, ...
  [[nodiscard]] static constexpr std::uint32_t phase_of(std::uint32_t index, unsigned size_log2) { return (~index >> size_log2) & 1; }

  /// Gives everything popped back to the device, which lowers the interrupt unless there is more.
  void acknowledge() const { acknowledge_to(head_); }

  /// Whether the device has written nothing that was not popped: a register access, not for the inner loop.
  [[nodiscard]] bool is_drained() const { return mmio::read(registers_->TAIL) == head_; }

 protected:
  /// As init() of both kinds.
  Status connect(const Geometry &geometry, unsigned number, std::span<std::byte> ring, unsigned size_log2, const Coalescing &coalescing);
  void acknowledge_to(std::uint32_t index) const {
    // Entries may be overwritten from here on: they must have been read.
    memory_barrier();
    mmio::write(registers_->HEAD, index);
  }
  /// As is_blocked() of both kinds, which see the entry at head_ each in its own way.
  template <typename IsSeen>
  [[nodiscard]] bool is_blocked_unless(const IsSeen &is_seen) const {
    if (is_drained()) return false;
    // It was in memory before TAIL counted it.
    memory_barrier();
    return !is_seen();
  }

  std::uint32_t head_ = 0;  ///< running index of the next entry to look at

 private:
  NPU_CQ_Type *registers_ = nullptr;
};

/// A queue of any size.
class CompletionQueue : public CompletionRing {
 public:
  /// Connects to completion queue `number`, that of the tile core of that number or from registers::kFirstEngineCompletionQueue up of an
  /// engine, prepares the ring so that no old entry looks new, and enables it with
  /// 2^size_log2 entries in `ring`, memory that the device writes at the same address. Running indices go on where the device stands.
  /// Checked before any register is written: invalid_argument for a queue, size or coalescing that the device does not have, a ring that is
  /// too small or not aligned to an entry; not_ready where the device holds entries of an earlier use (reset_core(), reset_engine() first).
  Status init(const Geometry &geometry, unsigned number, std::span<std::byte> ring, unsigned size_log2, const Coalescing &coalescing);

  /// The oldest entry that was not popped, or nullptr where the device has written none. Touches no register. Valid until acknowledge().
  [[nodiscard]] const Completion *peek() const {
    if (is_empty()) return nullptr;
    return &front();
  }

  /// Whether the device has written nothing that was not popped. Touches no register.
  [[nodiscard]] bool is_empty() const {
    // The device writes from outside: a new look each time.
    const std::uint32_t outcome = *static_cast<const volatile std::uint32_t *>(&next_->outcome);
    return ((outcome ^ phase_) >> Completion::kPhaseBit) != 0;
  }

  /// peek() where is_empty() has just been false.
  [[nodiscard]] const Completion &front() const {
    // The rest of the entry must not be read before the phase bit.
    memory_barrier();
    return *next_;
  }

  /// Goes on to the next entry. Only after peek() has given one. True where the ring begins anew, which is once in 2^size_log2.
  bool pop() {
    ++head_;
    if (++next_ != end_) [[likely]]
      return false;
    next_ = entries_;
    phase_ ^= 1U << Completion::kPhaseBit;
    return true;
  }

  /// Whether the device has written an entry that peek() does not see, for its phase bit is wrong: it will never be seen, and the interrupt
  /// line stays high until it is popped. A register access, for where an interrupt brought nothing.
  [[nodiscard]] bool is_blocked() const {
    return is_blocked_unless([this] { return !is_empty(); });
  }

 private:
  const Completion *entries_ = nullptr;
  const Completion *next_ = nullptr;
  const Completion *end_ = nullptr;
  std::uint32_t phase_ = 0;  ///< of the next entry, at the phase bit's place
};

/// A queue of 2^kSizeLog2 entries, for inner loops: a walk over its entries stays in registers.
template <unsigned kSizeLog2>
class SizedCompletionQueue : public CompletionRing {
 public:
  class Cursor {
   public:
    /// Where the next entry will be.
    [[nodiscard]] const Completion *next() const { return entries_ + (head_ & ((std::uint32_t{1} << kSizeLog2) - 1)); }
    /// Whether the entry at next() is there; a memory_barrier() comes before it is read.
    [[nodiscard]] bool is_written(const Completion *next) const {
      // The device writes from outside: a new look each time.
      const std::uint32_t outcome = *static_cast<const volatile std::uint32_t *>(&next->outcome);
      // As phase_of(): where the entry is new, its phase bit is not the bit of the index that counts laps.
      return ((outcome ^ head_ << (Completion::kPhaseBit - kSizeLog2)) >> Completion::kPhaseBit) != 0;
    }
    void pop() { ++head_; }

   private:
    friend class SizedCompletionQueue;
    Cursor(const Completion *entries, std::uint32_t head) : entries_(entries), head_(head) {}
    const Completion *entries_;
    std::uint32_t head_;  ///< running index of the next entry to look at
  };

  /// As CompletionQueue::init().
  Status init(const Geometry &geometry, unsigned number, std::span<std::byte> ring, const Coalescing &coalescing) {
    entries_ = reinterpret_cast<const Completion *>(ring.data());
    return connect(geometry, number, ring, kSizeLog2, coalescing);
  }

  /// Where the last walk ended.
  [[nodiscard]] Cursor cursor() const { return {entries_, head_}; }
  /// A walk ends here, for now.
  void set_cursor(const Cursor &cursor) { head_ = cursor.head_; }
  void pop() { ++head_; }
  /// Running count of the entries that were popped.
  [[nodiscard]] std::uint32_t popped() const { return head_; }

  using CompletionRing::acknowledge;
  /// As far as that walk has come.
  void acknowledge(const Cursor &cursor) const { acknowledge_to(cursor.head_); }

  /// As of CompletionQueue.
  [[nodiscard]] bool is_blocked() const {
    return is_blocked_unless([walk = cursor()] { return walk.is_written(walk.next()); });
  }

 private:
  const Completion *entries_ = nullptr;
};

}  // namespace cox::hal
