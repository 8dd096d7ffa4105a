// SPDX-License-Identifier: MIT
// Root causes among hazards (docs/hazards.md, Chains): one order that is missing lets many instructions run too early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cox::tools {

/// Two instructions that nothing orders, and the queues (lanes, pipes) that they are in.
struct UnorderedPair {
  std::int32_t earlier = 0, later = 0;
  unsigned from = 0, to = 0;  ///< queue of the earlier and of the later one
};

struct Chain {
  std::size_t root = 0;                 ///< index of the pair to report
  std::vector<std::int32_t> following;  ///< later instructions of the chain's other pairs, in order, each once
};

/// Two pairs are of one chain if they share a queue, also by way of other pairs: what a queue lacks in order, all that wait for it lack
/// too. The root is the pair whose later instruction comes first; of several such pairs the one whose instructions are nearest.
/// Chains are in the order of their roots in `pairs`.
[[nodiscard]] std::vector<Chain> chains_of(std::span<const UnorderedPair> pairs);

}  // namespace cox::tools
