// SPDX-License-Identifier: MIT
// The bandwidth to DRAM, shared fairly: while n movers transfer, each gets an n-th of it (docs/model.md, DRAM bandwidth).
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/geometry.h"

namespace cox::model {

/// Exact: work is counted in fractions of a byte that every number of movers divides, so that shares have no remainder and a run
/// gives the same cycles on every machine.
class DramChannel {
 public:
  static constexpr unsigned kMoversOfCore = 3;  ///< LD, LW and ST
  static constexpr unsigned kMovers = kMostCores * kMoversOfCore;
  static constexpr std::uint64_t kDivisible = 27720;  ///< by every number up to kMovers

  explicit DramChannel(std::uint32_t bytes_per_1024_cycles) : bytes_per_1024_cycles_(bytes_per_1024_cycles) {}

  /// Mover `mover` (under kMovers, not active) starts to transfer `bytes` (1 to 2^32).
  void begin(unsigned mover, Cycle now, std::uint64_t bytes);
  /// It stops, finished or not.
  void end(unsigned mover, Cycle now);
  /// When it finishes if nobody else begins or ends before that.
  [[nodiscard]] Cycle finish(unsigned mover) const;
  /// Cycles that `bytes` take without competition.
  [[nodiscard]] Cycle alone(std::uint64_t bytes) const;

 private:
  static constexpr std::uint64_t kWorkPerByte = 1024 * kDivisible;

  [[nodiscard]] std::uint64_t share() const { return bytes_per_1024_cycles_ * (kDivisible / active_); }
  void settle(Cycle now);

  std::uint32_t bytes_per_1024_cycles_;
  unsigned active_ = 0;
  Cycle settled_ = 0;
  std::array<std::uint64_t, kMovers> remaining_{};  // work
};

}  // namespace cox::model
