// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tools/run/report/statistics.h"

namespace cox::tools::run {

/// Adds the work of each of the device's `cores` cores from the event log at `path`. Throws Failure(failed) if the log cannot be read.
void add_core_work(Statistics &statistics, const std::string &path, unsigned cores);

}  // namespace cox::tools::run
