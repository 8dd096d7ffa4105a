// SPDX-License-Identifier: MIT
#include "tools/run/jobs/job_outcome.h"

#include <array>
#include <cstring>
#include <vector>

#include "base/status.h"
#include "firmware/image/loader.h"
#include "tools/tile/message.h"

namespace cox::tools::run {

// The text in the Status lies in `what`, so the message must be made before the function returns.
std::string complaint(const firmware::job::Descriptor &job, const task::Task &task) {
  std::array<char, sizeof(job.error_what) + 1> what{};
  std::memcpy(what.data(), job.error_what, sizeof(job.error_what));
  const Status status(static_cast<ErrorCode>(job.error), what.data(), job.error_index, job.error_value, job.error_limit);
  return task::describe(status, task);
}

std::string why_not_again(const firmware::job::Descriptor &job, std::uint8_t retries, std::span<const std::uint8_t> image) {
  if (retries == 0 || job.retried > 0 || job.error != static_cast<std::uint32_t>(ErrorCode::device_fault)) return "";
  const std::string what(job.error_what, strnlen(job.error_what, sizeof(job.error_what)));
  if (what != "bus_error" && what != "ecc" && what != "completion" && what != "core reset") return "";
  namespace loader = firmware::image;
  const std::vector<std::uint8_t> aligned(image.begin(), image.end());
  const auto bytes = std::as_bytes(std::span(aligned));
  const Result<std::size_t> needed = loader::workspace_bytes(bytes);
  if (!needed) return "";
  std::vector<std::byte> workspace(needed.value());
  // The firmware has loaded this image before, so load() must not refuse it for its size here.
  const auto loaded = loader::load(bytes, loader::largest_geometry(), workspace);
  if (!loaded || loaded.value().needs().restartable) return "";
  return "; not begun again: the task reads DRAM that it writes";
}

}  // namespace cox::tools::run
