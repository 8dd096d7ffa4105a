// SPDX-License-Identifier: MIT
// The scheduler's report of one run of a task.
#pragma once

#include <array>
#include <cstdint>

#include "base/status.h"
#include "hal/device.h"
#include "hal/tile/core.h"
#include "isa/tile/header.h"

namespace cox::firmware::schedule {

struct RunReport {
  /// ok, or
  /// - device_fault: `what` the fault's name, `index` the instruction, `value` the FaultCode, `limit` its detail (docs/registers.md,
  ///   FaultCode; if a core's memory is damaged, the core);
  ///   `what` "completion": a completion was lost or is impossible; `what` "core reset": a tile core (`value`) was reset from outside;
  /// - time_limit: `what` a class that had not ended, `index` its instruction at that time (-1 if none was in flight), `value` the
  ///   limit in microseconds;
  /// - cancelled: `what` "task": Scheduler::cancel() was called; `what` "tile core": tile core `value` was reset, because an instruction of
  ///   another task did not end.
  Status status;
  std::uint64_t start_cycle = 0;  ///< device time before the first doorbell
  std::uint64_t end_cycle = 0;    ///< device time at the end of the last instruction
  std::uint64_t control_instructions =
      0;                             ///< executed by the control core from first dispatch to last completion; UINT64_MAX if it cannot count
  std::uint64_t counted_cycle = 0;   ///< device time when `control_instructions` were counted, a little after `end_cycle`
  std::uint64_t clocked_cycles = 0;  ///< cycles in which its cores had their clocks in the last attempt, summed over the cores
  std::uint32_t accelerator_instructions = 0;  ///< dispatched in the last attempt, configurations included
  std::uint8_t first_core = 0;                 ///< the first of the run's `cores` tile cores
  std::uint8_t cores = 1;
  std::uint8_t retried = 0;  ///< number of restarts
  /// Counters of each class, summed over the run's cores, from its last start until wait() or take() returns the report. They include the
  /// work of other tasks on these cores, even of tasks that began after the end of this one. The same holds for `clocked_cycles`.
  std::array<hal::tile::QueueCounters, isa::tile::kClasses> queues{};
};

}  // namespace cox::firmware::schedule
