// SPDX-License-Identifier: MIT
// Faults that happen at the n-th event of a kind. For a submission queue, these are the n-th access to memory, the n-th instruction and the
// n-th doorbell. For a completion queue, it is the n-th entry.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/faults/plan.h"

namespace cox::model::faults {

template <std::size_t kTargets>
class Counted {
 public:
  void add(unsigned target, const Planned &fault) { faults_.push_back({target, fault}); }

  /// Counts one more event of `target`, which is a queue or unit. Returns the fault that happens at this event, or nullptr. Each fault
  /// happens once, because the count never restarts.
  [[nodiscard]] const Planned *count(unsigned target) {
    if (faults_.empty()) return nullptr;
    const std::uint64_t number = ++counts_[target];
    for (const Entry &entry : faults_) {
      if (entry.target == target && entry.fault.count == number) return &entry.fault;
    }
    return nullptr;
  }

 private:
  struct Entry {
    unsigned target;
    Planned fault;
  };
  std::vector<Entry> faults_;
  std::array<std::uint64_t, kTargets> counts_{};
};

}  // namespace cox::model::faults
