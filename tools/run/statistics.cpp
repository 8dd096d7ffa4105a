// SPDX-License-Identifier: MIT
#include "tools/run/statistics.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/tile/header.h"

namespace cox::tools::run {
namespace {

using isa::tile::kClasses;
using isa::tile::kClassNames;
using nlohmann::ordered_json;

static_assert(kClasses == firmware::job::kQueues);

ordered_json or_null(const std::optional<std::uint64_t> &value) { return value ? ordered_json(*value) : ordered_json(nullptr); }

}  // namespace

void Statistics::add(const firmware::job::Descriptor &job, bool boot_begins) {
  if (boot_begins) {
    shift_ = end_cycle();
    origin_ = job.start_cycle;
  }
  Run run;
  run.start_cycle = job.start_cycle - origin_ + shift_;
  run.end_cycle = job.end_cycle - origin_ + shift_;
  run.accelerator_instructions = job.accelerator_instructions;
  if (job.control_instructions != UINT64_MAX) run.control_core_instructions = job.control_instructions;
  runs.push_back(run);
  for (std::size_t i = 0; i < queues.size(); ++i) {
    queues[i].instructions += job.queues[i].instructions;
    queues[i].busy_cycles += job.queues[i].busy_cycles;
    queues[i].stalled_cycles += job.queues[i].stalled_cycles;
    queues[i].bytes += job.queues[i].bytes;
  }
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

double Statistics::utilisation(std::size_t queue) const {
  return end_cycle() == 0 ? 0 : static_cast<double>(queues.at(queue).busy_cycles) / static_cast<double>(end_cycle());
}

void write_statistics_json(std::ostream &out, const Statistics &statistics) {
  ordered_json json;
  json["end_cycle"] = statistics.end_cycle();
  json["accelerator_instructions"] = statistics.accelerator_instructions();
  json["control_core_instructions"] = or_null(statistics.control_core_instructions());
  json["inferences"] = statistics.runs.size();
  for (std::size_t i = 0; i < kClasses; ++i) {
    const firmware::job::QueueCounters &queue = statistics.queues.at(i);
    json["queues"][kClassNames[i]] = {{"instructions", queue.instructions},
                                      {"busy_cycles", queue.busy_cycles},
                                      {"stalled_cycles", queue.stalled_cycles},
                                      {"utilisation", statistics.utilisation(i)},
                                      {"bytes", queue.bytes}};
  }
  json["runs"] = ordered_json::array();
  for (const Statistics::Run &run : statistics.runs) {
    json["runs"].push_back({{"start_cycle", run.start_cycle},
                            {"end_cycle", run.end_cycle},
                            {"accelerator_instructions", run.accelerator_instructions},
                            {"control_core_instructions", or_null(run.control_core_instructions)}});
  }
  out << json.dump(2) << '\n';
}

void write_statistics_text(std::ostream &out, const Statistics &statistics) {
  const std::size_t inferences = statistics.runs.size();
  out << fmt::format("{} inference{}, {} cycles, {} accelerator instructions", inferences, inferences == 1 ? "" : "s",
                     statistics.end_cycle(), statistics.accelerator_instructions());
  if (const auto control = statistics.control_core_instructions(); control && statistics.accelerator_instructions() > 0) {
    out << fmt::format(", {} control core instructions ({:.1f} each)", *control,
                       static_cast<double>(*control) / static_cast<double>(statistics.accelerator_instructions()));
  }
  out << fmt::format("\n{:<6}{:>14}{:>16}{:>16}{:>10}{:>18}\n", "queue", "instructions", "busy cycles", "stalled cycles", "busy",
                     "bytes of DRAM");
  for (std::size_t i = 0; i < kClasses; ++i) {
    const firmware::job::QueueCounters &queue = statistics.queues.at(i);
    if (queue.instructions == 0) continue;
    out << fmt::format("{:<6}{:>14}{:>16}{:>16}{:>8.1f} %{:>18}\n", kClassNames[i], queue.instructions, queue.busy_cycles,
                       queue.stalled_cycles, 100 * statistics.utilisation(i), queue.bytes);
  }
}

}  // namespace cox::tools::run
