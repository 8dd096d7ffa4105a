// SPDX-License-Identifier: MIT
// Vector clocks of queues. A queue runs its instructions one after another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace cox::model::hazard {

/// For each queue, the number of its instructions that have certainly ended.
template <std::size_t kQueues>
struct QueueClock {
  std::array<std::uint32_t, kQueues> ended{};

  void join(const QueueClock &other) {
    for (std::size_t i = 0; i < kQueues; ++i) ended[i] = std::max(ended[i], other.ended[i]);
  }
};

}  // namespace cox::model::hazard
