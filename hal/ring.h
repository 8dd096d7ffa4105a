// SPDX-License-Identifier: MIT
// What submission and completion queues have in common: a ring of 2^n aligned elements in memory that the device reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/device.h"

namespace cox::hal {

/// Error: invalid_argument ("size_log2") if the device has no queues of 2^size_log2 elements.
[[nodiscard]] Status check_ring_size(const Geometry &geometry, unsigned size_log2);

/// Errors: that of check_ring_size(); invalid_argument if `ring` is too small for 2^size_log2 elements of `element_bytes`, or is not
/// aligned to one element.
[[nodiscard]] Status check_ring(const Geometry &geometry, std::span<const std::byte> ring, std::size_t element_bytes, unsigned size_log2);

}  // namespace cox::hal
