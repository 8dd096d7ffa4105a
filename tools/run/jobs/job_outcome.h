// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "coxswain/firmware/job/job_queue.h"
#include "tools/registry/job_program.h"

namespace cox::tools::run {

/// Returns the message for a failed job of `program`. It has the instruction, the error, the field, the value and the limit.
std::string complaint(const firmware::job::Outcome &job, const JobProgram &program);
/// The same for a run that began with `contents`.
std::string complaint(const firmware::job::Outcome &job, const JobProgram &program, const RunContents &contents);

/// Returns the retries to ask for if the user wants `wanted`: none if a run of the program must not begin again.
std::uint8_t retries_of(const JobProgram &program, std::uint8_t wanted);

/// Returns text to append to the complaint() of a run for which the user wanted `retries`. If the fault was transient but the task cannot
/// begin again, the text gives the reason. Otherwise it is empty.
std::string why_not_again(const firmware::job::Outcome &job, std::uint8_t retries, const JobProgram &program);

}  // namespace cox::tools::run
