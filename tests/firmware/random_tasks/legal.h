// SPDX-License-Identifier: MIT
// Whether an instruction may be added to a task.
#pragma once

#include <string>

#include "tests/firmware/random_tasks/generator.h"

namespace cox::tests {

/// Returns why task.graph cannot take the instruction next; empty if it can. The instruction has no tokens yet. An instruction that passes
/// is legal in the configuration of its core, and all its accesses stay in their regions, windows and memories.
std::string reason_against(const RandomTask &task, const isa::tile::MachineCode &code, unsigned core);

}  // namespace cox::tests
