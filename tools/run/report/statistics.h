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
    unsigned first_core = 0, cores = 1;                      ///< that it had
    unsigned retried = 0;                                    ///< how often it began again
    std::uint64_t counting_cycles = 0;                       ///< from the end until the control core's instructions were counted
    std::uint64_t clocked_cycles = 0;                        ///< of all its cores, while their clocks ran
  };
  std::vector<Run> runs;
  std::array<firmware::job::QueueCounters, firmware::job::kQueues> queues{};  ///< by class, of all cores together

  std::uint64_t boot_cycles = 0;                    ///< from power-on to the first doorbell of the first run
  unsigned tile_cores = 1;                          ///< of the device
  std::uint64_t multiply_accumulates = 0;           ///< of one run
  std::uint64_t images = 1;                         ///< of one run
  std::optional<std::uint64_t> corrected_errors{};  ///< single-bit errors that ECC corrected, as far as the firmware's log says

  /// By core of the device and class, where the event log was read.
  struct Work {
    std::uint64_t instructions = 0;
    std::uint64_t occupied_cycles = 0;  ///< from starts to ends, waiting for bandwidth included, which busy cycles of queues are not
  };
  std::vector<std::array<Work, firmware::job::kQueues>> cores;

  /// Adds a finished run. `boot_begins`: its cycles have no relation to those of the run before.
  void add(const firmware::job::Descriptor &job, bool boot_begins);

  [[nodiscard]] std::uint64_t end_cycle() const { return runs.empty() ? 0 : runs.back().end_cycle; }
  [[nodiscard]] std::uint64_t accelerator_instructions() const;
  /// Empty if it is so for any run.
  [[nodiscard]] std::optional<std::uint64_t> control_core_instructions() const;
  /// Share of the cycles up to the end, from 0 to 1, in which the queue's engines were busy: of `task_cores()` cores.
  [[nodiscard]] double utilisation(std::size_t queue) const;
  /// The most that a run had.
  [[nodiscard]] unsigned task_cores() const;
  [[nodiscard]] std::uint64_t dram_bytes() const;
  [[nodiscard]] std::uint64_t retries() const;
  /// Share of the runs' time in which the control core executed nothing, where it takes `kInstructionNanoseconds` for an instruction: each
  /// up to the counting of its instructions. Empty where nobody counts them.
  [[nodiscard]] std::optional<double> asleep() const;
  /// Share of the device's cores and of the time up to the end without a clock.
  [[nodiscard]] double clock_gated() const;
  [[nodiscard]] double macs_per_cycle() const;
  /// Control-core instructions an accelerator instruction.
  [[nodiscard]] std::optional<double> instructions_per_dispatch() const;

  static constexpr double kInstructionNanoseconds = 2;  ///< under QEMU: -icount shift=1

 private:
  std::uint64_t origin_ = 0;  // device time that is cycle `shift_` of the statistics
  std::uint64_t shift_ = 0;
};

/// The members are listed in docs/tracing.md, The statistics.
void write_statistics_json(std::ostream &out, const Statistics &statistics);
/// A table for people.
void write_statistics_text(std::ostream &out, const Statistics &statistics);

}  // namespace cox::tools::run
