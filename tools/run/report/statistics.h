// SPDX-License-Identifier: MIT
// Statistics of a task's runs, from the firmware's job records (docs/cox.md, run).
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
  /// One inference. Cycles count from the first inference's start; those of later boots continue those of earlier boots.
  struct Run {
    std::uint64_t start_cycle = 0;
    std::uint64_t end_cycle = 0;
    std::uint64_t accelerator_instructions = 0;
    std::optional<std::uint64_t> control_core_instructions;  ///< empty if the board cannot count
    unsigned first_core = 0, cores = 1;                      ///< cores that it had
    unsigned retried = 0;                                    ///< how often the firmware ran it again
    std::uint64_t counting_cycles = 0;                       ///< from the end until the control core's instructions were counted
    std::uint64_t clocked_cycles = 0;                        ///< cycles of all its cores while their clocks ran
  };
  std::vector<Run> runs;
  std::array<firmware::job::QueueCounters, firmware::job::kQueues> queues{};  ///< by class, sum of all cores

  std::uint64_t boot_cycles = 0;                    ///< from power-on to the first doorbell of the first run
  unsigned device_cores = 1;                        ///< cores that the device has
  std::uint64_t multiply_accumulates = 0;           ///< of one run
  std::uint64_t images = 1;                         ///< of one run
  std::optional<std::uint64_t> corrected_errors{};  ///< single-bit errors that ECC corrected, if the firmware's log has them

  /// Work of a class of a core, from the event log.
  struct Work {
    std::uint64_t instructions = 0;
    std::uint64_t occupied_cycles = 0;  ///< cycles from starts to ends. Unlike busy cycles, they include waits for bandwidth
  };
  std::vector<std::array<Work, firmware::job::kQueues>> cores;

  /// Adds a finished run. `boot_begins`: the run begins a new boot, so its cycles restart.
  void add(const firmware::job::Descriptor &job, bool boot_begins);

  [[nodiscard]] std::uint64_t end_cycle() const { return runs.empty() ? 0 : runs.back().end_cycle; }
  [[nodiscard]] std::uint64_t accelerator_instructions() const;
  /// Sum of all runs; empty if it is empty for a run.
  [[nodiscard]] std::optional<std::uint64_t> control_core_instructions() const;
  /// Share, from 0 to 1, of the cycles up to the end in which the queue's class was busy, over `task_cores()` cores.
  [[nodiscard]] double utilisation(std::size_t queue) const;
  /// Largest number of cores of a run.
  [[nodiscard]] unsigned task_cores() const;
  [[nodiscard]] std::uint64_t dram_bytes() const;
  [[nodiscard]] std::uint64_t retries() const;
  /// Share of the runs' time in which the control core executed nothing, with `kInstructionNanoseconds` for an instruction. A run counts up
  /// to the counting of its instructions. Empty if the board does not count instructions.
  [[nodiscard]] std::optional<double> asleep() const;
  /// Share of the device's core cycles up to the end in which the core's clock was off.
  [[nodiscard]] double clock_gated() const;
  [[nodiscard]] double macs_per_cycle() const;
  /// Control-core instructions for each accelerator instruction.
  [[nodiscard]] std::optional<double> instructions_per_dispatch() const;

  static constexpr double kInstructionNanoseconds = 2;  ///< under QEMU: -icount shift=1

 private:
  std::uint64_t origin_ = 0;  // device time of cycle `shift_` of the statistics
  std::uint64_t shift_ = 0;
};

/// The members are listed in docs/tracing.md, The statistics.
void write_statistics_json(std::ostream &out, const Statistics &statistics);
/// Writes a table for the user.
void write_statistics_text(std::ostream &out, const Statistics &statistics);

}  // namespace cox::tools::run
