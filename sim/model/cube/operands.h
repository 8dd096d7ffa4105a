// SPDX-License-Identifier: MIT
// Executes operations of the matrix unit. An operand in DRAM is used in place if the host gives a pointer to it; otherwise it is copied.
#pragma once

#include "coxswain/isa/cube/operation.h"
#include "sim/model/cube/arithmetic/execute.h"
#include "sim/model/host.h"

namespace cox::model::cube {

/// Executes the operation. Returns nullptr, or the field of the operand that memory refused (a bus error). If memory refuses a row, the
/// operation may already have moved earlier rows.
[[nodiscard]] const char *execute_in_memory(const isa::cube::Operation &operation, Buffers &buffers, Path path, const Host &host);

}  // namespace cox::model::cube
