// SPDX-License-Identifier: MIT
// Happens-before as vector clocks: what must have ended before an instruction starts, whatever the timing. Two things order instructions: a
// lane runs its own in order, and the k-th token taken on an ordered pair of lanes is the k-th one put.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "isa/tile/lane.h"
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

  /// The lanes in `previous` of which `lane` has no token to take.
  [[nodiscard]] LaneSet missing(Lane lane, LaneSet previous) const;

  /// The next instruction of `lane` starts: takes the tokens that are there, and returns what has ended before it.
  const Clock &start(Lane lane, LaneSet previous);

  /// The instruction that `lane` started last ends: puts its tokens.
  void end(Lane lane, LaneSet next);

  /// Tokens put and not taken.
  [[nodiscard]] std::size_t left(Lane from, Lane to) const { return tokens(from, to).left(); }

 private:
  /// For each token not yet taken the clock of whoever put it. Most pairs never have one, and cost nothing.
  struct Tokens {
    std::vector<Clock> clocks;
    std::size_t taken = 0;

    [[nodiscard]] std::size_t left() const { return clocks.size() - taken; }
    Clock take();
  };
  [[nodiscard]] Tokens &tokens(Lane from, Lane to) { return tokens_[from * kLanes + to]; }
  [[nodiscard]] const Tokens &tokens(Lane from, Lane to) const { return tokens_[from * kLanes + to]; }

  std::array<Clock, kLanes> now_{};  ///< of each lane: at the start of its last instruction
  std::vector<Tokens> tokens_;       ///< of each ordered pair
};

}  // namespace cox::model::hazard
