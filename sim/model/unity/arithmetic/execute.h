// SPDX-License-Identifier: MIT
// The effect of Unity operations on memory (docs/unity-arithmetic.md). The reference computes one element after
// another; the fast path gives the same bits. Neither has state of its own.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/operation.h"
#include "sim/model/unity/arithmetic/memory.h"

namespace cox::model::unity {

enum class Path : std::uint8_t { reference, fast };

/// Executes an operation that isa::unity::resolve() returned. Exit and Branch do nothing: units execute them.
/// Errors, before anything is written, are field_out_of_range:
/// - "index" of GATHER*, SCATTER* and CREATE_SPARSE_TENSOR: `index` is the number of the index, `value` the index, `limit` the extent.
/// - "SRC" of MULTI_NOMIAL: a weight that is negative or not finite, `index` its number and `value` its bits, or a sum of 0.
/// - "LIST" of UNSTACK: the list has changed since resolve() read it.
[[nodiscard]] Status execute(const isa::unity::Operation &operation, Memory &memory, Path path);

}  // namespace cox::model::unity
