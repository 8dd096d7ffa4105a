// SPDX-License-Identifier: MIT
// The state of a run of a task.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/firmware/image/loaded_task.h"
#include "coxswain/firmware/plan/plan.h"
#include "coxswain/firmware/schedule/run_memory.h"
#include "coxswain/firmware/schedule/run_report.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/fault_log.h"

namespace cox::firmware::schedule {

using plan::LanePlan;
using plan::Plan;

inline constexpr unsigned kMaximumRuns = 8;  ///< largest number of tasks that run at once; a run has the number of its context

/// The windows of a run: BAS 0 to 3.
using RunWindows = std::array<hal::Window, hal::kWindows>;

enum class RunState : std::uint8_t {
  idle,       ///< the context is free
  preparing,  ///< the DMA engine writes the run's constants, and the device has none of its instructions
  running,
  stopping,    ///< the run has failed, and the device may still have some of its instructions
  restarting,  ///< the run has failed, the device has none of its instructions, and it will begin again
  ended,       ///< the run has ended, and its report was not taken yet
};

struct TaskRun {
  std::uint32_t first_lane = 0;  ///< queue number of the task's lane 0
  std::uint8_t context = 0;
  RunState state = RunState::idle;

  std::uint8_t cores = 0;  ///< bit c: the run is on tile core c
  std::uint8_t retries_left = 0;
  bool passing = false;          ///< in state stopping: the fault is transient, so the task may begin again
  std::uint8_t quiet_looks = 0;  ///< number of consecutive looks at which is_quiet() was true
  std::uint8_t owner = 0;        ///< RunOptions::owner
  std::uint8_t allowed = 0;      ///< bit c: the run may be on tile core c
  bool lost = false;             ///< a core that does not reset has instructions of this context, so the context is never used again
  hal::FaultRecord fault;        ///< in state stopping: the entry that the fault log will get
  const image::LoadedTask *task = nullptr;
  hal::ContextConfiguration configuration;
  std::array<std::uint32_t, isa::tile::kMostLanes>
      stop_index{};  ///< in state stopping: the device has finished a lane when its queue's HEAD has reached this index
  std::uint64_t quiet_since = UINT64_MAX;  ///< in state stopping: time at which the device had finished all lanes, in microseconds
  std::uint64_t deadline = 0;              ///< time, in microseconds, at which the time limit (in state stopping: kStopLimit) ends
  std::uint32_t time_limit = 0;            ///< time limit of each attempt, in microseconds
  std::uint64_t control_start = 0;         ///< instructions that the control core had executed at the run's start
  std::uint64_t clocked_start = 0;         ///< sum of the cores' counters of clocked cycles at the last start
  RunReport report;

  [[nodiscard]] RunMemory memory() const { return RunMemory(task->plan().groups.data()); }
  [[nodiscard]] Lane &lane(unsigned number) const { return memory().lane(number); }
  [[nodiscard]] unsigned lane_count() const { return task->needs().cores * isa::tile::kClasses; }
};

/// The runs that have a context.
struct UsedRuns {
  std::span<const TaskRun, kMaximumRuns> runs;
  std::uint32_t used = 0;  ///< bit c: run c has its context; each run that is not idle has one
};

/// True if instructions of the task may be in the device's queues.
[[nodiscard]] constexpr bool is_on_device(const TaskRun &run) { return run.state == RunState::running || run.state == RunState::stopping; }
/// True if Scheduler::start_prepared() must handle the run.
[[nodiscard]] constexpr bool must_start(const TaskRun &run) {
  return run.state == RunState::restarting || run.state == RunState::preparing;
}
/// True if the task occupies L2, WL0 and windows.
[[nodiscard]] constexpr bool holds_place(const TaskRun &run) { return is_on_device(run) || must_start(run); }

}  // namespace cox::firmware::schedule
