// SPDX-License-Identifier: MIT
// The bandwidth to DRAM, which movers share. A mover is a part of an engine that transfers bytes. While n movers transfer, each gets an
// n-th of the bandwidth (docs/model.md, DRAM bandwidth).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/model/geometry.h"

namespace cox::model {

/// Counts work in integers, so a run gives the same cycles on every machine. The work that fits into a cycle is a multiple of
/// kDivisible, so up to kMostExact movers share it without a remainder. If more transfer, each share is rounded down, by less than a
/// ten-thousandth.
class DramChannel {
 public:
  static constexpr unsigned kMostMovers = 32;
  static constexpr unsigned kMostExact = 15;
  static constexpr std::uint64_t kDivisible = 360360;  ///< a multiple of every number up to kMostExact
  static_assert(kDivisible / kMostMovers >= 10'000);
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34;

  explicit DramChannel(std::uint32_t bytes_per_1024_cycles) : bytes_per_1024_cycles_(bytes_per_1024_cycles) {}

  /// Gives an engine `count` movers of its own and returns the number of the first. The total is at most kMostMovers.
  [[nodiscard]] unsigned add_movers(unsigned count);

  /// Mover `mover` (under kMostMovers, not active) starts to transfer `bytes` (1 to kMostBytes).
  void begin(unsigned mover, Cycle now, std::uint64_t bytes);
  /// The mover stops, whether it has finished or not.
  void end(unsigned mover, Cycle now);
  /// The mover stands still until resume(). Returns the mover's remaining work, for resume().
  [[nodiscard]] std::uint64_t pause(unsigned mover, Cycle now);
  void resume(unsigned mover, Cycle now, std::uint64_t left);
  /// Divides the bandwidth by `factor` from now on; 1 restores it.
  void slow_down(Cycle now, std::uint64_t factor);
  /// The time when the mover finishes, if no other mover begins or ends before that.
  [[nodiscard]] Cycle finish(unsigned mover) const;
  /// Cycles that `bytes` take without competition.
  [[nodiscard]] Cycle alone(std::uint64_t bytes) const;

 private:
  static constexpr std::uint64_t kWorkPerByte = 1024 * kDivisible;
  static constexpr std::uint64_t kMostBytesPer1024Cycles = 1 << 20;
  // 64 bits must hold the work of the largest transfer plus two shares. A share is what one mover transfers in a cycle. finish() adds
  // nearly one share to round up, and settle() may count nearly one share beyond the end of a transfer.
  static_assert(kMostBytes <= (UINT64_MAX - 2 * kMostBytesPer1024Cycles * kDivisible) / kWorkPerByte);

  [[nodiscard]] std::uint64_t share() const {
    return std::max<std::uint64_t>(bytes_per_1024_cycles_ * (kDivisible / active_) / slow_down_, 1);
  }
  void settle(Cycle now);

  std::uint32_t bytes_per_1024_cycles_;
  std::uint64_t slow_down_ = 1;
  unsigned active_ = 0;
  Cycle settled_ = 0;
  std::array<std::uint64_t, kMostMovers> remaining_{};  // work left in each mover's transfer; a byte is kWorkPerByte
  unsigned movers_ = 0;                                 // number of movers that engines have
  unsigned begun_ = 0;                                  // movers from this number on have never begun a transfer
};

}  // namespace cox::model
