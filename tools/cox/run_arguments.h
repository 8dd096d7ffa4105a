// SPDX-License-Identifier: MIT
// The arguments of cox run, and the settings of the machine that they ask for.
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
  std::vector<std::string> in, out, windows, options, configurations, set, memory, dump, keys;
  std::string board = "qemu", image, dispatch = "firmware";
  bool board_given = false;
  std::size_t repeat = 0, batch = 1;
  bool step = false, progress = false, verbose = false, quiet = false;
  std::string durations, trace, svg, stats, events;
  std::uint32_t time_limit_us = 0;
  unsigned cores = 0;
  unsigned units = 0;  ///< 0: not given
  std::uint8_t retries = 0;
  bool firmware_trace = false, no_counters = false, zero_inputs = false;
  unsigned control_core_ns = 0;  ///< 0: not given
  double host_seconds = 0;
};

/// Throws Failure(usage) if options contradict each other.
void check_arguments(const RunArguments &arguments);

/// Returns board, model options and limits. `options`: model options besides those of --option. `needed`: the number of cores that the
/// tasks need, used if --cores is not given. Throws Failure.
run::ExecutionSettings settings_of(const RunArguments &arguments, const nlohmann::json &options, unsigned needed);

/// Returns a progress bar for `jobs` jobs, and sets the callback in `settings` that updates it. Without --progress, returns nullptr if
/// standard error is not a terminal, if --verbose is given, or if there is only one job.
std::unique_ptr<run::ProgressBar> progress_bar(const RunArguments &arguments, std::size_t jobs, run::ExecutionSettings &settings);

/// Prints each fault of the fault plan when it happens, unless --quiet is given. The destructor prints which faults did not happen.
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

/// Returns a function that makes the firmware of this process take only images that are signed with one of the keys in these PEM files.
/// Returns an empty function if there are none. Throws FileError.
[[nodiscard]] std::function<void()> policy_of(const std::vector<std::string> &keys);

/// Writes a file; does nothing if `path` is empty. Throws OutputError.
void write_text(const std::string &path, const std::function<void(std::ostream &)> &writer);

/// Returns true if `file` is a TensorFlow Lite model.
[[nodiscard]] bool is_model(const std::string &file);
/// Runs a model on the native board (run_model.cpp).
void run_model(const RunArguments &arguments);

/// Runs the jobs in the file that --jobs names (run_jobs.cpp).
void run_jobs(const RunArguments &arguments);

}  // namespace cox::tools
