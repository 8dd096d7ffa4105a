// SPDX-License-Identifier: MIT
// Runs the firmware's verifier on a single task that has all of a device's L2 and WL0.
#pragma once

#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/tile/header.h"
#include "sim/model/tile/geometry.h"
#include "tools/tile/task.h"

namespace cox::tools {

/// Checks that `device` has the L2 and WL0 that the task says it needs, as the firmware's loader does. Error: image_geometry.
[[nodiscard]] Status check_geometry(const task::Task &task, const model::TileGeometry &device);

/// Returns the first error that the firmware's verifier finds in `instructions`, with the windows of `task`, on `device`
/// (firmware/verify/verifier.h).
[[nodiscard]] Status verify(std::span<const isa::tile::MachineCode> instructions, const task::Task &task,
                            const model::TileGeometry &device);

}  // namespace cox::tools
