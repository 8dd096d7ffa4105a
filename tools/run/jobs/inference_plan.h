// SPDX-License-Identifier: MIT
// The layout of DRAM for one boot that loads a task and runs it several times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/run/boards/board.h"
#include "tools/run/jobs/job_memory.h"
#include "tools/run/jobs/task_placement.h"
#include "tools/run/jobs/workload.h"

namespace cox::tools::run {

class InferencePlan {
 public:
  struct Options {
    std::uint64_t dram_base = kDramBase;
    std::uint8_t retries = 0;  ///< retries of each run
    bool trace = false;        ///< read the firmware's trace after the first job of a run
    std::size_t batch = 1;     ///< inferences of a job
    bool counters = true;      ///< read the device's counters after each inference
  };

  /// Plans inferences `first` to `first + count - 1` of the workload. The workload must outlive the plan.
  InferencePlan(const Workload &workload, std::size_t first, std::size_t count, std::uint32_t time_limit_us, const Options &options);
  InferencePlan(const Workload &workload, std::size_t first, std::size_t count, std::uint32_t time_limit_us)
      : InferencePlan(workload, first, count, time_limit_us, Options()) {}
  InferencePlan(const InferencePlan &) = delete;
  InferencePlan &operator=(const InferencePlan &) = delete;

  [[nodiscard]] std::uint64_t bytes() const { return memory_.bytes(); }
  [[nodiscard]] std::size_t inferences() const { return count_; }

  /// Puts image, inputs, contents of windows and jobs into `dram` and publishes the jobs. `dram` is zeroed memory of at least bytes().
  void fill(std::span<std::byte> dram);

  [[nodiscard]] const firmware::job::Request &load_job() const { return memory_.request(0); }
  [[nodiscard]] const firmware::job::Outcome &load_outcome() const { return memory_.outcome(0); }
  /// Return the job that computes an inference, which is counted from 0 within this plan, and the job's outcome.
  [[nodiscard]] const firmware::job::Request &run_job(std::size_t inference) const { return memory_.request(runs_[inference / batch_]); }
  [[nodiscard]] const firmware::job::Outcome &run_outcome(std::size_t inference) const {
    return memory_.outcome(runs_[inference / batch_]);
  }
  /// Return what the reading jobs have written: job::FaultReading, and job::TraceReading if Options::trace is set.
  [[nodiscard]] std::span<const std::byte> faults() const { return memory_.at(faults_.address, faults_.size); }
  [[nodiscard]] std::span<const std::byte> trace() const { return memory_.at(trace_.address, trace_.size); }
  [[nodiscard]] std::span<const std::byte> tensor(std::size_t inference, const JobProgram::Tensor &tensor) const {
    return placement_.tensor(inference, tensor);
  }

 private:
  JobMemory memory_;
  TaskPlacement placement_;
  std::size_t count_, batch_;
  std::vector<std::size_t> runs_;  // a job for each `batch_` inferences
  firmware::job::Window faults_{}, trace_{};
};

/// Returns how many inferences, beginning with `first`, fit into `dram_bytes`: at least one. Throws Failure(failed) if none fits, with the
/// needed and the available bytes.
std::size_t inferences_that_fit(const Workload &workload, std::size_t first, std::uint64_t dram_bytes);

}  // namespace cox::tools::run
