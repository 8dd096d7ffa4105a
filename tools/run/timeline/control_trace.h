// SPDX-License-Identifier: MIT
// The control core's own trace, as a read_trace job brought it (firmware/trace/trace.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tools/run/timeline/timeline.h"

namespace cox::tools::run {

/// What the job writes, with the whole ring.
inline constexpr std::size_t kTraceReadingBytes = 8 + 1024 * 8;

/// Puts what `reading` (a job::TraceReading and its events) says about the run's time into the timeline: what the control core did, and
/// when it was awake, in place of what the device's interrupts say. A reading without events (the firmware was built without a trace)
/// changes nothing.
void add_control_trace(Timeline &timeline, std::span<const std::byte> reading, std::uint64_t start_cycle);

}  // namespace cox::tools::run
