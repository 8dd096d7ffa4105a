// SPDX-License-Identifier: MIT
// Access to the operands of an MX operation from this process: by mapping if the bus has plain memory there, else by copy.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/mx/operation.h"
#include "sim/model/host.h"
#include "sim/model/mx/arithmetic/execute.h"

namespace cox::model::mx {

/// Executes the operation on memory. Returns nullptr, or the field of the operand that memory refused (a bus error). Reads come before
/// writes, so only a refused write can leave a part of the output behind.
[[nodiscard]] const char *execute_in_memory(const isa::mx::Operation &operation, Path path, const Host &host);

}  // namespace cox::model::mx
