// SPDX-License-Identifier: MIT
// Slots that wait for a pipe, in order of arrival.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/model/cube/slot.h"

namespace cox::model::cube {

class SlotQueue {
 public:
  explicit SlotQueue(std::size_t most) : slots_(most) {}

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool full() const { return count_ == slots_.size(); }
  [[nodiscard]] Slot &front() { return slots_[first_]; }
  /// Requires that the queue is not full.
  void push(const Slot &slot) { slots_[(first_ + count_++) % slots_.size()] = slot; }
  void pop() {
    first_ = (first_ + 1) % slots_.size();
    --count_;
  }
  void clear() { count_ = 0; }

 private:
  std::vector<Slot> slots_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace cox::model::cube
