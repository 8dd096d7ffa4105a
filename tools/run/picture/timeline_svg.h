// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tools/run/timeline/timeline.h"

namespace cox::tools::run {

/// The run as a picture that needs no explanation beside it: a lane a class, a box an instruction in the colour of its layer, an axis in
/// cycles and in microseconds, the share of time that each class was busy, a legend (docs/tracing.md). In a browser a box says what it is
/// when pointed at.
void write_timeline_svg(std::ostream &out, const Timeline &timeline);

}  // namespace cox::tools::run
