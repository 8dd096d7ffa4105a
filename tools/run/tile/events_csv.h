// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tools/run/tile/timeline.h"

namespace cox::tools::run {

/// Writes a header line, then a line for each instruction in program order: index,core,class,name,start,end (docs/tracing.md).
void write_events_csv(std::ostream &out, const Timeline &timeline);

}  // namespace cox::tools::run
