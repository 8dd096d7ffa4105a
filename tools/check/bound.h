// SPDX-License-Identifier: MIT
// Checks the parts of an image besides its instructions: windows, constants, tensors.
#pragma once

#include <vector>

#include "tools/check/report.h"

namespace cox::tools {

/// Checks these rules:
/// - each window is described once, with an index from 0 to 3;
/// - constants and tensors are inside existing windows;
/// - outputs are in writable windows;
/// - each name is used once.
[[nodiscard]] std::vector<Finding> check_bound(const task::Task &task);

}  // namespace cox::tools
