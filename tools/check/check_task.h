// SPDX-License-Identifier: MIT
// The firmware's verifier and the hazard detector over one task.
#pragma once

#include <functional>

#include "tools/check/report.h"
#include "tools/tile/task.h"

namespace cox::tools {

/// `found` gets the errors and warnings, as soon as they are known: mending bits are looked for after that. Time grows as the number of
/// instructions, and that of the errors; mending bits take a few dozen times as long.
[[nodiscard]] Report check_task(const task::Task &task, const std::function<void(const Report &)> &found = {});

}  // namespace cox::tools
