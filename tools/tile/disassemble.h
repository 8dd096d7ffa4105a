// SPDX-License-Identifier: MIT
// One instruction to one line of strict JSON.
#pragma once

#include <string>

#include "tools/tile/task.h"

namespace cox::task {

/// Without a line end. Floating-point values are the shortest decimals that give their FP32 back. The opcode must be known.
[[nodiscard]] std::string disassemble(const Instruction &instruction);

}  // namespace cox::task
