// SPDX-License-Identifier: MIT
#include "tools/run/jobs/job_outcome.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "coxswain/base/status.h"
#include "coxswain/device/npu_registers.h"
#include "tools/image/signed_file.h"

namespace cox::tools::run {

namespace {

/// Returns `describe(status)`, or a sentence about the signature, for the error of a job. The Status does not copy its text, so it must not
/// outlive the call.
template <typename Describe>
std::string with_status(const firmware::job::Outcome &job, const Describe &describe) {
  std::array<char, sizeof(job.error_what) + 1> what{};
  std::memcpy(what.data(), job.error_what, sizeof(job.error_what));
  const Status status(static_cast<ErrorCode>(job.error), what.data(), job.error_index, job.error_value, job.error_limit);
  if (const std::optional<std::string> complaint = signature_complaint(status)) return *complaint;
  return describe(status);
}

}  // namespace

std::string complaint(const firmware::job::Outcome &job, const JobProgram &program) {
  return with_status(job, [&](const Status &status) { return program.describe(status); });
}

std::string complaint(const firmware::job::Outcome &job, const JobProgram &program, const RunContents &contents) {
  const std::span waiting = std::span(job.waiting).first(job.counted == 0 ? job.waiting_units : 0);
  return with_status(job, [&](const Status &status) { return program.describe_run(status, contents); }) + program.describe_waiting(waiting);
}

namespace {

/// Returns true if the job failed by a fault that may pass, after which the firmware begins a run again.
bool may_pass(const firmware::job::Outcome &job) {
  if (job.error != static_cast<std::uint32_t>(ErrorCode::device_fault)) return false;
  const std::string_view what(job.error_what, strnlen(job.error_what, sizeof(job.error_what)));
  constexpr std::string_view kPassing[] = {"bus_error", "ecc", "completion", "core reset", "engine reset"};
  if (std::ranges::find(kPassing, what) != std::end(kPassing)) return true;
  // The error of a stream, which has no cores, names the field of an instruction, and the fault by its code.
  using registers::FaultCode;
  return job.cores == 0 &&
         (job.error_value == static_cast<int>(FaultCode::bus_error) || job.error_value == static_cast<int>(FaultCode::ecc));
}

}  // namespace

std::uint8_t retries_of(const JobProgram &program, std::uint8_t wanted) {
  return wanted == 0 || program.restartable() ? wanted : std::uint8_t{0};
}

std::string why_not_again(const firmware::job::Outcome &job, std::uint8_t retries, const JobProgram &program) {
  if (retries == 0 || job.retried > 0 || !may_pass(job) || program.restartable()) return "";
  return "; not begun again: the task reads DRAM that it writes";
}

}  // namespace cox::tools::run
