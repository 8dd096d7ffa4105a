// SPDX-License-Identifier: MIT
#include "tools/run/jobs/job_outcome.h"

#include <array>
#include <cstring>

#include "base/status.h"

namespace cox::tools::run {

std::string complaint(const firmware::job::Outcome &job, const JobProgram &program) {
  std::array<char, sizeof(job.error_what) + 1> what{};
  std::memcpy(what.data(), job.error_what, sizeof(job.error_what));
  // The Status does not copy the text, so it must not outlive `what`.
  const Status status(static_cast<ErrorCode>(job.error), what.data(), job.error_index, job.error_value, job.error_limit);
  return program.describe(status);
}

std::string why_not_again(const firmware::job::Outcome &job, std::uint8_t retries, const JobProgram &program) {
  if (retries == 0 || job.retried > 0 || job.error != static_cast<std::uint32_t>(ErrorCode::device_fault)) return "";
  const std::string what(job.error_what, strnlen(job.error_what, sizeof(job.error_what)));
  if (what != "bus_error" && what != "ecc" && what != "completion" && what != "core reset") return "";
  if (program.restartable()) return "";
  return "; not begun again: the task reads DRAM that it writes";
}

}  // namespace cox::tools::run
