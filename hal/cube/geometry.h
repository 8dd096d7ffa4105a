// SPDX-License-Identifier: MIT
// Geometry of the matrix unit (GEOMETRY4 to GEOMETRY6 in docs/registers.md).
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"

namespace cox::hal::cube {

struct Geometry {
  std::uint32_t l1_bytes = 0;
  std::uint32_t l0a_bytes = 0;
  std::uint32_t l0b_bytes = 0;
  std::uint32_t l0c_bytes = 0;
  std::uint32_t bias_table_bytes = 0;
  unsigned macs_per_cycle = 0;  ///< for BF16; at least 1
};

/// Reads the geometry of a device that has the engine. Error: unknown_device, with the name of the buffer, if a buffer's size differs from
/// that in isa/cube/layout.h, for which the kernels are compiled.
Result<Geometry> read_geometry();

}  // namespace cox::hal::cube
