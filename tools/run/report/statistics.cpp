// SPDX-License-Identifier: MIT
#include "tools/run/report/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "coxswain/device/engines.h"
#include "sim/model/registry.h"

namespace cox::tools::run {
namespace {

using nlohmann::ordered_json;

template <typename Value>
ordered_json or_null(const std::optional<Value> &value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

double share_of(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole); }

}  // namespace

void Statistics::add(const firmware::job::Outcome &job, bool boot_begins) {
  if (runs.empty()) boot_cycles = job.start_cycle;
  if (boot_begins) {
    shift_ = end_cycle();
    origin_ = job.start_cycle;
  }
  Run run;
  run.start_cycle = job.start_cycle - origin_ + shift_;
  run.end_cycle = job.end_cycle - origin_ + shift_;
  run.accelerator_instructions = job.accelerator_instructions;
  if (job.control_instructions != UINT64_MAX) run.control_core_instructions = job.control_instructions;
  run.first_core = job.first_core;
  run.cores = std::max<unsigned>(job.cores, 1);
  run.inferences = job.inferences;
  run.retried = job.retried;
  run.counting_cycles = job.counting_cycles;
  run.clocked_cycles = job.clocked_cycles;
  runs.push_back(run);
  for (std::size_t i = 0; i < queues.size(); ++i) {
    queues[i].instructions += job.queues[i].instructions;
    queues[i].busy_cycles += job.queues[i].busy_cycles;
    queues[i].stalled_cycles += job.queues[i].stalled_cycles;
    queues[i].bytes += job.queues[i].bytes;
  }
}

std::uint64_t Statistics::inferences() const {
  std::uint64_t sum = 0;
  for (const Run &run : runs) sum += run.inferences;
  return sum;
}

std::uint64_t Statistics::accelerator_instructions() const {
  std::uint64_t sum = 0;
  for (const Run &run : runs) sum += run.accelerator_instructions;
  return sum;
}

std::optional<std::uint64_t> Statistics::control_core_instructions() const {
  std::uint64_t sum = 0;
  for (const Run &run : runs) {
    if (!run.control_core_instructions) return std::nullopt;
    sum += *run.control_core_instructions;
  }
  return sum;
}

unsigned Statistics::task_cores() const {
  unsigned most = 1;
  for (const Run &run : runs) most = std::max(most, run.cores);
  return most;
}

double Statistics::utilisation(std::size_t queue) const { return share_of(queues.at(queue).busy_cycles, end_cycle() * task_cores()); }

std::uint64_t Statistics::dram_bytes() const {
  std::uint64_t sum = 0;
  for (const firmware::job::QueueCounters &queue : queues) sum += queue.bytes;
  return sum;
}

std::uint64_t Statistics::retries() const {
  std::uint64_t sum = 0;
  for (const Run &run : runs) sum += run.retried;
  return sum;
}

std::optional<double> Statistics::asleep() const {
  const std::optional<std::uint64_t> instructions = control_core_instructions();
  std::uint64_t elapsed = 0;
  for (const Run &run : runs) elapsed += run.end_cycle + run.counting_cycles - run.start_cycle;
  if (!instructions || elapsed == 0) return std::nullopt;
  return 1 - instruction_nanoseconds * static_cast<double>(*instructions) / static_cast<double>(elapsed);
}

double Statistics::clock_gated() const {
  std::uint64_t clocked = 0;
  for (const Run &run : runs) clocked += run.clocked_cycles;
  return std::max(0.0, 1 - share_of(clocked, end_cycle() * device_cores));
}

double Statistics::macs_per_cycle() const { return share_of(multiply_accumulates * inferences(), end_cycle()); }

std::optional<double> Statistics::instructions_per_dispatch() const {
  const std::optional<std::uint64_t> instructions = control_core_instructions();
  if (!instructions || accelerator_instructions() == 0) return std::nullopt;
  return share_of(*instructions, accelerator_instructions());
}

void write_statistics_json(std::ostream &out, const Statistics &statistics) {
  ordered_json json;
  json["boot_cycles"] = statistics.boot_cycles;
  json["end_cycle"] = statistics.end_cycle();
  json["inferences"] = statistics.inferences();
  json["images"] = statistics.inferences() * statistics.images;
  json["accelerator_instructions"] = statistics.accelerator_instructions();
  json["control_core_instructions"] = or_null(statistics.control_core_instructions());
  json["instructions_per_dispatch"] = or_null(statistics.instructions_per_dispatch());
  json["multiply_accumulates"] = statistics.multiply_accumulates * statistics.inferences();
  json["macs_per_cycle"] = statistics.macs_per_cycle();
  json["peak_macs_per_cycle"] = statistics.limits ? ordered_json(statistics.limits->macs_per_cycle) : ordered_json(nullptr);
  json["dram_bytes"] = statistics.dram_bytes();
  json["dram_bytes_per_cycle"] = statistics.limits ? ordered_json(statistics.limits->dram_bytes_per_cycle) : ordered_json(nullptr);
  json["energy_femtojoules"] = or_null(statistics.energy_femtojoules);
  json[model::cores_parameter()] = statistics.device_cores;
  json["task_cores"] = statistics.task_cores();
  json["control_core_ns"] =
      statistics.control_core_instructions() ? ordered_json(statistics.instruction_nanoseconds) : ordered_json(nullptr);
  json["asleep"] = or_null(statistics.asleep());
  json["clock_gated"] = statistics.clock_gated();
  json["retries"] = statistics.retries();
  json["ecc_corrected"] = or_null(statistics.corrected_errors);
  const std::span<const char *const> names = model::core_queues();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const firmware::job::QueueCounters &queue = statistics.queues.at(i);
    json["queues"][names[i]] = {{"instructions", queue.instructions},
                                {"busy_cycles", queue.busy_cycles},
                                {"stalled_cycles", queue.stalled_cycles},
                                {"utilisation", statistics.utilisation(i)},
                                {"bytes", queue.bytes}};
  }
  json["cores"] = ordered_json::array();
  for (const auto &core : statistics.cores) {
    ordered_json classes = ordered_json::object();
    for (std::size_t i = 0; i < names.size(); ++i) {
      classes[names[i]] = {{"instructions", core.at(i).instructions},
                           {"occupied_cycles", core.at(i).occupied_cycles},
                           {"occupancy", share_of(core.at(i).occupied_cycles, statistics.end_cycle())}};
    }
    json["cores"].push_back(std::move(classes));
  }
  json["runs"] = ordered_json::array();
  for (const Statistics::Run &run : statistics.runs) {
    json["runs"].push_back({{"start_cycle", run.start_cycle},
                            {"end_cycle", run.end_cycle},
                            {"accelerator_instructions", run.accelerator_instructions},
                            {"control_core_instructions", or_null(run.control_core_instructions)},
                            {"first_core", run.first_core},
                            {"cores", run.cores},
                            {"inferences", run.inferences},
                            {"retried", run.retried},
                            {"counting_cycles", run.counting_cycles},
                            {"clocked_cycles", run.clocked_cycles}});
  }
  out << json.dump(2) << '\n';
}

void write_statistics_text(std::ostream &out, const Statistics &statistics) {
  const std::uint64_t runs = statistics.inferences();
  const char *plural = runs == 1 ? "" : "s";
  out << (statistics.images == 1 ? fmt::format("{} inference{}", runs, plural)
                                 : fmt::format("{} run{} of {} images each", runs, plural, statistics.images));
  out << fmt::format(", {} cycles, {} accelerator instructions", statistics.end_cycle(), statistics.accelerator_instructions());
  if (const auto control = statistics.control_core_instructions(); control && statistics.accelerator_instructions() > 0)
    out << fmt::format(", {} control core instructions ({:.1f} each)", *control, *statistics.instructions_per_dispatch());
  out << fmt::format("\n{:.0f} multiply-accumulates a cycle; {} of {} {} core{}, without a clock {:.1f} % of the time",
                     statistics.macs_per_cycle(), statistics.task_cores(), statistics.device_cores, registers::core_engine().key,
                     statistics.device_cores == 1 ? "" : "s", 100 * statistics.clock_gated());
  if (const auto asleep = statistics.asleep()) out << fmt::format("; control core asleep {:.1f} %", 100 * *asleep);
  if (statistics.retries() > 0) out << fmt::format("; begun again {} time{}", statistics.retries(), statistics.retries() == 1 ? "" : "s");
  if (statistics.corrected_errors.value_or(0) > 0) out << fmt::format("; {} bits corrected by ECC", *statistics.corrected_errors);
  if (std::ranges::all_of(statistics.queues, [](const firmware::job::QueueCounters &queue) { return queue.instructions == 0; })) {
    out << "\n";  // a program of another engine, or counters that were not read
    return;
  }
  out << fmt::format("\n{:<6}{:>14}{:>16}{:>16}{:>10}{:>18}\n", "queue", "instructions", "busy cycles", "stalled cycles", "busy",
                     "bytes of DRAM");
  const std::span<const char *const> names = model::core_queues();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const firmware::job::QueueCounters &queue = statistics.queues.at(i);
    if (queue.instructions == 0) continue;
    out << fmt::format("{:<6}{:>14}{:>16}{:>16}{:>8.1f} %{:>18}\n", names[i], queue.instructions, queue.busy_cycles, queue.stalled_cycles,
                       100 * statistics.utilisation(i), queue.bytes);
  }
}

}  // namespace cox::tools::run
