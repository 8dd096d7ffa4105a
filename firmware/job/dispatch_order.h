// SPDX-License-Identifier: MIT
// Which job is next (docs/jobs.md, Order).
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/job/job_record.h"
#include "firmware/job/owners.h"

namespace cox::firmware::job {

/// After so many runs that began while it found no room, nobody passes a job any more.
inline constexpr std::uint8_t kMostPasses = 16;

/// The job that goes next, of those with numbers from `first` up to, not including, `last`; none where all that may go have found no room
/// or wait for a run to end. Of one owner:
/// - runs of one priority begin in the order of the ring, as do runs of one task slot, each after the end of the one before;
/// - a load, unload or share goes when all jobs before it have begun, and no run has the slot; jobs behind it wait for it;
/// - no load goes while another one is worked on;
/// - a reading goes when all jobs before it are done.
/// Of those that may go the least priority goes, then the owner with the least virtual time, then the oldest.
[[nodiscard]] std::optional<std::uint32_t> next_job(const LookAhead &jobs, std::uint32_t first, std::uint32_t last, const Owners &owners);

}  // namespace cox::firmware::job
