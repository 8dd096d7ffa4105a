// SPDX-License-Identifier: MIT
// The memory in DRAM of one task and of its runs' windows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/run/jobs/job_memory.h"
#include "tools/run/jobs/workload.h"

namespace cox::tools::run {

/// Every inference has its own windows, so that no inference sees what another one left. The exception: inferences share a window that the
/// task cannot write, if all have the same inputs in it. A read-only window that one constant fills gets no room: the constant stays in the
/// image.
class TaskPlacement {
 public:
  /// Reserves room in `memory` for inferences `first` to `first + count - 1` of `workload`; both must outlive this object.
  TaskPlacement(const Workload &workload, std::size_t first, std::size_t count, JobMemory &memory);

  /// Return the job that loads the task, and the job that runs `count` inferences from number `inference` of this placement on, counted
  /// from 0. The caller sets slot, owner and other fields.
  [[nodiscard]] firmware::job::Request load_job() const;
  [[nodiscard]] firmware::job::Request run_job(std::size_t inference, std::size_t count = 1) const;

  /// Puts image, inputs and contents of windows into memory, which must be attached.
  void fill() const;
  [[nodiscard]] std::span<const std::byte> tensor(std::size_t inference, const JobProgram::Tensor &tensor) const;

 private:
  using Windows = std::array<firmware::job::Window, firmware::job::kWindows>;

  [[nodiscard]] bool in_place(const JobProgram::Window &window) const;
  [[nodiscard]] bool own_for_each(const JobProgram::Window &window) const;
  void fill_window(const JobProgram::Window &window, std::uint64_t address, std::size_t inference) const;
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) const;

  const Workload &workload_;
  std::size_t first_;
  JobMemory &memory_;
  std::uint64_t image_ = 0, workspace_ = 0, workspace_bytes_ = 0;
  std::vector<Windows> windows_;  // windows of each inference
};

}  // namespace cox::tools::run
