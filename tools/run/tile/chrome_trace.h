// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tools/run/tile/timeline.h"

namespace cox::tools::run {

/// Writes Chrome trace JSON, which opens in Perfetto (https://ui.perfetto.dev). It has a track for each class, a slice for each instruction
/// and an arrow for each token (docs/tracing.md).
void write_chrome_trace(std::ostream &out, const Timeline &timeline);

}  // namespace cox::tools::run
