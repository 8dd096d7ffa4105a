// SPDX-License-Identifier: MIT
// The registers of a submission queue, of a core or of an engine: ring, doorbell, counters (docs/design.md, Queues). What is behind
// the ring executes one instruction at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/geometry.h"

namespace cox::model {

/// Since reset; instructions that are still executing are not in them.
struct Counters {
  std::uint64_t instructions = 0;  ///< finished, faults included, aborted ones not
  std::uint64_t busy = 0;          ///< cycles with an instruction executing, but for those in which it was stalled
  std::uint64_t stalled = 0;       ///< cycles lost to other movers of DRAM, or to a full completion queue
  std::uint64_t bytes = 0;         ///< moved to or from DRAM
};

struct SubmissionRing {
  enum class State : std::uint8_t {
    idle,          ///< nothing fetched
    executing,     ///< until `phase_end`; an engine: a stream
    transferring,  ///< until the DRAM channel is through
    completing,    ///< ended, and no room in the completion queue
  };

  explicit SubmissionRing(std::uint32_t size_log2_max) : doorbell(std::size_t{1} << size_log2_max) {}

  /// Back to the registers' reset values.
  void reset() {
    base = 0;
    enabled = false;
    size_log2 = head = tail = 0;
    free_at = 0;
    state = State::idle;
    counters = latched = {};
  }

  // Registers. A refused access changes nothing and gives the reason, else nullptr.
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
  /// Of one that is enabled.
  [[nodiscard]] const char *ring_doorbell(std::uint32_t value, Cycle now) {
    if (value - head > (1U << size_log2)) return "the index is more than the size ahead of HEAD";
    if (value - head < tail - head) return "the index is behind the one written before";
    for (; tail != value; ++tail) doorbell[slot(tail)] = now;
    return nullptr;
  }

  /// STATUS.
  [[nodiscard]] bool busy() const { return state == State::executing || state == State::transferring; }
  [[nodiscard]] bool waiting() const { return state == State::completing || (state == State::idle && head != tail); }

  [[nodiscard]] std::size_t slot(std::uint32_t index) const { return index & ((1U << size_log2) - 1); }
  [[nodiscard]] std::uint64_t slot_address(std::uint32_t index) const { return base + slot(index) * kSlotBytes; }
  /// The earliest start of what is at the head, where the queue is idle; kNever where there is nothing. `enabled_at`: of CONTROL.ENABLE,
  /// kNever while it is not set.
  [[nodiscard]] Cycle start_at(Cycle enabled_at, Cycle doorbell_latency) const { return start_at(head, enabled_at, doorbell_latency); }
  /// The same of `index`, where what is before it need not have completed.
  [[nodiscard]] Cycle start_at(std::uint32_t index, Cycle enabled_at, Cycle doorbell_latency) const {
    if (enabled_at == kNever || index == tail) return kNever;
    return std::max({free_at, enabled_at, doorbell[slot(index)] + doorbell_latency});
  }

  std::uint64_t base = 0;
  bool enabled = false;
  std::uint32_t size_log2 = 0;
  std::uint32_t head = 0, tail = 0;
  std::vector<Cycle> doorbell;  ///< when each slot's was rung

  State state = State::idle;
  Cycle free_at = 0;  ///< when what was at the head before completed

  Counters counters;
  Counters latched;  ///< as they were when the low half was read
};

}  // namespace cox::model
