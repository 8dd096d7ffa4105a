// SPDX-License-Identifier: MIT
// Statistics of a task's runs, from the firmware's job records (docs/cox.md, run).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "coxswain/firmware/job/job_queue.h"
#include "tools/registry/job_program.h"
#include "tools/run/boards/board.h"

namespace cox::tools::run {

struct Statistics {
  /// One job. Cycles are counted from the first inference's start. In a later boot, the count continues where the previous boot
  /// ended.
  struct Run {
    std::uint64_t start_cycle = 0;
    std::uint64_t end_cycle = 0;
    std::uint64_t accelerator_instructions = 0;
    std::optional<std::uint64_t> control_core_instructions;  ///< empty if the board cannot count
    unsigned first_core = 0, cores = 1;                      ///< cores that the run had
    std::uint32_t inferences = 1;                            ///< inferences of the job
    unsigned retried = 0;                                    ///< how often the firmware began the run again
    std::uint64_t counting_cycles = 0;  ///< cycles from the run's end until the control core's instructions were counted
    std::uint64_t clocked_cycles = 0;   ///< cycles in which the clocks of the run's cores ran, summed over the cores
  };
  std::vector<Run> runs;
  std::array<firmware::job::QueueCounters, firmware::job::kQueues> queues{};  ///< for each class, summed over all cores

  std::uint64_t boot_cycles = 0;                    ///< from power-on to the first doorbell of the first run
  unsigned device_cores = 1;                        ///< cores that the device has
  std::uint64_t multiply_accumulates = 0;           ///< multiply-accumulates of one inference
  std::uint64_t images = 1;                         ///< images that one inference computes
  std::optional<std::uint64_t> corrected_errors{};  ///< bits that ECC corrected in all boots; empty before the first run
  /// Nanoseconds that an instruction of the control core takes, on a board that counts them.
  unsigned instruction_nanoseconds = kInstructionNanoseconds;
  std::optional<JobProgram::Limits> limits;         ///< what the device can do for the program; empty if its engine does not say
  std::optional<std::uint64_t> energy_femtojoules;  ///< of all runs; empty if the model has no energy for the engine

  /// The work of one class of a core, from the event log.
  struct Work {
    std::uint64_t instructions = 0;
    std::uint64_t occupied_cycles = 0;  ///< cycles from starts to ends. Unlike busy cycles, they include waits for bandwidth
  };
  std::vector<std::array<Work, firmware::job::kQueues>> cores;

  /// Adds a finished run. `boot_begins`: the run is the first of a boot, so the device's cycles have restarted.
  void add(const firmware::job::Outcome &job, bool boot_begins);

  [[nodiscard]] std::uint64_t end_cycle() const { return runs.empty() ? 0 : runs.back().end_cycle; }
  [[nodiscard]] std::uint64_t inferences() const;
  [[nodiscard]] std::uint64_t accelerator_instructions() const;
  /// Returns the sum over all runs, or nothing if the instructions of a run were not counted.
  [[nodiscard]] std::optional<std::uint64_t> control_core_instructions() const;
  /// Returns the busy cycles of the queue's class, divided by end_cycle() and by task_cores(): a share from 0 to 1.
  [[nodiscard]] double utilisation(std::size_t queue) const;
  /// Returns the largest number of cores that a run used.
  [[nodiscard]] unsigned task_cores() const;
  [[nodiscard]] std::uint64_t dram_bytes() const;
  [[nodiscard]] std::uint64_t retries() const;
  /// Returns the share of the runs' time in which the control core executed nothing. An instruction takes `instruction_nanoseconds`. The
  /// time of a run lasts from its start until its instructions have been counted, shortly after its end. Returns nothing if the board does
  /// not count instructions.
  [[nodiscard]] std::optional<double> asleep() const;
  /// Returns the share of the time up to end_cycle() in which the clock of a core was off: the mean of all cores of the device.
  [[nodiscard]] double clock_gated() const;
  [[nodiscard]] double macs_per_cycle() const;
  /// Returns the number of control-core instructions for each accelerator instruction.
  [[nodiscard]] std::optional<double> instructions_per_dispatch() const;

 private:
  std::uint64_t origin_ = 0;  // device time at which the boot's first run started; in the statistics, this is cycle `shift_`
  std::uint64_t shift_ = 0;
};

/// The members are listed in docs/tracing.md, The statistics.
void write_statistics_json(std::ostream &out, const Statistics &statistics);
/// Writes a table for the user.
void write_statistics_text(std::ostream &out, const Statistics &statistics);

}  // namespace cox::tools::run
