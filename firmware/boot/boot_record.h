// SPDX-License-Identifier: MIT
// What the firmware is doing, in memory that outlives a reset of the core, so that the next boot can say what this one did last
// (docs/faults.md, The watchdog).
#pragma once

#include <cstdint>

#include "hal/device.h"

namespace cox::firmware::boot_record {

/// The numbers are part of the job interface (firmware/job/job_queue.h, read_faults): append only.
enum class Phase : std::uint32_t {
  none = 0,
  bring_up = 1,  ///< of the device
  console = 2,
  jobs = 3,   ///< looks at the ring, ends runs, chooses
  load = 4,   ///< a load job: it checks an image
  job = 5,    ///< another job, a run up to its first dispatch included
  sleep = 6,  ///< nothing to do, or runs on the device: their completions are served
  left = 7,   ///< firmware_main() has returned
};
inline constexpr unsigned kPhases = 8;
inline constexpr const char *kPhaseNames[kPhases] = {
    "none", "bringing up the device", "console", "looking at jobs", "loading", "a job", "sleep", "left"};

inline constexpr std::uint32_t kNobody = 0xFFFFFFFF;  ///< in `job`, `context`, `queue`: not known

struct Entry {
  Phase phase = Phase::none;
  std::uint32_t job = kNobody;      ///< the last that was worked on, by its running number
  std::uint32_t context = kNobody;  ///< of the last run that began
  std::uint32_t queue = kNobody;    ///< when the core last went to sleep: one that had not come to the end of what was dispatched to it
  std::uint32_t index = 0;          ///< of that queue: the running index of the instruction at its head
  std::uint32_t dispatched = 0;     ///< of that queue: instructions behind it
  std::uint64_t microseconds = 0;   ///< board::microseconds() when the phase was entered
};

/// First thing in a boot, before anything of the device is changed. Without power_on as the cause of the reset, what the boot before noted
/// is last_boot() from now on, and `geometry`, where it is known, tells where its last dispatches went.
void begin(const hal::Geometry *geometry);

void enter(Phase phase);
void enter_job(std::uint32_t job, Phase phase);
/// As enter(Phase::sleep); also looks where instructions are in flight.
void enter_sleep();
/// A run of the current job began in this context.
void enter_run(std::uint32_t context);

/// Since power-on, this one included.
[[nodiscard]] std::uint32_t boots();
/// phase none: nothing is known of it.
[[nodiscard]] const Entry &last_boot();

}  // namespace cox::firmware::boot_record
