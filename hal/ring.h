// SPDX-License-Identifier: MIT
// Common to submission and completion queues: a ring of 2^n aligned elements in memory that the device reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "hal/device.h"

namespace cox::hal {

/// Bus address of memory. On every board it is the pointer itself.
[[nodiscard]] inline std::uint64_t bus_address(std::span<const std::byte> memory) {
  return reinterpret_cast<std::uintptr_t>(memory.data());
}

/// Refuses a `ring` that is too small for 2^size_log2 elements of `element_bytes`, or not aligned to one: invalid_argument.
[[nodiscard]] inline Status check_ring(const Geometry &geometry, std::span<const std::byte> ring, std::size_t element_bytes,
                                       unsigned size_log2) {
  if (size_log2 < 1 || size_log2 > geometry.queue_size_log2_max)
    return Status(ErrorCode::invalid_argument, "size_log2", -1, size_log2, geometry.queue_size_log2_max);
  const std::size_t wanted = element_bytes << size_log2;
  if (ring.size() < wanted)
    return Status(ErrorCode::invalid_argument, "ring size", -1, static_cast<std::int64_t>(ring.size()), static_cast<std::int64_t>(wanted));
  if (bus_address(ring) % element_bytes != 0)
    return Status(ErrorCode::invalid_argument, "ring address", -1, static_cast<std::int64_t>(bus_address(ring)),
                  static_cast<std::int64_t>(element_bytes));
  return Status();
}

}  // namespace cox::hal
