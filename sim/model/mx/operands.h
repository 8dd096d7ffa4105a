// SPDX-License-Identifier: MIT
// The operands of an MX operation, brought into this process: mapped where the bus has plain memory, else by copy.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/mx/operation.h"
#include "sim/model/host.h"
#include "sim/model/mx/arithmetic/execute.h"

namespace cox::model::mx {

/// Executes the operation on memory. nullptr, or the field of the operand that memory refused: a bus error. Reads come
/// before writes, so that only a write that is refused can leave a part of the output behind.
[[nodiscard]] const char *execute_in_memory(const isa::mx::Operation &operation, Path path, const Host &host);

}  // namespace cox::model::mx
