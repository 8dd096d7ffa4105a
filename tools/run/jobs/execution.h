// SPDX-License-Identifier: MIT
// Runs a workload through the firmware: as many boots as DRAM makes necessary, one load and many runs in each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/run/boards/board.h"
#include "tools/run/jobs/outputs.h"
#include "tools/run/jobs/workload.h"
#include "tools/run/report/statistics.h"
#include "tools/run/timeline/timeline.h"

namespace cox::tools::run {

struct ExecutionSettings {
  /// Makes the machine for one boot; DRAM size and progress are filled in for it.
  std::function<std::unique_ptr<Board>(const BoardSettings &)> board;
  BoardSettings machine;
  std::uint64_t largest_dram_bytes = 0;  ///< that a boot may have; 0: as much as the board can
  std::uint32_t time_limit_us = 0;       ///< of each run; 0: the firmware's default
  std::uint8_t retries = 0;              ///< of each run, after a fault that passes
  bool trace = false;                    ///< put the firmware's own trace into the timeline
  unsigned tile_cores = 1;               ///< of the device
  bool count_cores = false;              ///< read the event log for the statistics of each core
  std::string events_file;               ///< where the model logs a boot, for timeline and cores; empty: none is wanted
};

struct ExecutionResult {
  Statistics statistics;
  Timeline timeline;  ///< of the first run, if it was wanted
  OutputBytes outputs;
};

/// Throws Failure(failed) naming the job, the instruction and the field where a job fails: bad_task where the firmware refuses the task.
ExecutionResult execute(const Workload &workload, const ExecutionSettings &settings);

}  // namespace cox::tools::run
