// SPDX-License-Identifier: MIT
// Runs the firmware's verifier on a single task, for a device of the default geometry.
#pragma once

#include <span>

#include "base/status.h"
#include "isa/tile/header.h"
#include "tools/tile/task.h"

namespace cox::tools {

/// Returns the first error of `instructions` in the windows of `task` (firmware/verify/verifier.h).
[[nodiscard]] Status verify(std::span<const isa::tile::MachineCode> instructions, const task::Task &task);

}  // namespace cox::tools
