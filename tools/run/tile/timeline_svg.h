// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tools/run/tile/timeline.h"

namespace cox::tools::run {

/// Draws the run as a self-explanatory picture (docs/tracing.md): a lane for each class, and a box for each instruction in the colour of
/// its layer. The picture also has an axis in cycles and in microseconds, the share of time in which each class was busy, and a legend. A
/// browser shows the description of the box that is under the pointer.
void write_timeline_svg(std::ostream &out, const Timeline &timeline);

}  // namespace cox::tools::run
