// SPDX-License-Identifier: MIT
// Memory of an application on the MX engine, given out piece by piece.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/base/result.h"

namespace cox::machine {

/// Alignment of regions in DRAM. It is a multiple of the core's cache line (32 bytes), so that core and device never share a line.
inline constexpr std::uint64_t kRegionAlignment = 64;

/// Allocates memory from the front of a region of DRAM, in whole cache lines of the core.
class Arena {
 public:
  Arena() = default;
  Arena(std::uint64_t address, std::uint64_t bytes) : next_(address), end_(address + bytes) {}
  /// Error: no_room ("arena", `value` the requested bytes, `limit` the remaining bytes).
  Result<std::uint64_t> take(std::uint64_t bytes) {
    if (bytes > end_ - next_) {
      return Status(ErrorCode::no_room, "arena", -1, static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(end_ - next_));
    }
    const std::uint64_t taken = next_;
    const std::uint64_t lines = (bytes + kRegionAlignment - 1) / kRegionAlignment * kRegionAlignment;
    next_ += std::min(lines, end_ - next_);
    return taken;
  }
  /// Returns the address of the memory that is left.
  [[nodiscard]] std::uint64_t next() const { return next_; }

 private:
  std::uint64_t next_ = 0, end_ = 0;
};

}  // namespace cox::machine
