// SPDX-License-Identifier: MIT
// Assigns records of the model's event log to the instructions of a task.
#pragma once

#include <string>

#include "tools/registry/job_program.h"
#include "tools/run/tile/timeline.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// Reads a task's first run from the event log at `path`; if the firmware retried it, the last attempt. `place` gives the run's start, from
/// which times count, and its first core. A queue keeps program order, so the k-th record of a class and core is the class's k-th
/// instruction for that core. Throws Failure(failed) if the log cannot be read or lacks an instruction of the task.
Timeline read_timeline(const std::string &path, const task::Task &task, const RunPlace &place);

}  // namespace cox::tools::run
