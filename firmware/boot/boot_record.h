// SPDX-License-Identifier: MIT
// A record of the firmware's current activity. It lies in memory that outlives a reset of the core, so that the next boot can report the
// activity (docs/faults.md, The watchdog).
#pragma once

#include <cstdint>

#include "coxswain/hal/device.h"

namespace cox::firmware::boot_record {

/// The numbers are part of the job interface (firmware/job/job_queue.h, read_faults): append only.
enum class Phase : std::uint32_t {
  none = 0,
  bring_up = 1,  ///< bringing up the device
  console = 2,
  jobs = 3,   ///< looking at the ring, ending runs, choosing the next job
  load = 4,   ///< a load job, which checks an image
  job = 5,    ///< a job other than a load; for a run, until its first dispatch
  sleep = 6,  ///< nothing to do, or waiting for runs on the device
  left = 7,   ///< firmware_main() has returned
};
inline constexpr unsigned kPhases = 8;
inline constexpr const char *kPhaseNames[kPhases] = {
    "none", "bringing up the device", "console", "looking at jobs", "loading", "a job", "sleep", "left"};

inline constexpr std::uint32_t kNobody = 0xFFFFFFFF;  ///< value of Entry::job, Entry::context or Entry::queue if it is not known

struct Entry {
  Phase phase = Phase::none;
  std::uint32_t job = kNobody;      ///< running number of the last job that the firmware worked on
  std::uint32_t context = kNobody;  ///< context of the last run that began
  std::uint32_t queue = kNobody;    ///< the first tile queue that still had instructions at the last look before a sleep
  std::uint32_t index = 0;          ///< running index of the instruction at the head of `queue`
  std::uint32_t dispatched = 0;     ///< number of instructions in `queue`, from the one at `index` on
  std::uint64_t microseconds = 0;   ///< board::microseconds() when the phase was entered
};

/// Call first in a boot, before the device is changed. After the call, last_boot() returns the record of the previous boot, unless the
/// reset's cause is power_on. If `geometry` is not null, the record also names the first tile queue that still has instructions.
void begin(const hal::Geometry *geometry);

void enter(Phase phase);
void enter_job(std::uint32_t job, Phase phase);
/// Does what enter(Phase::sleep) does, and records the first tile queue that still has instructions: at the first sleep of a run on tile
/// cores, and then at most once a millisecond.
void enter_sleep();
/// Records that a run of `job` began in `context`. `on_tile_cores`: the next sleep is the first one of a run on tile cores.
void enter_run(std::uint32_t job, std::uint32_t context, bool on_tile_cores);

/// Returns the number of boots since power-on, including this one.
[[nodiscard]] std::uint32_t boots();
/// Returns the record of the previous boot. Its phase is Phase::none if there was no such boot.
[[nodiscard]] const Entry &last_boot();

}  // namespace cox::firmware::boot_record
