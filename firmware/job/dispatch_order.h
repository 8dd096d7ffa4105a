// SPDX-License-Identifier: MIT
// Chooses the job that begins next (docs/jobs.md, Order).
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/job/job_record.h"
#include "firmware/job/owners.h"

namespace cox::firmware::job {

/// Number of runs that may begin while a job finds no room. After that, no job passes it.
inline constexpr std::uint8_t kMostPasses = 16;

/// Returns the number of the next job, from [`first`, `last`). Returns nothing if no job may go, if all that may go have found no room, or
/// if one of them has been passed kMostPasses times. For the jobs of one owner:
/// - runs of one priority begin in the order of the ring; a run begins after the end of the previous run of the same task slot;
/// - a load, unload or share goes when all jobs before it have begun and no run uses its task slot; jobs behind it wait for it;
/// - no load goes while another one is in progress;
/// - a read_trace or read_faults job goes when all jobs before it are done.
/// Among the jobs that may go, the lowest priority number goes first, then the owner with the least virtual time, then the oldest job.
[[nodiscard]] std::optional<std::uint32_t> next_job(const LookAhead &jobs, std::uint32_t first, std::uint32_t last, const Owners &owners);

}  // namespace cox::firmware::job
