// SPDX-License-Identifier: MIT
// Hazards by brute force, for comparison: byte after byte who touches it, and whether a walk over an explicit graph of what comes before
// what gets from one to the other.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/cube/operation.h"

namespace cox::model::cube::test {

class Oracle {
 public:
  /// Two instructions in program order, and the memory in which they share bytes that one of them writes.
  using Pair = std::tuple<std::int32_t, std::int32_t, isa::cube::Memory>;

  /// The codes check and resolve. What they touch is worked out once, whatever their flags are changed to.
  explicit Oracle(std::span<const isa::cube::MachineCode> codes);

  /// Bytes that both touch and one of them writes: lowest, highest, how many.
  struct Shared {
    std::uint64_t first = 0, last = 0, bytes = 0;
  };
  [[nodiscard]] const std::map<Pair, Shared> &shared() const { return shared_; }

  struct Verdict {
    std::int32_t refused = -1;    ///< the first whose flags the device refuses: a wait without a set before it, a sixteenth set
    bool deadlock = false;        ///< it is a wait
    std::vector<Pair> unordered;  ///< of those before it
  };
  /// Of the same instructions with the flags that `codes` have.
  [[nodiscard]] Verdict judge(std::span<const isa::cube::MachineCode> codes) const;

 private:
  std::map<Pair, Shared> shared_;
};

}  // namespace cox::model::cube::test
