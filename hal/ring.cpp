// SPDX-License-Identifier: MIT
#include "coxswain/hal/ring.h"

namespace cox::hal {

Status check_ring_size(const Geometry &geometry, unsigned size_log2) {
  if (size_log2 >= 1 && size_log2 <= geometry.queue_size_log2_max) return Status();
  return Status(ErrorCode::invalid_argument, "size_log2", -1, size_log2, geometry.queue_size_log2_max);
}

Status check_ring(const Geometry &geometry, std::span<const std::byte> ring, std::size_t element_bytes, unsigned size_log2) {
  if (const Status status = check_ring_size(geometry, size_log2); !status.ok()) return status;
  const std::size_t wanted = element_bytes << size_log2;
  if (ring.size() < wanted)
    return Status(ErrorCode::invalid_argument, "ring size", -1, static_cast<std::int64_t>(ring.size()), static_cast<std::int64_t>(wanted));
  if (bus_address(ring) % element_bytes != 0)
    return Status(ErrorCode::invalid_argument, "ring address", -1, static_cast<std::int64_t>(bus_address(ring)),
                  static_cast<std::int64_t>(element_bytes));
  return Status();
}

}  // namespace cox::hal
