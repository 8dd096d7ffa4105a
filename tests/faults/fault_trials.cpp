// SPDX-License-Identifier: MIT
#include "tests/faults/fault_trials.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "tests/faults/trial.h"

namespace cox::faults {

using campaign::Input;
using campaign::NoSense;
using campaign::Verdict;

std::string run_without_plan(Batch &batch, const std::string &file) {
  const Plan none;
  Totals totals;
  std::string problem = Trial(batch, none, file).run(totals);
  if (problem.empty() && totals.failed != 0) problem = "an inference failed";
  return problem;
}

FaultTrials::FaultTrials()
    : batches_(make_batches("")),
      file_(std::filesystem::temp_directory_path() / ("fault_campaign_" + std::to_string(getpid()) + ".plan")) {}

FaultTrials::~FaultTrials() { std::remove(file_.c_str()); }

const std::string &FaultTrials::prepare(const NamedBatch &named) {
  const auto [prepared, is_new] = prepared_.try_emplace(named.name);
  if (is_new) prepared->second = run_without_plan(*named.batch, file_);
  return prepared->second;
}

Input FaultTrials::make(std::uint64_t seed) {
  const NamedBatch &named = batches_[seed % batches_.size()];
  if (!prepare(named).empty()) return {.header = {"batch " + named.name}, .lines = {}};
  const Targets targets = named.batch->targets();
  const Plan plan = Planner(seed, targets).make(seed / batches_.size());
  Input input{.header = {"batch " + named.name}, .lines = {}};
  for (std::size_t begin = 0; begin < plan.text.size();) {
    const std::size_t end = plan.text.find('\n', begin);
    input.lines.push_back(plan.text.substr(begin, end - begin));
    begin = end + 1;
  }
  return input;
}

Verdict FaultTrials::run(const Input &input) {
  const std::string name = input.value("batch");
  const auto named = std::ranges::find(batches_, name, &NamedBatch::name);
  if (named == batches_.end()) throw NoSense("there is no batch \"" + name + "\"");
  if (const std::string &problem = prepare(*named); !problem.empty()) return {.what = "without a plan: " + problem, .coverage = {}};
  Plan plan;
  for (const std::string &line : input.lines) {
    plan.kinds.push_back(kind_of(line));
    plan.delay += delay_of(line);
    plan.text += line + "\n";
  }
  Trial trial(*named->batch, plan, file_);
  Totals totals;
  const std::string &problem = trial.run(totals);
  if (!trial.is_possible()) throw NoSense(problem);
  return {.what = problem, .coverage = trial.coverage(named->engine)};
}

}  // namespace cox::faults
