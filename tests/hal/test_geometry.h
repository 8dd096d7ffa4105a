// SPDX-License-Identifier: MIT
#pragma once

#include "coxswain/hal/device.h"

namespace cox::hal {

/// A device with two cores and three contexts, fewer than the register block has room for.
inline Geometry two_cores() {
  Geometry geometry;
  geometry.cores = 2;
  geometry.contexts = 3;
  geometry.l2_bytes = 1U << 20;
  geometry.l2_block_bytes = 1024;
  geometry.cut_regions = 16;
  geometry.wl0_units = 64;
  geometry.macs_per_cycle = 4096;
  geometry.queue_size_log2_max = 5;
  geometry.clock_mhz = 1000;
  return geometry;
}

}  // namespace cox::hal
