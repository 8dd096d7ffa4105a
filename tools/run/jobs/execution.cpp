// SPDX-License-Identifier: MIT
#include "tools/run/jobs/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/model/options.h"
#include "tools/command/failure.h"
#include "tools/run/jobs/inference_plan.h"
#include "tools/run/jobs/job_outcome.h"
#include "tools/run/jobs/readings.h"
#include "tools/run/report/core_work.h"
#include "tools/run/report/energy.h"

namespace cox::tools::run {
namespace {

using firmware::job::Outcome;
using firmware::job::State;

constexpr const char *kEnergy = "energy";  // the option of the model

void expect_done(const Outcome &job, const std::string &name) {
  if (job.state != State::done) throw Failure(ExitCode::failed, name + ": the firmware did not come to it");
}

void check_load(const Outcome &job, const JobProgram &program) {
  expect_done(job, program.name());
  if (job.error != 0) throw Failure(ExitCode::bad_task, program.name() + ": " + complaint(job, program) + why_not_again(job, 0, program));
}

void check_run(const Outcome &job, const std::string &name, const Workload &workload, std::size_t inference, std::uint8_t retries) {
  expect_done(job, name);
  if (job.error == 0) return;
  const JobProgram &program = *workload.program;
  throw Failure(ExitCode::failed,
                name + ": " + complaint(job, program, contents_of(workload, inference)) + why_not_again(job, retries, program));
}

class Execution {
 public:
  Execution(const Workload &workload, const ExecutionSettings &settings) : workload_(workload), settings_(settings) {}

  ExecutionResult run() {
    while (done_ < workload_.inferences) boot();
    return std::move(result_);
  }

 private:
  void boot() {
    BoardSettings machine = settings_.machine;
    const std::uint64_t most = settings_.largest_dram_bytes == 0 ? machine.map->dram_largest_bytes : settings_.largest_dram_bytes;
    InferencePlan plan(workload_, done_, inferences_that_fit(workload_, done_, most), settings_.time_limit_us,
                       {.dram_base = machine.map->dram_base,
                        .retries = retries_of(*workload_.program, settings_.retries),
                        .trace = settings_.trace && done_ == 0,
                        .batch = settings_.batch,
                        .counters = settings_.counters});
    constexpr std::uint64_t kMebibyte = 1U << 20;
    machine.dram_bytes = std::max(machine.map->dram_default_bytes, (plan.bytes() + kMebibyte - 1) / kMebibyte * kMebibyte);
    ask_for_energy(machine);
    const bool log_events = !settings_.events_file.empty() && (done_ == 0 || settings_.count_cores);
    if (log_events) {
      nlohmann::json options = nlohmann::json::parse(machine.model_options);
      options["events"] = settings_.events_file;
      machine.model_options = options.dump();
    }
    if (settings_.machine.progress) {
      // The first job of a boot is the load, so it is not counted as an inference.
      machine.progress = [this](std::uint32_t completed) {
        const std::size_t inferences = (std::max(completed, 1U) - 1) * settings_.batch;
        settings_.machine.progress(static_cast<std::uint32_t>(std::min(done_ + inferences, workload_.inferences)));
      };
    }
    const std::unique_ptr<Board> board = settings_.board(machine);
    plan.fill(board->dram());
    board->run();
    collect(plan);
    const RunPlace place{plan.run_outcome(0).start_cycle, plan.run_outcome(0).first_core};
    const bool traced = settings_.trace && done_ == 0;
    std::vector<std::byte> trace;
    if (traced) trace.assign(plan.trace().begin(), plan.trace().end());
    board->power_off();  // the model's log is complete then, and DRAM is gone
    if (log_events && done_ == 0 && workload_.program->is_recorded())
      result_.recording = workload_.program->read_recording(settings_.events_file, place);
    if (traced && result_.recording != nullptr) result_.recording->add_control_trace(trace);
    add_energy(machine);
    if (log_events && settings_.count_cores) add_core_work(result_.statistics, settings_.events_file, settings_.device_cores);
    done_ += plan.inferences();
  }

  // Gives the model a file for the energy, unless its options name one.
  void ask_for_energy(BoardSettings &machine) const {
    if (settings_.energy_file.empty()) return;
    nlohmann::json options = nlohmann::json::parse(machine.model_options);
    options.emplace(kEnergy, settings_.energy_file);
    machine.model_options = options.dump();
  }

  void add_energy(const BoardSettings &machine) {
    if (settings_.energy_file.empty()) return;
    const std::string file = nlohmann::json::parse(machine.model_options).at(kEnergy);
    if (const auto energy = energy_of_file(file))
      result_.statistics.energy_femtojoules = result_.statistics.energy_femtojoules.value_or(0) + *energy;
  }

  void collect(const InferencePlan &plan) {
    const JobProgram &program = *workload_.program;
    result_.statistics.device_cores = settings_.device_cores;
    result_.statistics.multiply_accumulates = program.multiply_accumulates();
    result_.statistics.images = program.interface().images;
    result_.statistics.instruction_nanoseconds = settings_.machine.instruction_nanoseconds;
    std::string error;
    if (const auto device = model::parse_options(settings_.machine.model_options.c_str(), error))
      result_.statistics.limits = program.limits(*device);
    result_.statistics.corrected_errors = result_.statistics.corrected_errors.value_or(0) + corrected_errors(plan.faults());
    check_load(plan.load_outcome(), program);
    for (std::size_t i = 0; i < plan.inferences(); ++i) {
      const Outcome &run = plan.run_outcome(i);
      if (i % settings_.batch == 0) {
        const std::size_t inference = done_ + i + run.inferences;
        const bool only = workload_.inferences == 1;
        check_run(run, only ? program.name() : fmt::format("{}, inference {}", program.name(), inference), workload_, only ? 0 : inference,
                  settings_.retries);
        result_.statistics.add(run, i == 0);
      }
      for (std::size_t t = 0; t < program.tensors().size(); ++t) {
        const JobProgram::Tensor &tensor = program.tensors()[t];
        if (tensor.direction != JobProgram::Direction::output) continue;
        const std::span<const std::byte> bytes = plan.tensor(i, tensor);
        const auto *first = reinterpret_cast<const std::uint8_t *>(bytes.data());
        result_.outputs[t].insert(result_.outputs[t].end(), first, first + bytes.size());
      }
    }
  }

  const Workload &workload_;
  const ExecutionSettings &settings_;
  std::size_t done_ = 0;
  ExecutionResult result_;
};

}  // namespace

ExecutionResult execute(const Workload &workload, const ExecutionSettings &settings) { return Execution(workload, settings).run(); }

}  // namespace cox::tools::run
