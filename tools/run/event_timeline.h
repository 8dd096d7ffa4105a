// SPDX-License-Identifier: MIT
// From the model's event log to the instructions of a task.
#pragma once

#include <cstdint>
#include <string>

#include "tools/run/timeline.h"
#include "tools/task/task.h"

namespace cox::tools::run {

/// The first run in the event log at `path`, with times since `start_cycle`. The k-th record of a class is the class's k-th instruction,
/// since a queue keeps program order. Throws Failure(failed) where the log cannot be read or lacks an instruction of the task.
Timeline read_timeline(const std::string &path, const task::Task &task, std::uint64_t start_cycle);

}  // namespace cox::tools::run
