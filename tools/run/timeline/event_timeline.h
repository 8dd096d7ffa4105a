// SPDX-License-Identifier: MIT
// From the model's event log to the instructions of a task.
#pragma once

#include <cstdint>
#include <string>

#include "tools/run/timeline/timeline.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// When and where the first run was, as its job says.
struct RunPlace {
  std::uint64_t start_cycle = 0;
  unsigned first_core = 0;
};

/// The first run in the event log at `path`, with times since its start: instructions, interrupts, and what those say about the control
/// core. The k-th record of a class and core is the class's k-th instruction for that core, since a queue keeps program order. Of a run
/// that began again it is the last attempt. Throws Failure(failed) where the log cannot be read or lacks an instruction of the task.
Timeline read_timeline(const std::string &path, const task::Task &task, const RunPlace &place);

}  // namespace cox::tools::run
