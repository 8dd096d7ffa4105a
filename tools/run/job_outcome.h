// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "firmware/job/job_queue.h"
#include "tools/task/task.h"

namespace cox::tools::run {

/// What a failed job of `task` says: instruction, error, field, value, limit.
std::string complaint(const firmware::job::Descriptor &job, const task::Task &task);

}  // namespace cox::tools::run
