// SPDX-License-Identifier: MIT
// Chooses the cores for a task. Other tasks may run on the same cores (docs/scheduler.md, Side by side).
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/schedule/core_bank.h"
#include "coxswain/firmware/schedule/task_run.h"

namespace cox::firmware::schedule {

/// Checks that no running task would conflict with the windows. The result does not depend on the choice of cores, because all tasks share
/// DRAM. Errors: no_room, window_overlap, as of Scheduler::start().
[[nodiscard]] Status check_windows(const UsedRuns &runs, const image::LoadedTask &task,
                                   std::span<const hal::Window, hal::kWindows> windows);

/// Finds as many neighbouring cores as the task needs, with the fewest tasks on them, and returns the first of these cores. Considers only
/// working cores in `allowed` that have room. Errors: not_ready, no_room, as of Scheduler::start().
[[nodiscard]] Result<unsigned> choose_cores(const CoreBank &bank, const UsedRuns &runs, const image::LoadedTask &task,
                                            std::uint32_t allowed);

}  // namespace cox::firmware::schedule
