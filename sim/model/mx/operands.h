// SPDX-License-Identifier: MIT
// Executes MX operations. Operands are used in place if the host gives a pointer to them; otherwise they are copied.
#pragma once

#include <cstddef>
#include <vector>

#include "coxswain/isa/mx/operation.h"
#include "sim/model/host.h"
#include "sim/model/mx/arithmetic/execute.h"

namespace cox::model::mx {

/// Executes the operation on memory. Returns nullptr, or the field of the operand that memory refused (a bus error). Reads come before
/// writes, so only a refused write can leave a part of the output behind.
[[nodiscard]] const char *execute_in_memory(const isa::mx::Operation &operation, Path path, const Host &host);

}  // namespace cox::model::mx
