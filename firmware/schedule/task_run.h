// SPDX-License-Identifier: MIT
// A task that runs: where each class has come to.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/image/loaded_task.h"
#include "firmware/schedule/plan.h"
#include "firmware/schedule/run_report.h"
#include "hal/context.h"
#include "hal/submission_queue.h"

namespace cox::firmware::schedule {

/// A queue of the core, shared by all tasks. As large as a power of two, since completions name it by number.
struct alignas(32) ClassQueue {
  hal::SubmissionQueue ring;
  std::uint16_t starved = 0;  ///< bit k: context k has a group ready and found no room
};

enum class RunState : std::uint8_t {
  idle,  ///< the context is free
  running,
  stopping,  ///< failed; the device still has instructions of it
  ended,     ///< the report waits to be taken
};

/// As large as a power of two, since instructions name it by number.
struct alignas(1024) TaskRun {
  Lane *lanes = nullptr;         ///< Plan::cursors
  Group *groups = nullptr;       ///< Plan::groups
  std::uint32_t sinks_left = 0;  ///< completions of instructions that give no token; after the last all have ended
  std::uint8_t context = 0;
  RunState state = RunState::idle;

  // Not touched while the task runs well.
  const image::LoadedTask *task = nullptr;
  std::array<hal::Window, hal::kWindows> windows{};
  std::array<std::uint32_t, isa::tile::kClasses> stop_index{};  ///< stopping: the device is through when each queue's HEAD has come here
  std::uint64_t deadline = 0;       ///< microseconds: of the run, or, while stopping, of the device's last instruction
  std::uint32_t time_limit = 0;     ///< microseconds
  std::uint64_t control_start = 0;  ///< executed instructions at the start
  RunReport report;
};

/// Whether instructions of the task may be in the device's queues.
[[nodiscard]] constexpr bool is_on_device(const TaskRun &run) { return run.state == RunState::running || run.state == RunState::stopping; }

}  // namespace cox::firmware::schedule
