// SPDX-License-Identifier: MIT
// Disassembles one instruction to one line of strict JSON.
#pragma once

#include <string>

#include "tools/tile/task.h"

namespace cox::task {

/// The line has no line end. Floating-point values are the shortest decimals that give their FP32 back. The opcode must be known.
[[nodiscard]] std::string disassemble(const Instruction &instruction);

}  // namespace cox::task
