// SPDX-License-Identifier: MIT
// Happens-before between the pipes of the matrix unit as vector clocks (docs/isa/cube.md, Flags): a pipe runs its slots in order, the k-th
// wait for a flag takes the k-th that was set, and a barrier holds everything after it until the pipes that it names have ended what they
// were given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/cube/instruction.h"
#include "sim/model/hazard/clock.h"

namespace cox::model::cube {

using Clock = hazard::QueueClock<isa::cube::kPipes>;

/// What stood in the stream, so far, of the flag of one event from one pipe to another.
struct FlagHistory {
  std::uint32_t sets = 0, waits = 0;

  [[nodiscard]] std::uint32_t left() const { return sets - waits; }
};

class FlagClocks {
 public:
  /// The bits of `waits`, a wait mask of `own`, for which nothing was set that is not taken.
  [[nodiscard]] std::uint32_t missing(isa::cube::Pipe own, std::uint32_t waits) const;
  /// The bits of `sets`, a set mask of `own`, of which kMostFlags are there already.
  [[nodiscard]] std::uint32_t overflowing(isa::cube::Pipe own, std::uint32_t sets) const;

  /// The next slot of `own` starts: takes its flags, of which none is missing, and returns what has ended before it.
  const Clock &start(isa::cube::Pipe own, std::uint32_t waits);
  /// That slot, `instruction`, ends: gives its flags, of which none overflows.
  void end(isa::cube::Pipe own, std::uint32_t sets, std::int32_t instruction);
  /// A barrier; `pipes`: a bit a pipe.
  void barrier(std::uint32_t pipes);

  /// Slots of that pipe that have started.
  [[nodiscard]] std::uint32_t started(isa::cube::Pipe pipe) const { return started_[static_cast<std::size_t>(pipe)]; }
  [[nodiscard]] const FlagHistory &history(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) const {
    return flag(from, to, event).history;
  }
  /// Who set the flag that the next wait takes (0), or the one after; below history().left().
  [[nodiscard]] std::int32_t setter(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event, std::uint32_t place) const;

 private:
  struct Given {
    Clock clock;
    std::int32_t instruction = -1;
  };
  struct Flag {
    FlagHistory history;
    std::array<Given, isa::cube::kMostFlags> given;  ///< a ring: the n-th that was set is at n % kMostFlags
  };

  static std::size_t index(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) {
    return (static_cast<std::size_t>(from) * isa::cube::kPipes + static_cast<std::size_t>(to)) * isa::cube::kEvents + event;
  }
  [[nodiscard]] const Flag &flag(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) const { return flags_[index(from, to, event)]; }
  [[nodiscard]] Flag &flag(isa::cube::Pipe from, isa::cube::Pipe to, unsigned event) { return flags_[index(from, to, event)]; }

  std::array<Clock, isa::cube::kPipes> now_{};  ///< of each pipe: what has ended before its next slot, its flags left out
  std::array<std::uint32_t, isa::cube::kPipes> started_{};
  std::array<Flag, isa::cube::kPipes * isa::cube::kPipes * isa::cube::kEvents> flags_{};
};

}  // namespace cox::model::cube
