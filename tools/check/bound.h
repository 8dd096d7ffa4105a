// SPDX-License-Identifier: MIT
// What an image says beside its instructions: windows, constants, tensors.
#pragma once

#include <vector>

#include "tools/check/report.h"

namespace cox::tools {

/// Windows described once, with an index from 0 to 3; constants and tensors inside of windows that exist; outputs in windows that may be
/// written; names used once.
[[nodiscard]] std::vector<Finding> check_bound(const task::Task &task);

}  // namespace cox::tools
