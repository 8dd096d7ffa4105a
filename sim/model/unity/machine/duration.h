// SPDX-License-Identifier: MIT
// How long a unit's lanes work for an operation, and how many bytes it moves (docs/model.md, The Unity units).
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/operation.h"
#include "sim/model/unity/machine/timing.h"

namespace cox::model::unity {

/// Multiply-accumulates of an operation, padding included; 0 for all but convolutions, products of matrices and recurrent
/// layers.
[[nodiscard]] std::uint64_t macs(const isa::unity::Operation &operation);

/// Cycles in which the unit's lanes work.
/// - Convolutions and products of matrices: each of `macs_per_cycle` lanes sums one element of the result at a time, so a depthwise
///   convolution is as fast as a dense one. A product of INT8 takes a cycle; wider operands take one for each byte of a source times each
///   byte of a weight.
/// - Recurrent layers: the same for the sums of each step, one step after another. Their functions take no time of their own.
/// - Pools and GRID_SAMPLE: the same with `lanes`, an element of the window in a cycle. Pools of sections: elements of all sections by
/// `lanes`.
/// - Factors of matrices, and what is computed with them: elements of A (and of Q, the inverse or the solution), `lanes` a cycle, once for
///   each row or column that is eliminated. Fourier transforms: elements times the prime factors of the length.
/// - All others: elements of the result (of reductions: of the source) by `lanes`, or by `function_lanes` if they divide or compute
///   functions.
[[nodiscard]] Cycle compute_cycles(const isa::unity::Operation &operation, const Timing &timing);

}  // namespace cox::model::unity
