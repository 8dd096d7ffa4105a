// SPDX-License-Identifier: MIT
// Disassembles one instruction to one line of strict JSON.
#pragma once

#include <string>

#include "tools/tile/task.h"

namespace cox::task {

/// The result has no newline at its end. FP32 values are written as the shortest decimals that give the same value again. The opcode must
/// be known.
[[nodiscard]] std::string disassemble(const Instruction &instruction);

}  // namespace cox::task
