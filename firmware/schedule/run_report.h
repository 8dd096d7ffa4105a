// SPDX-License-Identifier: MIT
// The scheduler's report of one run of a task.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/device/waiting_unit.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/tile/core.h"
#include "coxswain/isa/tile/header.h"

namespace cox::firmware::schedule {

/// The report without the counters of each class.
struct RunSummary {
  /// ok, or
  /// - device_fault: `what` is the fault's name, `index` the instruction, `value` the FaultCode, `limit` the fault's detail
  ///   (docs/registers.md, FaultCode). If the task failed because a core with damaged memory was reset, `limit` is this core. If `what` is
  ///   "completion", the device lost a completion, or wrote one that is damaged or matches no instruction in flight. If `what` is "core
  ///   reset", tile core `value` was reset from outside;
  /// - time_limit: `what` is the class of the oldest instruction in flight, and `index` its index. If no instruction was in flight, `what`
  ///   is "completion" and `index` is -1. `value` is the limit in microseconds;
  /// - cancelled: if `what` is "task", Scheduler::cancel() was called. If it is "tile core", tile core `value` was reset, because an
  ///   instruction of another task did not end.
  Status status;
  std::uint64_t start_cycle = 0;  ///< device time before the first doorbell
  std::uint64_t end_cycle = 0;    ///< device time at the end of the last instruction
  /// Instructions that the control core executed from first dispatch to last completion; UINT64_MAX if the board cannot count them.
  std::uint64_t control_instructions = 0;
  std::uint64_t counted_cycle = 0;   ///< device time when `control_instructions` were counted, a little after `end_cycle`
  std::uint64_t clocked_cycles = 0;  ///< cycles in which the clocks of the run's cores ran during the last attempt, summed over the cores
  std::uint32_t accelerator_instructions = 0;  ///< instructions dispatched in the last attempt, including configurations
  std::uint8_t first_core = 0;                 ///< the first of the run's `cores` tile cores
  std::uint8_t cores = 1;
  std::uint8_t retried = 0;         ///< number of restarts
  std::uint8_t warnings = 0;        ///< of a stream: bit i is the engine's warning i (device/engines.h)
  std::uint64_t fault_address = 0;  ///< of a stream: bus address of the instruction that failed, or of memory that ECC could not correct
  /// Units of a stream's engine that waited for keys when it failed. Valid until another stream of the engine fails.
  std::span<const registers::WaitingUnit> waiting;
  bool counted = false;  ///< `clocked_cycles` and RunReport::queues are there (RunOptions::read_counters)
};

struct RunReport : RunSummary {
  /// Counters of each class, summed over the run's cores. They count from the last start of the run until wait() or take() returns the
  /// report. So they include the work of other tasks on these cores, even of tasks that began after this one had ended. The same is true of
  /// `clocked_cycles`.
  std::array<hal::tile::QueueCounters, isa::tile::kClasses> queues{};
};

}  // namespace cox::firmware::schedule
