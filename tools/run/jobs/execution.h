// SPDX-License-Identifier: MIT
// Runs a workload through the firmware. If DRAM cannot hold all inferences at once, they are divided among several boots. Each boot loads
// the task once.
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

namespace cox::tools::run {

struct ExecutionSettings {
  /// Creates the machine for one boot. execute() fills in DRAM size and progress.
  std::function<std::unique_ptr<Board>(const BoardSettings &)> board;
  BoardSettings machine;
  std::uint64_t largest_dram_bytes = 0;  ///< limit of DRAM in a boot; 0: that of the board
  std::uint32_t time_limit_us = 0;       ///< time limit of each run; 0: the firmware's default
  std::uint8_t retries = 0;              ///< retries of each run after a transient fault
  std::size_t batch = 1;                 ///< inferences of a job
  bool counters = true;                  ///< read the device's counters after each inference
  bool trace = false;                    ///< put the firmware's own trace into the recording
  unsigned device_cores = 1;             ///< cores that the device has
  bool count_cores = false;              ///< read the event log for the statistics of each core
  /// File for the model's event log, from which the recording and the statistics of cores are made; empty: no log.
  std::string events_file;
  /// File for the energy that the model counts, for the statistics; empty: no energy. An option `energy` of the machine wins over it.
  std::string energy_file;
};

struct ExecutionResult {
  Statistics statistics;
  std::unique_ptr<Recording> recording;  ///< recording of the first run; nullptr if there was no event log
  OutputBytes outputs;
};

/// Throws Failure if a job fails: `failed` with job, instruction and field; bad_task if the firmware refuses the task.
ExecutionResult execute(const Workload &workload, const ExecutionSettings &settings);

}  // namespace cox::tools::run
