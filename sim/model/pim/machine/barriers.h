// SPDX-License-Identifier: MIT
// Barriers of PIM cores (docs/pim.md, Messages).
#pragma once

#include <bit>
#include <cstdint>
#include <map>

namespace cox::model::pim {

class Barriers {
 public:
  struct Arrival {
    std::uint32_t cores = 0;    ///< number of cores, as the first arrival said it
    std::uint64_t arrived = 0;  ///< bit i: core i waits in the barrier, this one included
    [[nodiscard]] bool complete() const { return static_cast<std::uint32_t>(std::popcount(arrived)) == cores; }
  };

  void clear() { barriers_.clear(); }
  /// Cores that the first arrival at the barrier named; 0 if no core waits in it.
  [[nodiscard]] std::uint32_t cores(std::uint32_t id) const {
    const auto found = barriers_.find(id);
    return found == barriers_.end() ? 0 : found->second.cores;
  }
  [[nodiscard]] std::uint64_t arrived(std::uint32_t id) const {
    const auto found = barriers_.find(id);
    return found == barriers_.end() ? 0 : found->second.arrived;
  }
  /// A core arrives. `number` must be cores(id) unless that is 0. If the barrier is complete now, nothing of it is left.
  Arrival arrive(std::uint32_t id, std::uint32_t number, unsigned core) {
    Arrival &barrier = barriers_[id];
    barrier.cores = number;
    barrier.arrived |= std::uint64_t{1} << core;
    const Arrival now = barrier;
    if (now.complete()) barriers_.erase(id);
    return now;
  }
  /// A core that waits in the barrier has faulted.
  void leave(std::uint32_t id, unsigned core) {
    const auto found = barriers_.find(id);
    if (found == barriers_.end()) return;
    found->second.arrived &= ~(std::uint64_t{1} << core);
    if (found->second.arrived == 0) barriers_.erase(found);
  }

 private:
  std::map<std::uint32_t, Arrival> barriers_;
};

}  // namespace cox::model::pim
