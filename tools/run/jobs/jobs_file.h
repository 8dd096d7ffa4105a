// SPDX-License-Identifier: MIT
// The file of `cox run --jobs`: tasks of several owners for one boot (docs/cox.md, Jobs of several owners).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/jobs/workload.h"

namespace cox::tools::run {

/// An entry of the file: a task and its runs.
struct JobEntry {
  Workload workload;
  std::uint8_t owner = 0;
  std::uint8_t priority = 0;
  std::uint8_t core_mask = 0;  ///< 0: any core
  std::uint8_t retries = 0;
  std::uint32_t share = 0;  ///< the owner's weight; 0: not given
  std::uint32_t time_limit_us = 0;
  bool repeated = false;  ///< all inferences have the same inputs, and only the outputs of one are written
  std::vector<FileBinding> outputs;
};

/// Reads the file at `path` and every file that it names; names are relative to its folder. Throws Failure(bad_input), with file, entry and
/// member, if a file cannot be read or has wrong contents. Errors of read_workload() keep their exit code.
std::vector<JobEntry> read_jobs_file(ProgramFormats formats, const std::string &path);

/// Returns how many cores the device must have for the tasks and core masks of all entries.
unsigned cores_needed(const std::vector<JobEntry> &entries);

}  // namespace cox::tools::run
