// SPDX-License-Identifier: MIT
// Happens-before as vector clocks: what must have ended before an instruction starts, whatever the timing. Two things order instructions: a
// class runs its own in order, and the k-th token taken on an ordered pair of classes is the k-th one put.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "isa/tile/header.h"
#include "sim/model/hazard/clock.h"

namespace cox::model::hazard {

using Clock = QueueClock<isa::tile::kClasses>;

class TokenClocks {
 public:
  /// The classes in `previous` (a bit a class) of which `queue` has no token to take.
  [[nodiscard]] std::uint32_t missing(isa::tile::Class queue, std::uint32_t previous) const;

  /// The next instruction of `queue` starts: takes the tokens that are there, and returns what has ended before it.
  const Clock &start(isa::tile::Class queue, std::uint32_t previous);

  /// The instruction that `queue` started last ends: puts its tokens.
  void end(isa::tile::Class queue, std::uint32_t next);

  /// Tokens put and not taken.
  [[nodiscard]] std::size_t left(isa::tile::Class from, isa::tile::Class to) const;

 private:
  static std::size_t number(isa::tile::Class queue) { return static_cast<std::size_t>(queue); }

  std::array<Clock, isa::tile::kClasses> now_{};  ///< of each class: at the start of its last instruction
  /// tokens_[from][to]: for each token not yet taken the clock of whoever put it.
  std::array<std::array<std::deque<Clock>, isa::tile::kClasses>, isa::tile::kClasses> tokens_{};
};

}  // namespace cox::model::hazard
