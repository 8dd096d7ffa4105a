// SPDX-License-Identifier: MIT
// Assigns records of the model's event log to the instructions of a task.
#pragma once

#include <string>

#include "tools/registry/job_program.h"
#include "tools/run/tile/timeline.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// Reads the first run, which was at `place`, in the event log at `path`, with times since its start: instructions, interrupts, and the
/// control core's activity that follows from them. A queue keeps program order, so the k-th record of a class and core is the class's k-th
/// instruction for that core. If the firmware has retried the run, the last attempt is read. Throws Failure(failed) if the log cannot be
/// read or lacks an instruction of the task.
Timeline read_timeline(const std::string &path, const task::Task &task, const RunPlace &place);

}  // namespace cox::tools::run
