// SPDX-License-Identifier: MIT
// The parts of a device that fault plans can name.
#pragma once

#include <cstdint>
#include <vector>

#include "coxswain/device/engines.h"

namespace cox::model {

struct Inventory {
  unsigned cores = 0;                                   ///< number of cores, which have submission queues and buffers of their own
  std::uint64_t l2_bytes = 0, wl0_bytes = 0;            ///< of each core
  std::vector<const registers::EngineRow *> engines{};  ///< engines that have a ring, sorted by number
};

}  // namespace cox::model
