// SPDX-License-Identifier: MIT
// Memory that a host hands out in a control core's DRAM.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "coxswain/base/result.h"

namespace cox::host {

/// Whole blocks of firmware::job::kBlock bytes, first fit. All functions may be called by all threads.
class Memory {
 public:
  /// Hands out the blocks that lie wholly in [begin, end).
  Memory(std::uint64_t begin, std::uint64_t end);

  /// Returns the address of `bytes` bytes. Error: no_room ("DRAM"), with the size of the largest free piece as limit.
  Result<std::uint64_t> allocate(std::uint64_t bytes);
  /// Error: invalid_argument ("address") if `address` is not one that allocate() returned, or was given back.
  Status free(std::uint64_t address);

 private:
  using Pieces = std::map<std::uint64_t, std::uint64_t>;  ///< address and size

  std::mutex mutex_;
  Pieces free_, used_;
};

}  // namespace cox::host
