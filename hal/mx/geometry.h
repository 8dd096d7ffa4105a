// SPDX-License-Identifier: MIT
// Geometry of the MX engine (GEOMETRY3 in docs/registers.md).
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"

namespace cox::hal::mx {

struct Geometry {
  unsigned macs_per_cycle = 0;     ///< for MX9; at least 1
  std::uint32_t buffer_bytes = 0;  ///< size of the engine's buffer
};

/// Reads the geometry of a device that has the engine. Error: unknown_device, with the name of the field that is out of range.
Result<Geometry> read_geometry();

}  // namespace cox::hal::mx
