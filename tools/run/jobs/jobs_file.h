// SPDX-License-Identifier: MIT
// The file of `cox run --jobs`: tasks of several owners for one boot (docs/cox.md, Jobs of several owners).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/jobs/workload.h"

namespace cox::tools::run {

/// A task and its runs, as an entry of the file says.
struct JobEntry {
  Workload workload;
  std::uint8_t owner = 0;
  std::uint8_t priority = 0;
  std::uint8_t core_mask = 0;  ///< 0: any
  std::uint8_t retries = 0;
  std::uint32_t share = 0;  ///< the owner's weight; 0: not said
  std::uint32_t time_limit_us = 0;
  bool repeated = false;  ///< all inferences are the same, and one is written
  std::vector<FileBinding> outputs;
};

/// Reads the file at `path` and every file that it names, by its own folder. Throws Failure(bad_input) where a file cannot be read or does
/// not say what it should: with file, entry and member; what read_workload() refuses, likewise, with its exit code.
std::vector<JobEntry> read_jobs_file(const std::string &path);

/// The most cores that an entry needs or names.
unsigned cores_needed(const std::vector<JobEntry> &entries);

}  // namespace cox::tools::run
