// SPDX-License-Identifier: MIT
// Happens-before as vector clocks: what must have ended before an instruction starts, independently of the timing. Two rules order
// instructions. A lane runs its instructions in order, and the k-th token taken on an ordered pair of lanes is the k-th token put.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "coxswain/isa/tile/lane.h"
#include "sim/model/hazard/clock.h"

namespace cox::model::hazard {

using isa::tile::for_each_lane;
using isa::tile::Lane;
using isa::tile::LaneSet;

inline constexpr std::size_t kLanes = isa::tile::kMostLanes;

using Clock = QueueClock<kLanes>;

class TokenClocks {
 public:
  TokenClocks() : tokens_(kLanes * kLanes) {}

  /// The lanes in `previous` from which `lane` has no token to take.
  [[nodiscard]] LaneSet missing(Lane lane, LaneSet previous) const;

  /// Call when the next instruction of `lane` starts. Takes a token from each lane in `previous` that has given one. Returns the clock of
  /// the instruction: how many instructions of each lane have certainly ended before it starts.
  const Clock &start(Lane lane, LaneSet previous);

  /// Call when the instruction that `lane` started last has ended. Gives a token to each lane in `next`.
  void end(Lane lane, LaneSet next);

  /// Number of tokens that `from` has given to `to` and that `to` has not taken.
  [[nodiscard]] std::size_t left(Lane from, Lane to) const { return tokens(from, to).left(); }

 private:
  /// The tokens from one lane to another: for each token that is not yet taken, the clock of the lane that gave it. Most pairs of lanes
  /// never have a token and cost no memory.
  struct Tokens {
    std::vector<Clock> clocks;
    std::size_t taken = 0;

    [[nodiscard]] std::size_t left() const { return clocks.size() - taken; }
    Clock take();
  };
  [[nodiscard]] Tokens &tokens(Lane from, Lane to) { return tokens_[from * kLanes + to]; }
  [[nodiscard]] const Tokens &tokens(Lane from, Lane to) const { return tokens_[from * kLanes + to]; }

  std::array<Clock, kLanes> now_{};  ///< for each lane: what has certainly ended before its next instruction takes tokens
  std::vector<Tokens> tokens_;       ///< for each ordered pair of lanes
};

}  // namespace cox::model::hazard
