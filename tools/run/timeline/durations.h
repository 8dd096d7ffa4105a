// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tools/tile/task.h"

namespace cox::tools::run {

/// What the model replays (docs/model.md, Options): a JSON object with a list of durations for each class, from the trace file at `path`:
/// the task's own instructions, each with {'inst_idx': i, 'time': [start, end]}. Throws Failure(bad_input) where the file cannot be read,
/// an instruction has no times or negative ones, or the trace is not one of this task (the first instruction that differs).
std::string replay_of_trace(const std::string &path, const task::Task &task);

}  // namespace cox::tools::run
