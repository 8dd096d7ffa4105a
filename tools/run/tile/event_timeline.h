// SPDX-License-Identifier: MIT
// Assigns records of the model's event log to the instructions of a task.
#pragma once

#include <string>

#include "tools/registry/job_program.h"
#include "tools/run/tile/timeline.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// Reads the first run from the event log at `path`: its instructions, its interrupts, and the control core's activity that follows from
/// them. `place` gives the run's start and first core. Times count from the start. If the firmware has retried the run, the last attempt is
/// read. A queue keeps program order, so the k-th record of a class and core is the class's k-th instruction for that core. Throws
/// Failure(failed) if the log cannot be read or lacks an instruction of the task.
Timeline read_timeline(const std::string &path, const task::Task &task, const RunPlace &place);

}  // namespace cox::tools::run
