// SPDX-License-Identifier: MIT
// What the scheduler says about one run of a task.
#pragma once

#include <array>
#include <cstdint>

#include "base/status.h"
#include "hal/device.h"
#include "isa/tile/header.h"

namespace cox::firmware::schedule {

struct RunReport {
  /// ok; device_fault: `what` the fault's name, `index` the instruction, `value` the FaultCode, `limit` its detail (an address or an
  /// opcode); time_limit: `what` a class that had not come to an end, `index` its instruction at that time (-1 if none was in flight),
  /// `value` the limit in microseconds; cancelled: another task's instruction would not end and took the tile core with it.
  Status status;
  std::uint64_t start_cycle = 0;  ///< device time before the first doorbell
  std::uint64_t end_cycle = 0;    ///< device time at the end of the last instruction
  std::uint64_t control_instructions =
      0;  ///< executed by the control core from first dispatch to last completion; UINT64_MAX where it cannot count
  std::uint32_t accelerator_instructions = 0;  ///< dispatched, configurations included
  std::array<hal::QueueCounters, isa::tile::kClasses>
      queues{};  ///< of the core's queues between start and end: with other tasks' work, where tasks ran side by side
};

}  // namespace cox::firmware::schedule
