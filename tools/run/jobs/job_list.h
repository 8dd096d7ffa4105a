// SPDX-License-Identifier: MIT
// Runs the tasks of several owners in one boot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tools/run/jobs/execution.h"
#include "tools/run/jobs/jobs_file.h"

namespace cox::tools::run {

/// The outcome of one run.
struct JobResult {
  std::size_t entry = 0, inference = 0;
  std::string error;                             ///< empty: the run succeeded
  bool refused = false;                          ///< the firmware refused the task
  std::uint64_t start_cycle = 0, end_cycle = 0;  ///< cycles since the first run's start
  unsigned first_core = 0, cores = 0, retried = 0;
  std::uint64_t accelerator_instructions = 0;
};

struct JobListResult {
  std::vector<JobResult> jobs;              ///< ordered by entry, then by inference
  std::vector<OutputBytes> outputs;         ///< outputs of each entry
  std::optional<double> asleep;             ///< share of the boot in which the control core slept; empty: the board cannot tell
  std::optional<unsigned> control_core_ns;  ///< nanoseconds of an instruction of the control core; empty: the board cannot tell
};

/// Submits first the jobs that set owners' shares and load programs, then the first run of each entry, then the second, and so on. Throws
/// Failure(failed) if DRAM has no room or the machine fails. A failed job does not throw: its JobResult has the error.
JobListResult execute(const std::vector<JobEntry> &entries, const ExecutionSettings &settings);

/// Writes a line for each job, and a line about all jobs.
void write_jobs_text(std::ostream &out, const std::vector<JobEntry> &entries, const JobListResult &result);
/// Writes {"asleep", "control_core_ns", "jobs": [{"task", "owner", "priority", "inference", "error", "start_cycle", "end_cycle",
/// "first_core", "cores",
/// ...}]}.
void write_jobs_json(std::ostream &out, const std::vector<JobEntry> &entries, const JobListResult &result);

}  // namespace cox::tools::run
