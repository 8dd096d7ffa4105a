// SPDX-License-Identifier: MIT
// A completion queue: the ring of entries that the device writes, and the time of its interrupt (docs/design.md, Queues).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coxswain/device/npu_registers.h"
#include "sim/model/faults/injector.h"
#include "sim/model/geometry.h"
#include "sim/model/host.h"

namespace cox::model {

struct Completion {
  std::uint32_t tag;    ///< running index in the submission queue
  std::uint32_t queue;  ///< number of the submission queue: 9 * core + class, or EngineRow::queue_number() for an engine
  registers::FaultCode status;
  std::uint32_t context;
  Cycle end;
  std::uint32_t detail;   ///< detail of the fault, if there is one
  unsigned warnings = 0;  ///< Stream::warnings; 0 for an instruction of a core
};

class CompletionQueue {
 public:
  /// `number`: 0 to 3 for a core, 4 and up for an engine.
  CompletionQueue(unsigned number, std::uint32_t size_log2_max) : number_(number), written_(std::size_t{1} << size_log2_max) {}

  /// Sets the registers to their reset values.
  void reset();

  // Registers. A setter returns nullptr, or the reason why it refuses the access; it then changes nothing.
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] const char *set_base(std::uint64_t base);
  [[nodiscard]] bool enabled() const { return enabled_; }
  [[nodiscard]] std::uint32_t size_log2() const { return size_log2_; }
  [[nodiscard]] const char *set_control(bool enable, std::uint32_t size_log2, std::uint32_t size_log2_max);
  [[nodiscard]] std::uint32_t head() const { return head_; }
  [[nodiscard]] const char *set_head(std::uint32_t head);
  [[nodiscard]] std::uint32_t tail() const { return tail_; }
  [[nodiscard]] std::uint32_t coalesce() const { return coalesce_; }
  void set_coalesce(std::uint32_t value) { coalesce_ = value; }

  [[nodiscard]] bool has_room() const { return enabled_ && tail_ - head_ + (held_ ? 1 : 0) < (1U << size_log2_); }
  /// Writes an entry at `now`, or applies the fault that a fault plan has for this entry. Requires has_room(). Returns false on a bus
  /// error; the entry is then lost.
  [[nodiscard]] bool push(const Completion &completion, Cycle now, const Host &host, faults::Injector &faults);
  /// Returns the time when the queue writes the entry that an injected fault holds back; kNever if there is none. If another entry
  /// is written before, the held entry follows at once.
  [[nodiscard]] Cycle release_at() const { return held_ ? held_->until : kNever; }
  void release_due(Cycle now, const Host &host);
  /// The time when the interrupt line rises if no further entry is written; kNever if the line waits for more entries.
  [[nodiscard]] Cycle interrupt_at(Cycle latency) const;

 private:
  /// An entry that an injected fault holds back, to swap it with the next entry.
  struct Held {
    Completion completion;
    Cycle until;
  };
  static constexpr Cycle kLongestHold = 1000;
  static constexpr std::uint32_t kNoBit = 8 * kCompletionBytes;

  /// Writes the next entry of the ring, with bit `spoiled_bit` inverted.
  [[nodiscard]] bool write(const Completion &completion, Cycle now, const Host &host, std::uint32_t spoiled_bit = kNoBit);
  [[nodiscard]] bool release(Cycle now, const Host &host);
  [[nodiscard]] std::size_t slot(std::uint32_t index) const { return index & ((1U << size_log2_) - 1); }

  unsigned number_;
  std::uint64_t base_ = 0;
  bool enabled_ = false;
  std::uint32_t size_log2_ = 0;
  std::uint32_t head_ = 0, tail_ = 0;
  std::uint32_t coalesce_ = 0;
  std::vector<Cycle> written_;  // when the entry in each slot was written
  std::optional<Held> held_;
};

}  // namespace cox::model
