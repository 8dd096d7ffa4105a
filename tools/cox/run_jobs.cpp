// SPDX-License-Identifier: MIT
// cox run --jobs: runs the tasks of several owners in one boot (docs/cox.md, Jobs of several owners).
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tools/command/failure.h"
#include "tools/command/format_option.h"
#include "tools/cox/run_arguments.h"
#include "tools/file/file.h"
#include "tools/run/jobs/job_list.h"
#include "tools/run/jobs/jobs_file.h"
#include "tools/run/jobs/outputs.h"

namespace cox::tools {
namespace {

// Refuses options that each entry of the jobs file sets for itself, and options that make sense for only one run.
void check_jobs_arguments(const RunArguments &arguments) {
  const auto refuse = [](const char *option, const char *why) {
    throw Failure(ExitCode::usage, std::string(option) + ": not with --jobs; " + why);
  };
  constexpr const char *kEntry = "an entry of the file says it";
  constexpr const char *kOne = "it shows one run";
  if (!arguments.in.empty()) refuse("--in", kEntry);
  if (!arguments.out.empty()) refuse("--out", kEntry);
  if (!arguments.windows.empty()) refuse("--window", kEntry);
  if (arguments.zero_inputs) refuse("--zero-inputs", kEntry);
  if (arguments.repeat > 0) refuse("--repeat", kEntry);
  if (arguments.batch > 1) refuse("--batch", "each of its jobs is one inference");
  if (arguments.no_counters) refuse("--no-counters", "its jobs never read them");
  if (arguments.retries > 0) refuse("--retries", kEntry);
  if (arguments.time_limit_us > 0) refuse("--time-limit", kEntry);
  if (!arguments.trace.empty()) refuse("--trace", kOne);
  if (!arguments.svg.empty()) refuse("--svg", kOne);
  if (!arguments.events.empty()) refuse("--events", kOne);
  if (!arguments.durations.empty()) refuse("--durations", "a trace is of one task");
}

}  // namespace

void run_jobs(const RunArguments &arguments) {
  check_jobs_arguments(arguments);
  refuse_other_kinds(arguments.jobs, "a list of jobs");
  const std::vector<run::JobEntry> entries = run::read_jobs_file(program_formats(), arguments.jobs);
  std::size_t jobs = 0;
  for (const run::JobEntry &entry : entries) {
    for (const run::FileBinding &output : entry.outputs) check_writable(output.file);
    jobs += entry.workload.inferences;
  }
  if (!arguments.stats.empty()) check_writable(arguments.stats);

  run::ExecutionSettings settings = settings_of(arguments, nlohmann::json::object(), run::cores_needed(entries));
  std::unique_ptr<run::ProgressBar> bar = progress_bar(arguments, jobs, settings);
  const FaultNotice faults(arguments, settings);
  const run::JobListResult result = run::execute(entries, settings);
  bar.reset();

  if (!arguments.quiet) run::write_jobs_text(std::cout, entries, result);
  write_text(arguments.stats, [&](std::ostream &out) { run::write_jobs_json(out, entries, result); });
  std::size_t failed = 0;
  bool refused = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto wrong = [i](const run::JobResult &job) { return job.entry == i && !job.error.empty(); };
    if (std::ranges::any_of(result.jobs, wrong)) continue;  // outputs of the entry are missing
    if (entries[i].repeated) run::check_repetitions(entries[i].workload, result.outputs[i]);
    run::write_outputs(entries[i].workload, result.outputs[i], entries[i].outputs, entries[i].repeated);
  }
  for (const run::JobResult &job : result.jobs) {
    if (job.error.empty()) continue;
    ++failed;
    refused = refused && job.refused;
  }
  if (failed > 0) {
    throw Failure(refused ? ExitCode::bad_task : ExitCode::failed,
                  std::to_string(failed) + " of " + std::to_string(result.jobs.size()) + " jobs failed; their lines say why");
  }
}

}  // namespace cox::tools
