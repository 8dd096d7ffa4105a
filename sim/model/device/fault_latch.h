// SPDX-License-Identifier: MIT
// The registers FAULT_*. They hold the first fault since firmware last cleared them (docs/model.md, Faults).
#pragma once

#include <cstdint>

#include "sim/model/device/fault.h"
#include "sim/model/geometry.h"

namespace cox::model {

struct FaultLatch {
  bool valid = false;
  bool level = false;  ///< true when the interrupt's latency is over
  Fault fault;
  std::uint32_t queue = 0, context = 0, tag = 0;
  Cycle time = 0;

  void record(const Fault &first, std::uint32_t in_queue, std::uint32_t of_context, std::uint32_t index, Cycle now) {
    if (!valid) *this = {true, false, first, in_queue, of_context, index, now};
  }
};

}  // namespace cox::model
