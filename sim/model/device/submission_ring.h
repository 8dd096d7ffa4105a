// SPDX-License-Identifier: MIT
// The registers of a submission queue of a core or an engine: ring, doorbell, counters (docs/design.md, Queues). A core executes one
// instruction of a ring at a time. An engine keeps the state of its streams itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/geometry.h"

namespace cox::model {

/// Counters since reset. They leave out instructions that are still executing.
struct Counters {
  std::uint64_t instructions = 0;  ///< finished instructions, including those with a fault, but not aborted ones
  std::uint64_t busy = 0;          ///< cycles in which an instruction executed and was not stalled
  std::uint64_t stalled = 0;       ///< cycles lost, for example to other DRAM traffic or to a full completion queue
  std::uint64_t bytes = 0;         ///< moved to or from DRAM
};

struct SubmissionRing {
  enum class State : std::uint8_t {
    idle,          ///< no instruction is fetched
    executing,     ///< an instruction executes until `phase_end`, or, in an engine with streams, a stream runs
    transferring,  ///< the instruction's bytes move until the DRAM channel has finished
    completing,    ///< the instruction has ended and waits for room in the completion queue
  };

  explicit SubmissionRing(std::uint32_t size_log2_max) : doorbell(std::size_t{1} << size_log2_max) {}

  /// Sets the registers to their reset values.
  void reset() {
    base = 0;
    enabled = false;
    size_log2 = head = tail = 0;
    free_at = 0;
    state = State::idle;
    counters = latched = {};
  }

  // Registers. A setter returns nullptr, or the reason why it refuses the access; it then changes nothing.
  [[nodiscard]] const char *set_base(std::uint64_t value) {
    if (enabled) return "the queue is enabled";
    base = value;
    return nullptr;
  }
  [[nodiscard]] const char *set_control(bool enable, std::uint32_t new_size_log2, std::uint32_t size_log2_max) {
    if (enabled && enable && new_size_log2 != size_log2) return "the size is fixed while the queue is enabled";
    if (enabled && !enable && head != tail) return "the queue holds instructions";
    if (!enabled && enable) {
      if (new_size_log2 < 1 || new_size_log2 > size_log2_max) return "SIZE_LOG2 is out of range";
      if (base % kSlotBytes != 0) return "the base is not aligned to 32 bytes";
    }
    enabled = enable;
    size_log2 = new_size_log2;
    return nullptr;
  }
  /// Requires an enabled queue.
  [[nodiscard]] const char *ring_doorbell(std::uint32_t value, Cycle now) {
    if (value - head > (1U << size_log2)) return "the index is more than the size ahead of HEAD";
    if (value - head < tail - head) return "the index is behind the one written before";
    for (; tail != value; ++tail) doorbell[slot(tail)] = now;
    return nullptr;
  }

  /// The value of STATUS.BUSY.
  [[nodiscard]] bool busy() const { return state == State::executing || state == State::transferring; }
  [[nodiscard]] bool waiting() const { return state == State::completing || (state == State::idle && head != tail); }

  [[nodiscard]] std::size_t slot(std::uint32_t index) const { return index & ((1U << size_log2) - 1); }
  [[nodiscard]] std::uint64_t slot_address(std::uint32_t index) const { return base + slot(index) * kSlotBytes; }
  /// The earliest start of the entry at the head of an idle queue; kNever if the queue is empty. `enabled_at`: when CONTROL.ENABLE was set,
  /// kNever while it is not set.
  [[nodiscard]] Cycle start_at(Cycle enabled_at, Cycle doorbell_latency) const { return start_at(head, enabled_at, doorbell_latency); }
  /// The earliest start of the entry at `index`. The result does not depend on entries before it that have not completed yet.
  [[nodiscard]] Cycle start_at(std::uint32_t index, Cycle enabled_at, Cycle doorbell_latency) const {
    if (enabled_at == kNever || index == tail) return kNever;
    return std::max({free_at, enabled_at, doorbell[slot(index)] + doorbell_latency});
  }

  std::uint64_t base = 0;
  bool enabled = false;
  std::uint32_t size_log2 = 0;
  std::uint32_t head = 0, tail = 0;
  std::vector<Cycle> doorbell;  ///< for each slot, the time of its doorbell

  State state = State::idle;
  Cycle free_at = 0;  ///< when the previous entry at the head completed

  Counters counters;
  Counters latched;  ///< for each counter, its value at the last read of its low half
};

}  // namespace cox::model
