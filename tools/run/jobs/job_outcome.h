// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "firmware/job/job_queue.h"
#include "tools/registry/job_program.h"

namespace cox::tools::run {

/// Returns the message for a failed job of `program`. It has the instruction, the error, the field, the value and the limit.
std::string complaint(const firmware::job::Outcome &job, const JobProgram &program);

/// Returns text to append to the complaint() of a run that was started with `retries`. If the fault was transient but the task cannot begin
/// again, the text gives the reason. Otherwise it is empty.
std::string why_not_again(const firmware::job::Outcome &job, std::uint8_t retries, const JobProgram &program);

}  // namespace cox::tools::run
