// SPDX-License-Identifier: MIT
// Where everything lies in DRAM for one boot that loads a task and runs it several times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/run/board.h"
#include "tools/run/job_memory.h"
#include "tools/run/workload.h"

namespace cox::tools::run {

/// Every inference has windows of its own, so that none sees what another left behind. A window that the task cannot write, and whose
/// inputs are the same, is there once; where a constant of the image is the whole of it, it stays in the image. Other constants the
/// firmware puts in.
class InferencePlan {
 public:
  struct Options {
    std::uint64_t dram_base = kDramBase;
    std::uint8_t retries = 0;  ///< of each run
    bool trace = false;        ///< the firmware's trace is read after the first run
  };

  /// Inferences `first` to `first + count - 1` of the workload, which must outlive the plan.
  InferencePlan(const Workload &workload, std::size_t first, std::size_t count, std::uint32_t time_limit_us, const Options &options);
  InferencePlan(const Workload &workload, std::size_t first, std::size_t count, std::uint32_t time_limit_us)
      : InferencePlan(workload, first, count, time_limit_us, Options()) {}

  [[nodiscard]] std::uint64_t bytes() const { return memory_.bytes(); }
  [[nodiscard]] std::size_t inferences() const { return count_; }

  /// Puts image, inputs, contents of windows and jobs into `dram`, zeroed memory of at least bytes(), and hands the jobs over.
  void fill(std::span<std::byte> dram);

  [[nodiscard]] const firmware::job::Descriptor &load_job() const { return memory_.job(0); }
  /// `inference` counts from 0 within this plan.
  [[nodiscard]] const firmware::job::Descriptor &run_job(std::size_t inference) const { return memory_.job(runs_[inference]); }
  /// What the jobs that read brought: job::FaultReading, and job::TraceReading where it was wanted.
  [[nodiscard]] std::span<const std::byte> faults() const { return memory_.at(faults_.address, faults_.size); }
  [[nodiscard]] std::span<const std::byte> trace() const { return memory_.at(trace_.address, trace_.size); }
  [[nodiscard]] std::span<const std::byte> tensor(std::size_t inference, const task::Tensor &tensor) const;

 private:
  using Windows = std::array<firmware::job::Window, firmware::job::kWindows>;

  [[nodiscard]] bool in_place(const task::Window &window) const;
  [[nodiscard]] bool own_for_each(const task::Window &window) const;
  void add_reading(firmware::job::Kind kind, firmware::job::Window &window, std::size_t bytes);
  void fill_window(const task::Window &window, std::uint64_t address, std::size_t inference) const;
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) const;

  const Workload &workload_;
  std::size_t first_;
  std::size_t count_;
  JobMemory memory_;
  std::uint64_t image_ = 0;
  std::vector<Windows> windows_;   // of each inference
  std::vector<std::size_t> runs_;  // and its job
  firmware::job::Window faults_{}, trace_{};
};

/// The most inferences from `first` on that fit `dram_bytes`, at least one. Throws Failure(failed): no room in DRAM, with the bytes needed
/// and there.
std::size_t inferences_that_fit(const Workload &workload, std::size_t first, std::uint64_t dram_bytes);

}  // namespace cox::tools::run
