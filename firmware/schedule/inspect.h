// SPDX-License-Identifier: MIT
// What the rings and the plan tell of a run: instructions in flight, tokens. Nothing here changes anything.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/firmware/schedule/core_bank.h"
#include "coxswain/firmware/schedule/task_run.h"

namespace cox::firmware::schedule {

/// True if the running index `index` comes before `other`.
[[nodiscard]] constexpr bool is_behind(std::uint32_t index, std::uint32_t other) { return static_cast<std::int32_t>(index - other) < 0; }

/// Returns the number of instructions of a lane that the scheduler has dispatched.
[[nodiscard]] std::size_t dispatched(const TaskRun &run, unsigned lane);

/// Returns the index in the task of the instruction with the tag `tag` in queue `queue`, or -1 if the task has none there.
[[nodiscard]] std::int32_t instruction_index(const CoreBank &cores, const TaskRun &run, unsigned queue, std::uint32_t tag);

/// Returns the running index that follows the index of the run's last instruction in the queue.
[[nodiscard]] std::uint32_t last_of(const CoreBank &cores, const TaskRun &run, unsigned queue);

/// Returns a status that names the oldest instruction of the task that the device has not finished.
[[nodiscard]] Status describe_delay(const CoreBank &cores, const TaskRun &run);

/// As Scheduler::tokens(). Call with interrupts masked.
[[nodiscard]] unsigned count_tokens(const TaskRun &run, unsigned from, unsigned to);

}  // namespace cox::firmware::schedule
