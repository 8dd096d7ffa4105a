// SPDX-License-Identifier: MIT
#include "tools/run/jobs/job_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>

#include "tools/command/failure.h"
#include "tools/run/jobs/job_memory.h"
#include "tools/run/jobs/job_outcome.h"
#include "tools/run/jobs/task_placement.h"
#include "tools/run/picture/lane_picture.h"

namespace cox::tools::run {
namespace {

using firmware::job::Outcome;
using firmware::job::Request;
using firmware::job::State;

class JobList {
 public:
  JobList(const std::vector<JobEntry> &entries, const ExecutionSettings &settings)
      : entries_(entries), settings_(settings), memory_(settings.machine.map->dram_base, capacity(entries)) {
    for (const JobEntry &entry : entries) placements_.emplace_back(entry.workload, 0, entry.workload.inferences, memory_);
    add_shares();
    add_tasks();
  }

  JobListResult run() {
    const std::uint64_t most = settings_.largest_dram_bytes == 0 ? settings_.machine.map->dram_largest_bytes : settings_.largest_dram_bytes;
    if (memory_.bytes() > most) {
      throw Failure(ExitCode::failed, fmt::format("no room in DRAM: images, windows and jobs take {} bytes; the board has at most {}",
                                                  memory_.bytes(), most));
    }
    BoardSettings machine = settings_.machine;
    constexpr std::uint64_t kMebibyte = 1U << 20;
    machine.dram_bytes = std::max(machine.map->dram_default_bytes, (memory_.bytes() + kMebibyte - 1) / kMebibyte * kMebibyte);
    const std::unique_ptr<Board> board = settings_.board(machine);
    memory_.attach(board->dram());
    for (const TaskPlacement &placement : placements_) placement.fill();
    memory_.publish(firmware::job::kExitWhenDone);
    board->run();
    JobListResult result = collect();
    board->power_off();
    return result;
  }

 private:
  static std::uint32_t capacity(const std::vector<JobEntry> &entries) {
    std::size_t jobs = 2 * entries.size();
    for (const JobEntry &entry : entries) jobs += entry.workload.inferences;
    return static_cast<std::uint32_t>(jobs);
  }

  void add_shares() {
    for (const JobEntry &entry : entries_) {
      if (entry.share == 0) continue;
      Request share{};
      share.kind = firmware::job::Kind::share;
      share.owner = entry.owner;
      share.argument = entry.share;
      memory_.add(share);
    }
  }

  void add_tasks() {
    const auto of_entry = [this](Request job, std::size_t entry) {
      job.task_slot = static_cast<std::uint32_t>(entry);
      job.owner = entries_[entry].owner;
      job.priority = entries_[entry].priority;
      return job;
    };
    std::size_t most = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      loads_.push_back(memory_.add(of_entry(placements_[i].load_job(), i)));
      runs_.emplace_back();
      most = std::max(most, entries_[i].workload.inferences);
    }
    for (std::size_t inference = 0; inference < most; ++inference) {
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (inference >= entries_[i].workload.inferences) continue;
        Request run = of_entry(placements_[i].run_job(inference), i);
        run.time_limit_us = entries_[i].time_limit_us;
        run.retries = retries_of(*entries_[i].workload.program, entries_[i].retries);
        run.core_mask = entries_[i].core_mask;
        runs_[i].push_back(memory_.add(run));
      }
    }
  }

  JobListResult collect() const {
    JobListResult result;
    result.outputs.resize(entries_.size());
    std::uint64_t zero = std::numeric_limits<std::uint64_t>::max();
    for (const std::vector<std::size_t> &runs : runs_) {
      for (const std::size_t run : runs) {
        if (memory_.outcome(run).error == 0) zero = std::min(zero, memory_.outcome(run).start_cycle);
      }
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      for (std::size_t inference = 0; inference < runs_[i].size(); ++inference) result.jobs.push_back(result_of(i, inference, zero));
      take_outputs(i, result.outputs[i]);
    }
    const firmware::job::Header &header = memory_.header();
    const bool told = header.awake_us != UINT64_MAX && header.uptime_us > 0;
    // The computed share may be a little below 0, because both times are rounded and the uptime begins a little after the awake time.
    if (!told) return result;
    const unsigned instruction = settings_.machine.instruction_nanoseconds;
    const double awake_us = static_cast<double>(header.awake_us) * instruction / kInstructionNanoseconds;
    result.asleep = std::max(0.0, 1 - awake_us / static_cast<double>(header.uptime_us));
    result.control_core_ns = instruction;
    return result;
  }

  JobResult result_of(std::size_t entry, std::size_t inference, std::uint64_t zero) const {
    const Outcome &load = memory_.outcome(loads_[entry]), &run = memory_.outcome(runs_[entry][inference]);
    const JobProgram &program = *entries_[entry].workload.program;
    JobResult result;
    result.entry = entry;
    result.inference = inference;
    result.refused = load.error != 0;
    if (run.state != State::done) result.error = "the firmware did not come to it";
    if (run.error != 0) {
      result.error =
          (result.refused ? complaint(load, program) : complaint(run, program, contents_of(entries_[entry].workload, inference))) +
          why_not_again(run, entries_[entry].retries, program);
    }
    if (!result.error.empty()) return result;
    result.start_cycle = run.start_cycle - zero;
    result.end_cycle = run.end_cycle - zero;
    result.first_core = run.first_core;
    result.cores = run.cores;
    result.retried = run.retried;
    result.accelerator_instructions = run.accelerator_instructions;
    return result;
  }

  void take_outputs(std::size_t entry, OutputBytes &outputs) const {
    const std::vector<JobProgram::Tensor> &tensors = entries_[entry].workload.program->tensors();
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (tensors[t].direction != JobProgram::Direction::output) continue;
      for (std::size_t inference = 0; inference < runs_[entry].size(); ++inference) {
        const std::span<const std::byte> bytes = placements_[entry].tensor(inference, tensors[t]);
        const auto *first = reinterpret_cast<const std::uint8_t *>(bytes.data());
        outputs[t].insert(outputs[t].end(), first, first + bytes.size());
      }
    }
  }

  const std::vector<JobEntry> &entries_;
  const ExecutionSettings &settings_;
  JobMemory memory_;
  std::deque<TaskPlacement> placements_;
  std::vector<std::size_t> loads_;              // the loading job of each entry
  std::vector<std::vector<std::size_t>> runs_;  // the jobs of each entry's inferences
};

std::string cores_of(const JobResult &job) {
  return job.cores > 1 ? fmt::format("cores {} to {}", job.first_core, job.first_core + job.cores - 1)
                       : fmt::format("core {}", job.first_core);
}

}  // namespace

JobListResult execute(const std::vector<JobEntry> &entries, const ExecutionSettings &settings) { return JobList(entries, settings).run(); }

void write_jobs_text(std::ostream &out, const std::vector<JobEntry> &entries, const JobListResult &result) {
  std::uint64_t end = 0;
  for (const JobResult &job : result.jobs) {
    const JobEntry &entry = entries[job.entry];
    out << fmt::format("entry {}, inference {}: {}, owner {}, priority {}: ", job.entry, job.inference, entry.workload.program->name(),
                       entry.owner, entry.priority);
    if (!job.error.empty()) {
      out << (job.refused ? "refused: " : "failed: ") << job.error << '\n';
      continue;
    }
    out << fmt::format("{}, cycles {} to {} ({})", cores_of(job), grouped(job.start_cycle), grouped(job.end_cycle),
                       grouped(job.end_cycle - job.start_cycle));
    if (job.retried > 0) out << fmt::format(", begun again {} time{}", job.retried, job.retried == 1 ? "" : "s");
    out << '\n';
    end = std::max(end, job.end_cycle);
  }
  const auto failed = std::ranges::count_if(result.jobs, [](const JobResult &job) { return !job.error.empty(); });
  out << fmt::format("{} job{}, {} failed, {} cycles", result.jobs.size(), result.jobs.size() == 1 ? "" : "s", failed, grouped(end));
  if (result.asleep) out << fmt::format("; control core asleep {:.1f} % of the boot", 100 * *result.asleep);
  out << '\n';
}

void write_jobs_json(std::ostream &out, const std::vector<JobEntry> &entries, const JobListResult &result) {
  nlohmann::ordered_json json;
  json["asleep"] = result.asleep ? nlohmann::ordered_json(*result.asleep) : nlohmann::ordered_json(nullptr);
  json["control_core_ns"] = result.control_core_ns ? nlohmann::ordered_json(*result.control_core_ns) : nlohmann::ordered_json(nullptr);
  json["jobs"] = nlohmann::ordered_json::array();
  for (const JobResult &job : result.jobs) {
    const JobEntry &entry = entries[job.entry];
    json["jobs"].push_back({{"entry", job.entry},
                            {"inference", job.inference},
                            {"task", entry.workload.program->name()},
                            {"owner", entry.owner},
                            {"priority", entry.priority},
                            {"error", job.error.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(job.error)},
                            {"start_cycle", job.start_cycle},
                            {"end_cycle", job.end_cycle},
                            {"first_core", job.first_core},
                            {"cores", job.cores},
                            {"retried", job.retried},
                            {"accelerator_instructions", job.accelerator_instructions}});
  }
  out << json.dump(2) << '\n';
}

}  // namespace cox::tools::run
