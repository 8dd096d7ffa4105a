// SPDX-License-Identifier: MIT
// Places in the memory that a program gives to a C function, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/hal/cox_accelerator.h"

namespace cox::hal {

/// Takes pieces from the start of a memory. No two pieces share a cache line, and no piece shares one with other memory.
class Places {
 public:
  explicit Places(const cox_memory &memory);

  /// Returns the next `bytes`, aligned to COX_ALIGNMENT. After a failure it returns nullptr, and status() keeps the first error:
  /// - invalid_argument ("memory"): the memory is not in DRAM;
  /// - no_room ("memory"): `value` is the size of the memory, `limit` the size that it needs at least.
  [[nodiscard]] std::byte *take(std::uint64_t bytes);
  /// Takes all that is left, at least COX_ALIGNMENT bytes. Errors as of take().
  [[nodiscard]] std::span<std::byte> take_rest();
  [[nodiscard]] const Status &status() const { return status_; }

 private:
  std::size_t given_;
  std::size_t room_ = 0;
  std::byte *next_ = nullptr;
  Status status_;
};

}  // namespace cox::hal
