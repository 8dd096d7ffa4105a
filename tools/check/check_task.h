// SPDX-License-Identifier: MIT
// The firmware's verifier and the hazard detector over one task.
#pragma once

#include <functional>

#include "tools/check/report.h"
#include "tools/tile/task.h"

namespace cox::tools {

/// Calls `found` with the errors and warnings as soon as they are known, then searches for mending bits. The time is proportional to the
/// number of instructions and to that of errors; mending bits take a few dozen times as long.
[[nodiscard]] Report check_task(const task::Task &task, const std::function<void(const Report &)> &found = {});

}  // namespace cox::tools
