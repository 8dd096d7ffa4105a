// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tools/tile/task.h"

namespace cox::tools::run {

/// Returns a replay file for the model (docs/model.md, Options): a JSON object with a list of durations for each class. The durations come
/// from the trace file at `path`, which has the task's instructions, each with {'inst_idx': i, 'time': [start, end]}. Throws
/// Failure(bad_input) if the file cannot be read or an instruction has no times or negative ones. Throws it also if the trace is not of
/// this task; the message then names the first instruction that differs.
std::string replay_of_trace(const std::string &path, const task::Task &task);

}  // namespace cox::tools::run
