// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "firmware/job/job_queue.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// Returns the message for a failed job of `task`: instruction, error, field, value, limit.
std::string complaint(const firmware::job::Descriptor &job, const task::Task &task);

/// Returns text to append to the complaint() of a run that was started with `retries`. If the fault was transient but the task cannot begin
/// again, the text gives the reason. Otherwise it is empty. `image`: the task's image.
std::string why_not_again(const firmware::job::Descriptor &job, std::uint8_t retries, std::span<const std::uint8_t> image);

}  // namespace cox::tools::run
