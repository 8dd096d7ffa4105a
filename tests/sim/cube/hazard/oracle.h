// SPDX-License-Identifier: MIT
// Finds hazards by brute force, for comparison with the detector. For each byte that two instructions touch, the oracle searches a graph of
// the order between instructions for a path from the earlier instruction to the later one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "coxswain/isa/cube/operation.h"

namespace cox::model::cube::test {

class Oracle {
 public:
  /// Two instructions in program order, and the memory in which they share bytes. At least one of the two writes the shared bytes.
  using Pair = std::tuple<std::int32_t, std::int32_t, isa::cube::Memory>;

  /// isa::cube::check() and isa::cube::resolve() must accept all codes. The constructor computes the bytes that each instruction touches;
  /// they do not depend on the flags.
  explicit Oracle(std::span<const isa::cube::MachineCode> codes);

  /// The bytes that both instructions touch and at least one of them writes: lowest address, highest address and number of bytes.
  struct Shared {
    std::uint64_t first = 0, last = 0, bytes = 0;
  };
  [[nodiscard]] const std::map<Pair, Shared> &shared() const { return shared_; }

  struct Verdict {
    std::int32_t refused = -1;    ///< the first instruction that the device refuses because of its flags; -1: none
    bool deadlock = false;        ///< the instruction is refused because it waits for a flag that is not set
    std::vector<Pair> unordered;  ///< only pairs of instructions before the refused one
  };
  /// Judges `codes`. They may differ from the constructor's codes only in their flags.
  [[nodiscard]] Verdict judge(std::span<const isa::cube::MachineCode> codes) const;

 private:
  std::map<Pair, Shared> shared_;
};

}  // namespace cox::model::cube::test
