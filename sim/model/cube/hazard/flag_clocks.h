// SPDX-License-Identifier: MIT
// Happens-before between the pipes of the matrix unit as vector clocks (docs/isa/cube.md, Flags). A pipe runs its slots in order. The k-th
// wait for a flag takes the k-th setting of this flag. A barrier names pipes, and delays all later slots until these pipes have ended all
// earlier slots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "coxswain/isa/cube/instruction.h"
#include "sim/model/hazard/clock.h"

namespace cox::model::cube {

using Clock = hazard::QueueClock<isa::cube::kPipes>;

/// The history of one flag (one event from one pipe to another) in the stream so far.
struct FlagHistory {
  std::uint32_t sets = 0, waits = 0;

  [[nodiscard]] std::uint32_t left() const { return sets - waits; }
};

class FlagClocks {
 public:
  /// `waits` names the flags for which a slot of pipe `own` waits. Returns the bits of the flags that are not set.
  [[nodiscard]] std::uint32_t missing(isa::cube::Pipe own, std::uint32_t waits) const;
  /// `sets` names the flags that a slot of pipe `own` sets. Returns the bits of the flags that are full: the number of sets exceeds the
  /// number of waits by kMostFlags.
  [[nodiscard]] std::uint32_t overflowing(isa::cube::Pipe own, std::uint32_t sets) const;

  /// The next slot of pipe `own` starts. Takes the flags of `waits`, which must all be set. Returns what has ended before the slot starts.
  const Clock &start(isa::cube::Pipe own, std::uint32_t waits);
  /// The slot that started last on pipe `own` ends and sets the flags in `sets`, none of which may be full. Its number is `instruction`.
  void end(isa::cube::Pipe own, std::uint32_t sets, std::int32_t instruction);
  /// A barrier. `pipes` has one bit for each pipe.
  void barrier(std::uint32_t pipes);

  /// Number of slots of this pipe that have started.
  [[nodiscard]] std::uint32_t started(isa::cube::Pipe pipe) const { return started_[static_cast<std::size_t>(pipe)]; }
  [[nodiscard]] const FlagHistory &history(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) const {
    return flag(from, to, event).history;
  }
  /// Returns the instruction that has set this flag for the next wait (`place` 0), for the wait after that (1), and so on. `place` must be
  /// below history().left().
  [[nodiscard]] std::int32_t setter(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event, std::uint32_t place) const;

 private:
  struct Given {
    Clock clock;
    std::int32_t instruction = -1;
  };
  struct Flag {
    FlagHistory history;
    std::array<Given, isa::cube::kMostFlags> given;  ///< a ring: the n-th setting of the flag is at n % kMostFlags
  };

  static std::size_t index(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) {
    return (static_cast<std::size_t>(from) * isa::cube::kPipes + static_cast<std::size_t>(to)) * isa::cube::kEvents + event;
  }
  [[nodiscard]] const Flag &flag(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) const { return flags_[index(from, to, event)]; }
  [[nodiscard]] Flag &flag(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) { return flags_[index(from, to, event)]; }

  /// For each pipe: what is known to have ended when its next slot starts, even if that slot waits for no flag.
  std::array<Clock, isa::cube::kPipes> now_{};
  std::array<std::uint32_t, isa::cube::kPipes> started_{};
  std::array<Flag, isa::cube::kPipes * isa::cube::kPipes * isa::cube::kEvents> flags_{};
};

}  // namespace cox::model::cube
