// SPDX-License-Identifier: MIT
// The bus between the units and DRAM. Transfers pass one after another, in the order in which they are asked for.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/model/unity/machine/timing.h"

namespace cox::model::unity {

class Bus {
 public:
  explicit Bus(std::uint32_t bytes_per_cycle) : rate_(bytes_per_cycle) {}

  void clear() { free_ = 0; }
  /// The bus has only 1 / `factor` of its bandwidth from now on; 1 restores it.
  void slow_down(std::uint64_t factor) { factor_ = factor; }
  /// Returns the cycle in which the last of the bytes has passed, if the first may pass at `now`.
  [[nodiscard]] Cycle transfer(Cycle now, std::uint64_t bytes) {
    free_ = std::max(free_, now) + (bytes + rate_ - 1) / rate_ * factor_;
    return free_;
  }

 private:
  std::uint64_t rate_;
  std::uint64_t factor_ = 1;
  Cycle free_ = 0;
};

}  // namespace cox::model::unity
