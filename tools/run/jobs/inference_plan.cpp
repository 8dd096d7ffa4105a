// SPDX-License-Identifier: MIT
#include "tools/run/jobs/inference_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/command/failure.h"
#include "tools/run/jobs/readings.h"

namespace cox::tools::run {

using firmware::job::Kind;
using firmware::job::Request;

InferencePlan::InferencePlan(const Workload &workload, std::size_t first, std::size_t count, std::uint32_t time_limit_us,
                             const Options &options)
    : memory_(options.dram_base, static_cast<std::uint32_t>(count + 3)),
      placement_(workload, first, count, memory_),
      count_(count),
      batch_(options.batch) {
  memory_.add(placement_.load_job());
  for (std::size_t i = 0; i < count; i += batch_) {
    Request run = placement_.run_job(i, std::min(batch_, count - i));
    run.time_limit_us = time_limit_us;
    run.retries = options.retries;
    if (options.counters) run.flags |= firmware::job::kReadCounters;
    runs_.push_back(memory_.add(run));
    if (i == 0 && options.trace) trace_ = memory_.add_reading(Kind::read_trace, kTraceReadingBytes);
  }
  faults_ = memory_.add_reading(Kind::read_faults, kFaultReadingBytes);
}

void InferencePlan::fill(std::span<std::byte> dram) {
  memory_.attach(dram);
  placement_.fill();
  memory_.publish(firmware::job::kExitWhenDone);
}

std::size_t inferences_that_fit(const Workload &workload, std::size_t first, std::uint64_t dram_bytes) {
  const std::uint64_t one = InferencePlan(workload, first, 1, 0).bytes();
  if (one > dram_bytes) {
    throw Failure(ExitCode::failed,
                  fmt::format("no room in DRAM: image, windows and jobs take {} bytes; the board has at most {}", one, dram_bytes));
  }
  const std::uint64_t each = InferencePlan(workload, first, 2, 0).bytes() - one + JobMemory::kAlignment;
  const std::size_t left = workload.inferences - first;
  return std::min<std::uint64_t>(left, 1 + (dram_bytes - one) / each);
}

}  // namespace cox::tools::run
