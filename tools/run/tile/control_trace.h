// SPDX-License-Identifier: MIT
// The control core's own trace, from a read_trace job (firmware/trace/trace.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tools/run/tile/timeline.h"

namespace cox::tools::run {

/// Adds the events of `reading` (a job::TraceReading and its events) that lie in the run's time: what the control core did, and when it was
/// awake. These events replace the estimate from the device's interrupts. If the reading has no events, the firmware was built without a
/// trace, and the timeline stays unchanged.
void add_control_trace(Timeline &timeline, std::span<const std::byte> reading, std::uint64_t start_cycle);

}  // namespace cox::tools::run
