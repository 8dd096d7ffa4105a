// SPDX-License-Identifier: MIT
// What the runs of a task came to, from the firmware's job records (docs/cox.md, run).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "firmware/job/job_queue.h"

namespace cox::tools::run {

struct Statistics {
  /// One inference; cycles since the first inference's start, those of later boots put behind those of earlier ones.
  struct Run {
    std::uint64_t start_cycle = 0;
    std::uint64_t end_cycle = 0;
    std::uint64_t accelerator_instructions = 0;
    std::optional<std::uint64_t> control_core_instructions;  ///< not where the board cannot count
  };
  std::vector<Run> runs;
  std::array<firmware::job::QueueCounters, firmware::job::kQueues> queues{};

  /// Adds a finished run. `boot_begins`: its cycles have no relation to those of the run before.
  void add(const firmware::job::Descriptor &job, bool boot_begins);

  [[nodiscard]] std::uint64_t end_cycle() const { return runs.empty() ? 0 : runs.back().end_cycle; }
  [[nodiscard]] std::uint64_t accelerator_instructions() const;
  /// Empty if it is so for any run.
  [[nodiscard]] std::optional<std::uint64_t> control_core_instructions() const;
  /// Share of the cycles up to the end, from 0 to 1, in which the queue's engine was busy.
  [[nodiscard]] double utilisation(std::size_t queue) const;

 private:
  std::uint64_t origin_ = 0;  // device time that is cycle `shift_` of the statistics
  std::uint64_t shift_ = 0;
};

/// {"end_cycle", "accelerator_instructions", "control_core_instructions", "inferences", "queues": {"PE": {...}, ...}, "runs": [...]}.
void write_statistics_json(std::ostream &out, const Statistics &statistics);
/// A table for people.
void write_statistics_text(std::ostream &out, const Statistics &statistics);

}  // namespace cox::tools::run
