// SPDX-License-Identifier: MIT
// Operations of the matrix unit with their operand in DRAM brought into this process: mapped where the bus has plain memory, else by copy.
#pragma once

#include "isa/cube/operation.h"
#include "sim/model/cube/arithmetic/execute.h"
#include "sim/model/host.h"

namespace cox::model::cube {

/// Executes the operation. nullptr, or the field of the operand that memory refused: a bus error. Only where memory refuses a row behind
/// others may some of these have been moved.
[[nodiscard]] const char *execute_in_memory(const isa::cube::Operation &operation, Buffers &buffers, Path path, const Host &host);

}  // namespace cox::model::cube
