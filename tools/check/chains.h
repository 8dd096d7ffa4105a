// SPDX-License-Identifier: MIT
// Finds root causes among hazards (docs/hazards.md, Chains): one missing token or flag lets many instructions run too early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cox::tools {

/// Two unordered instructions, and their queues (lanes, pipes).
struct UnorderedPair {
  std::int32_t earlier = 0, later = 0;
  unsigned from = 0, to = 0;  ///< queues of the earlier and the later instruction
};

struct Chain {
  std::size_t root = 0;                 ///< index of the pair to report
  std::vector<std::int32_t> following;  ///< later instructions of the chain's other pairs, in program order, each once
};

/// Groups pairs into chains. Two pairs that share a queue are in one chain. The root of a chain is the pair with the smallest `later`. If
/// several pairs have this `later`, the root is the one with the largest `earlier`. Chains are in the order of their roots in `pairs`.
[[nodiscard]] std::vector<Chain> chains_of(std::span<const UnorderedPair> pairs);

}  // namespace cox::tools
