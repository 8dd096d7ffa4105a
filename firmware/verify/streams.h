// SPDX-License-Identifier: MIT
// The instructions of a task lane by lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/tile/lane.h"

namespace cox::firmware::verify {

/// The largest number of instructions of a task. A counter never has more tokens than that, because an instruction
/// puts at most one token on each counter.
inline constexpr std::size_t kMaximumInstructions = (std::size_t{1} << 20) - 1;

/// The instructions of a task lane by lane, in program order.
struct Streams {
  std::span<const std::uint32_t> order;                          ///< indices in the instruction list, lane by lane
  std::array<std::uint32_t, isa::tile::kMostLanes + 1> first{};  ///< lane l has order[first[l]] to order[first[l + 1] - 1]
  unsigned cores = 1;

  [[nodiscard]] unsigned lanes() const { return cores * isa::tile::kClasses; }
  [[nodiscard]] std::span<const std::uint32_t> lane(unsigned lane) const {
    return order.subspan(first[lane], first[lane + 1] - first[lane]);
  }
};

}  // namespace cox::firmware::verify
