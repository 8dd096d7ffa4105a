// SPDX-License-Identifier: MIT
// The consumer's side of a completion queue (docs/design.md, Queues). Each core and each engine has one. A phase bit in memory shows
// new entries without a register access. One store to HEAD gives a batch of entries back to the device.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::hal {

/// An entry as the device writes it.
struct Completion {
  std::uint32_t identity;   ///< [15:0] tag(), [31:16] the check that is_intact() verifies
  std::uint32_t outcome;    ///< queue(), status(), context(), warnings() and phase()
  std::uint32_t time_low;   ///< device time at the end, low 32 bits
  std::uint32_t time_high;  ///< on success the high 32 bits of this time; on a fault the same as Fault::detail (hal/device.h)

  /// Low half of the instruction's running index in its submission queue.
  [[nodiscard]] std::uint16_t tag() const { return static_cast<std::uint16_t>(identity); }
  /// True if the exclusive or of the four half-words of identity and outcome is 0xFFFF. The device writes only such entries. False for an
  /// entry that was never written.
  [[nodiscard]] bool is_intact() const { return damage() == 0; }
  /// 0 if is_intact(). Otherwise each half-word of the value has the same bits, at least one of them set.
  [[nodiscard]] std::uint32_t damage() const {
    const std::uint32_t both = identity ^ outcome;
    return ~(both ^ std::rotr(both, 16));
  }
  /// `identity` of an entry with this tag and outcome.
  [[nodiscard]] static constexpr std::uint32_t identity_of(std::uint32_t tag, std::uint32_t outcome) {
    return (tag & 0xFFFF) | (~(tag ^ outcome ^ outcome >> 16) & 0xFFFF) << 16;
  }

  [[nodiscard]] unsigned queue() const { return outcome & 0xFF; }  ///< numbered as Fault::queue_number
  [[nodiscard]] FaultCode status() const { return static_cast<FaultCode>((outcome >> 8) & 0xFF); }
  [[nodiscard]] unsigned context() const { return (outcome >> 16) & 0xFF; }
  [[nodiscard]] unsigned warnings() const { return (outcome >> 24) & 0x7F; }  ///< only for a stream: the same as StreamCompletion::warnings
  [[nodiscard]] std::uint64_t time() const { return std::uint64_t{time_high} << 32 | time_low; }  ///< valid only on success
  [[nodiscard]] bool phase() const { return (outcome >> kPhaseBit) != 0; }

  static constexpr unsigned kPhaseBit = 31;
};
static_assert(sizeof(Completion) == 16 && offsetof(Completion, outcome) == 4);

/// The registers of a completion queue. The two classes below derive from it and read the entries in memory.
class CompletionRing {
 public:
  /// Coalescing of the interrupt. The device raises it after `count` entries (0 and 1: at the first entry), or `cycles` after the first
  /// entry (0: no such limit).
  struct Coalescing {
    std::uint32_t count = 0;   ///< at most 255
    std::uint32_t cycles = 0;  ///< at most 2^24 - 1
  };
  /// Changes the coalescing of a queue in use. `coalescing` must be within its limits. Entries that are already in the queue count too.
  void set_coalescing(const Coalescing &coalescing) const;

  /// Returns which of `cores` (bit c is core c) have a pending completion interrupt. The queue of such a core holds unacknowledged entries,
  /// and the count or the time of the coalescing is reached. Makes one register access for all cores.
  [[nodiscard]] static std::uint32_t pending(std::uint32_t cores) {
    static_assert(registers::int_status::kCompletion.shift == 0);
    return mmio::read(COX_NPU->INT_STATUS) & cores;
  }

  /// The phase bit of the entry with running index `index`: 1 in the first lap, then 0, 1, ...
  [[nodiscard]] static constexpr std::uint32_t phase_of(std::uint32_t index, unsigned size_log2) { return (~index >> size_log2) & 1; }

  /// Gives all popped entries back to the device. The interrupt line goes low unless the device has written more entries.
  void acknowledge() const { acknowledge_to(head_); }

  /// True if every entry that the device has written was popped. Not for the inner loop, because this is a register access.
  [[nodiscard]] bool is_drained() const { return mmio::read(registers_->TAIL) == head_; }

 protected:
  /// Does the work of init() for both kinds of queue.
  Status connect(const Geometry &geometry, unsigned number, std::span<std::byte> ring, unsigned size_log2, const Coalescing &coalescing);
  void acknowledge_to(std::uint32_t index) const {
    // The reads of entries must be done before HEAD allows the device to overwrite them.
    memory_barrier();
    mmio::write(registers_->HEAD, index);
  }
  /// Does the work of is_blocked() for both kinds of queue. `is_seen` tells whether the queue sees the entry at head_.
  template <typename IsSeen>
  [[nodiscard]] bool is_blocked_unless(const IsSeen &is_seen) const {
    if (is_drained()) return false;
    // The device writes an entry before it increments TAIL. The barrier makes is_seen() read the entry after is_drained() has read TAIL.
    memory_barrier();
    return !is_seen();
  }

  // One instruction loads the three, in this order (see SizedCompletionQueue::Offsets).
  NPU_CQ_Type *registers_ = nullptr;
  std::uint32_t head_ = 0;  ///< running index of the next entry to look at
  const Completion *entries_ = nullptr;
};

/// A completion queue of any size.
class CompletionQueue : public CompletionRing {
 public:
  /// Connects to completion queue `number`. Queue c belongs to core c; queues from registers::kFirstEngineCompletionQueue on belong to
  /// engines. Prepares `ring` so that no old entry looks new, and enables the queue with 2^size_log2 entries in `ring`.
  /// Running indices continue from those of the device. Errors, with no register written: invalid_argument for a queue, size or coalescing
  /// that the device does not have, or for a ring that is too small or not aligned to an entry; not_ready if the device holds entries of an
  /// earlier use (reset the core or engine first).
  Status init(const Geometry &geometry, unsigned number, std::span<std::byte> ring, unsigned size_log2, const Coalescing &coalescing);

  /// The oldest entry that was not popped, or nullptr if there is none. It stays valid until acknowledge(). Touches no register.
  [[nodiscard]] const Completion *peek() const {
    if (is_empty()) return nullptr;
    return &front();
  }

  /// True if there is no entry to pop. Touches no register.
  [[nodiscard]] bool is_empty() const {
    // The device writes this word, so each call must read it again.
    const std::uint32_t outcome = *static_cast<const volatile std::uint32_t *>(&next_->outcome);
    return ((outcome ^ phase_) >> Completion::kPhaseBit) != 0;
  }

  /// The same as *peek(), for a caller that has just seen is_empty() return false.
  [[nodiscard]] const Completion &front() const {
    // The phase bit is read first, then the rest of the entry.
    memory_barrier();
    return *next_;
  }

  /// Moves on to the next entry. Call this only after peek() has returned an entry. Returns true if the ring wraps, once in 2^size_log2
  /// calls.
  bool pop() {
    ++head_;
    if (++next_ != end_) [[likely]]
      return false;
    next_ = entries_;
    phase_ ^= 1U << Completion::kPhaseBit;
    return true;
  }

  /// True if the device has written an entry that peek() does not see because its phase bit is wrong. The interrupt line stays high until
  /// the entry is popped. The call reads a register, so make it only after an interrupt without a completion.
  [[nodiscard]] bool is_blocked() const {
    return is_blocked_unless([this] { return !is_empty(); });
  }

 private:
  const Completion *next_ = nullptr;
  const Completion *end_ = nullptr;
  std::uint32_t phase_ = 0;  ///< phase of the next entry, in bit kPhaseBit
};

/// A completion queue of 2^kSizeLog2 entries, for inner loops. A Cursor walks over the entries; the compiler can keep it in CPU registers.
template <unsigned kSizeLog2>
class SizedCompletionQueue : public CompletionRing {
 public:
  class Cursor {
   public:
    /// Address of the next entry.
    [[nodiscard]] const Completion *next() const { return entries_ + (head_ & kMask); }
    /// True if the entry at next() is written. Call memory_barrier() before reading the entry.
    [[nodiscard]] bool is_written(const Completion *next) const {
      // The device writes this word, so each call must read it again.
      const std::uint32_t outcome = *static_cast<const volatile std::uint32_t *>(&next->outcome);
      // The phase bit of a new entry is the inverse of the index bit that counts laps, as in phase_of().
      return ((outcome ^ head_ << (Completion::kPhaseBit - kSizeLog2)) >> Completion::kPhaseBit) != 0;
    }
    void pop() { ++head_; }

   private:
    friend class SizedCompletionQueue;
    Cursor(const Completion *entries, std::uint32_t head) : entries_(entries), head_(head) {}
    const Completion *entries_;
    std::uint32_t head_;  ///< running index of the next entry to look at
  };

  struct Offsets;  ///< offsets of members, for the loops in assembly (firmware/schedule/token_loop.cpp)

  /// As CompletionQueue::init().
  Status init(const Geometry &geometry, unsigned number, std::span<std::byte> ring, const Coalescing &coalescing) {
    return connect(geometry, number, ring, kSizeLog2, coalescing);
  }

  /// A cursor at the entry where the last walk ended.
  [[nodiscard]] Cursor cursor() const { return {entries_, head_}; }
  /// Ends a walk at `cursor`.
  void set_cursor(const Cursor &cursor) { head_ = cursor.head_; }
  void pop() { ++head_; }
  /// Ends a walk at the entry with running index `head`.
  void set_popped(std::uint32_t head) { head_ = head; }
  /// The entry with this running index.
  [[nodiscard]] const Completion &entry(std::uint32_t index) const { return entries_[index & kMask]; }
  /// The first entry in memory, and the registers, for the loops in assembly.
  [[nodiscard]] const Completion *entries() const { return entries_; }
  [[nodiscard]] NPU_CQ_Type *registers() const { return registers_; }
  /// Running count of the entries that were popped.
  [[nodiscard]] std::uint32_t popped() const { return head_; }

  using CompletionRing::acknowledge;
  /// Acknowledges the entries up to `cursor`.
  void acknowledge(const Cursor &cursor) const { acknowledge_to(cursor.head_); }

  /// See CompletionQueue::is_blocked().
  [[nodiscard]] bool is_blocked() const {
    return is_blocked_unless([walk = cursor()] { return walk.is_written(walk.next()); });
  }

 private:
  static constexpr std::uint32_t kMask = (std::uint32_t{1} << kSizeLog2) - 1;
};

template <unsigned kSizeLog2>
struct SizedCompletionQueue<kSizeLog2>::Offsets {
  static constexpr std::size_t kRegisters = offsetof(SizedCompletionQueue, registers_);
  static constexpr std::size_t kHead = offsetof(SizedCompletionQueue, head_);
  static constexpr std::size_t kEntries = offsetof(SizedCompletionQueue, entries_);
};

}  // namespace cox::hal
