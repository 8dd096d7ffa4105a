// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "firmware/job/job_queue.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// What a failed job of `task` says: instruction, error, field, value, limit.
std::string complaint(const firmware::job::Descriptor &job, const task::Task &task);

/// Behind the complaint of a run that had `retries`, where its fault may pass and it was not begun again for what the task is; else empty.
/// `image`: the task's.
std::string why_not_again(const firmware::job::Descriptor &job, std::uint8_t retries, std::span<const std::uint8_t> image);

}  // namespace cox::tools::run
