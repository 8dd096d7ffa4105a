// SPDX-License-Identifier: MIT
// Checks one task with the firmware's verifier and the hazard detector.
#pragma once

#include <functional>

#include "sim/model/tile/geometry.h"
#include "tools/check/report.h"
#include "tools/tile/task.h"

namespace cox::tools {

/// Checks `task` for a device with the L2 and WL0 of `device`. Calls `found` with the errors and warnings as soon as they are known, then
/// searches for mending bits: dependency bits that would make the task pass. The time is proportional to the number of instructions plus
/// the number of errors. The search for mending bits takes a few dozen times as long as the rest.
[[nodiscard]] Report check_task(const task::Task &task, const model::TileGeometry &device = {},
                                const std::function<void(const Report &)> &found = {});

}  // namespace cox::tools
