// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tools/run/tile/timeline.h"

namespace cox::tools::run {

/// Draws the run as a self-explanatory picture: a lane for each class, a box for each instruction in the colour of its layer, an axis in
/// cycles and in microseconds, the share of time in which each class was busy, and a legend (docs/tracing.md). In a browser a box shows its
/// description under the pointer.
void write_timeline_svg(std::ostream &out, const Timeline &timeline);

}  // namespace cox::tools::run
