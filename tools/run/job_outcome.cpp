// SPDX-License-Identifier: MIT
#include "tools/run/job_outcome.h"

#include <array>
#include <cstring>

#include "base/status.h"
#include "tools/task/message.h"

namespace cox::tools::run {

// The name of the object lies in the descriptor, so the message must be made while it is there.
std::string complaint(const firmware::job::Descriptor &job, const task::Task &task) {
  std::array<char, sizeof(job.error_what) + 1> what{};
  std::memcpy(what.data(), job.error_what, sizeof(job.error_what));
  const Status status(static_cast<ErrorCode>(job.error), what.data(), job.error_index, job.error_value, job.error_limit);
  return task::describe(status, task);
}

}  // namespace cox::tools::run
