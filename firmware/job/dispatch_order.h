// SPDX-License-Identifier: MIT
// Chooses the job that begins next (docs/jobs.md, Order).
#pragma once

#include <cstdint>
#include <optional>

#include "coxswain/firmware/job/job_record.h"
#include "coxswain/firmware/job/owners.h"

namespace cox::firmware::job {

/// While a job waits for the end of other runs, at most this many runs begin before it. Then no job begins until a run has ended.
inline constexpr std::uint8_t kMostPasses = 16;

/// Returns the number of the job that begins next, from [`first`, `last`). Returns nothing if no job may begin. A blocked job
/// (JobRecord::blocked) does not begin. If kMostPasses runs have begun while it waited, no other job begins either. The rules for the
/// jobs of one owner are:
/// - runs of one priority begin in the order of the ring; a run begins after the end of the previous run of the same task slot;
/// - a load, unload or share begins when all jobs before it have begun and no run uses its task slot; jobs behind it wait for it;
/// - no load begins while another one is in progress;
/// - a read_trace or read_faults job begins when all jobs before it are done.
/// Among the jobs that may begin, the lowest priority number goes first, then the owner with the least virtual time, then the oldest job.
[[nodiscard]] std::optional<std::uint32_t> next_job(const LookAhead &jobs, std::uint32_t first, std::uint32_t last, const Owners &owners);

}  // namespace cox::firmware::job
