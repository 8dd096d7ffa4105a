// SPDX-License-Identifier: MIT
// cox run: what was asked for, and the machine that it comes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tools/run/jobs/execution.h"
#include "tools/run/jobs/progress_bar.h"
#include "tools/run/report/fault_tally.h"

namespace cox::tools {

struct RunArguments {
  std::string task, jobs;
  std::vector<std::string> in, out, windows, options;
  std::string board = "qemu", dispatch = "firmware";
  std::size_t repeat = 0;
  bool progress = false, verbose = false, quiet = false;
  std::string durations, trace, svg, stats, events;
  std::uint32_t time_limit_us = 0;
  unsigned cores = 0;
  std::uint8_t retries = 0;
  bool firmware_trace = false;
  double host_seconds = 0;
};

/// Throws Failure(usage) where options do not go together.
void check_arguments(const RunArguments &arguments);

/// Board, model options and limits. `options`: what the model is told besides --option; `needed`: cores of the tasks, where --cores does
/// not say how many there are. Throws Failure.
run::ExecutionSettings settings_of(const RunArguments &arguments, const nlohmann::json &options, unsigned needed);

/// A bar for `jobs` jobs where somebody looks at it, told by `settings`; else nullptr.
std::unique_ptr<run::ProgressBar> progress_bar(const RunArguments &arguments, std::size_t jobs, run::ExecutionSettings &settings);

/// Prints what a plan of faults comes to, as it comes, unless --quiet; and when it goes what did not.
class FaultNotice {
 public:
  FaultNotice(const RunArguments &arguments, run::ExecutionSettings &settings);
  FaultNotice(const FaultNotice &) = delete;
  FaultNotice &operator=(const FaultNotice &) = delete;
  ~FaultNotice();

 private:
  run::FaultTally tally_;
  bool quiet_;
};

/// Nothing where `path` is empty. Throws OutputError.
void write_text(const std::string &path, const std::function<void(std::ostream &)> &writer);

/// --jobs (run_jobs.cpp).
void run_jobs(const RunArguments &arguments);

}  // namespace cox::tools
