// SPDX-License-Identifier: MIT
// Flags between the pipes of the matrix unit (docs/isa/cube.md, Flags). Each combination of a pipe that sets, a pipe that waits and an
// event has a counter. The dispatcher has one set of counters, which follows program order; the pipes have another.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "coxswain/isa/cube/instruction.h"

namespace cox::model::cube {

class FlagCounters {
 public:
  /// `mask` names the flags for which a slot of `pipe` waits. Returns the bits of the flags that are not set.
  [[nodiscard]] std::uint32_t missing(isa::cube::Pipe pipe, std::uint32_t mask) const {
    return matching(mask, [&](unsigned bit) { return counters_[of_wait(pipe, bit)] == 0; });
  }
  /// `mask` names the flags that a slot of `pipe` sets. Returns the bits of the flags that are full: their counters have reached
  /// isa::cube::kMostFlags.
  [[nodiscard]] std::uint32_t full(isa::cube::Pipe pipe, std::uint32_t mask) const {
    return matching(mask, [&](unsigned bit) { return counters_[of_set(pipe, bit)] >= isa::cube::kMostFlags; });
  }
  /// Takes each flag of `mask` once. Requires that missing() returns 0 for `mask`.
  void take(isa::cube::Pipe pipe, std::uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) --counters_[of_wait(pipe, lowest(mask))];
  }
  void give(isa::cube::Pipe pipe, std::uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) ++counters_[of_set(pipe, lowest(mask))];
  }
  /// Returns whether any flag is set and not taken.
  [[nodiscard]] bool any() const {
    return std::any_of(counters_.begin(), counters_.end(), [](std::uint16_t counter) { return counter != 0; });
  }

 private:
  static unsigned lowest(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }
  static unsigned place(isa::cube::Pipe setter, isa::cube::Pipe waiter, unsigned bit) {
    return (static_cast<unsigned>(setter) * isa::cube::kPipes + static_cast<unsigned>(waiter)) * isa::cube::kEvents +
           bit % isa::cube::kEvents;
  }
  static unsigned of_wait(isa::cube::Pipe pipe, unsigned bit) { return place(isa::cube::other_pipe(pipe, bit), pipe, bit); }
  static unsigned of_set(isa::cube::Pipe pipe, unsigned bit) { return place(pipe, isa::cube::other_pipe(pipe, bit), bit); }
  template <typename Condition>
  static std::uint32_t matching(std::uint32_t mask, Condition condition) {
    std::uint32_t result = 0;
    for (; mask != 0; mask &= mask - 1) {
      if (condition(lowest(mask))) result |= mask & (~mask + 1);
    }
    return result;
  }

  // The dispatcher's counters never exceed kMostFlags. The pipes' counters may, because one pipe may set a flag several times while the
  // slots that wait for it are still in another pipe's queue.
  std::array<std::uint16_t, std::size_t{isa::cube::kPipes} * isa::cube::kPipes * isa::cube::kEvents> counters_{};
};

}  // namespace cox::model::cube
