// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tools/run/timeline/timeline.h"

namespace cox::tools::run {

/// Chrome trace JSON: opens in Perfetto (https://ui.perfetto.dev). A track a class, a slice an instruction, an arrow a token
/// (docs/tracing.md).
void write_chrome_trace(std::ostream &out, const Timeline &timeline);

}  // namespace cox::tools::run
