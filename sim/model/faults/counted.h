// SPDX-License-Identifier: MIT
// Faults that happen with the n-th of something: of the accesses, instructions or doorbells of a queue, of the entries of a completion
// queue.
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

  /// One more of `target`: the fault that happens with it, or nullptr. Each happens once: nothing starts the count anew.
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
