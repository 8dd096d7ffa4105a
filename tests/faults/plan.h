// SPDX-License-Identifier: MIT
// Plans of faults (docs/faults.md, The plan), and their random generator.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/faults/batch.h"

namespace cox::faults {

enum Kind : unsigned {
  kBusError,
  kStuck,
  kStuckForGood,
  kSlow,
  kInterrupt,
  kCompletion,
  kFlipOne,
  kFlipTwo,
  kDoorbell,
  kReset,
  kClock,
  kClockForGood,
  kKinds
};
inline constexpr const char *kKindNames[kKinds] = {"bus_error",  "stuck",           "stuck, until a reset", "slow",     "interrupt",
                                                   "completion", "flip of one bit", "flip of two bits",     "doorbell", "reset",
                                                   "clock",      "clock, for ever"};

/// Cycles that one stuck, slow or clock fault of a random plan lasts at most, if it passes. No time limit is that short.
inline constexpr std::uint64_t kLongestDelay = 2'000'000;

/// Returns the kind of a line of a plan; kKinds if the line begins with no known word.
Kind kind_of(std::string_view line);
/// Returns the cycles of a line that delays the device; 0 if it does not, or does for ever.
std::uint64_t delay_of(std::string_view line);

struct Plan {
  std::vector<Kind> kinds;
  std::string text;
  std::uint64_t delay = 0;  ///< sum of delay_of() of its lines
  [[nodiscard]] bool only(std::initializer_list<Kind> of) const {
    return std::ranges::all_of(kinds, [&](Kind kind) { return std::ranges::find(of, kind) != of.end(); });
  }
  [[nodiscard]] bool has(Kind kind) const { return std::ranges::find(kinds, kind) != kinds.end(); }
};

/// Makes the same plans on every machine. The standard library's distributions give different numbers on different machines.
class Planner {
 public:
  Planner(std::uint64_t seed, const Targets &targets) : random_(seed), targets_(targets) {}

  /// Makes a plan of one to four faults. The first fault has kind `turn` % kKinds, so successive plans go through all kinds.
  Plan make(std::uint64_t turn);

 private:
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }
  std::string nth(const char *key, unsigned most);
  std::string at();
  std::string line(Kind kind);

  std::mt19937_64 random_;
  const Targets &targets_;
};

}  // namespace cox::faults
