// SPDX-License-Identifier: MIT
// The bandwidth to DRAM, shared fairly: while n movers transfer, each gets an n-th of it (docs/model.md, DRAM bandwidth).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/model/geometry.h"

namespace cox::model {

/// Exact: work is counted in fractions of a byte that every number of movers divides, so that shares have no remainder and a run
/// gives the same cycles on every machine.
class DramChannel {
 public:
  static constexpr unsigned kMostMovers = 15;
  static constexpr std::uint64_t kDivisible = 360360;  ///< by every number up to kMostMovers
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34;

  explicit DramChannel(std::uint32_t bytes_per_1024_cycles) : bytes_per_1024_cycles_(bytes_per_1024_cycles) {}

  /// Gives an engine `count` movers of its own: the number of the first. There are at most kMostMovers in all.
  [[nodiscard]] unsigned add_movers(unsigned count);

  /// Mover `mover` (under kMostMovers, not active) starts to transfer `bytes` (1 to kMostBytes).
  void begin(unsigned mover, Cycle now, std::uint64_t bytes);
  /// It stops, finished or not.
  void end(unsigned mover, Cycle now);
  /// It stands still: what it has left to move, for resume().
  [[nodiscard]] std::uint64_t pause(unsigned mover, Cycle now);
  void resume(unsigned mover, Cycle now, std::uint64_t left);
  /// From now on there is a `factor`-th of the bandwidth; 1 again ends that.
  void slow_down(Cycle now, std::uint64_t factor);
  /// When it finishes if nobody else begins or ends before that.
  [[nodiscard]] Cycle finish(unsigned mover) const;
  /// Cycles that `bytes` take without competition.
  [[nodiscard]] Cycle alone(std::uint64_t bytes) const;

 private:
  static constexpr std::uint64_t kWorkPerByte = 1024 * kDivisible;
  static constexpr std::uint64_t kMostBytesPer1024Cycles = 1 << 20;
  // A transfer's work, and the share of a cycle that finish() rounds up by and settle() runs past the end of the shortest one by.
  static_assert(kMostBytes <= (UINT64_MAX - 2 * kMostBytesPer1024Cycles * kDivisible) / kWorkPerByte);

  [[nodiscard]] std::uint64_t share() const {
    return std::max<std::uint64_t>(bytes_per_1024_cycles_ * (kDivisible / active_) / slow_down_, 1);
  }
  void settle(Cycle now);

  std::uint32_t bytes_per_1024_cycles_;
  std::uint64_t slow_down_ = 1;
  unsigned active_ = 0;
  Cycle settled_ = 0;
  std::array<std::uint64_t, kMostMovers> remaining_{};  // work
  unsigned movers_ = 0;                                 // that engines have
};

}  // namespace cox::model
