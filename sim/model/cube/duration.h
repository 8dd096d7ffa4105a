// SPDX-License-Identifier: MIT
// The cost of a slot of the matrix unit (docs/model.md, Time of the matrix unit).
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/operation.h"
#include "sim/model/cube/geometry.h"

namespace cox::model::cube {

struct Cost {
  Cycle work = 0;                ///< cycles in the pipe, after the issue
  std::uint64_t dram_bytes = 0;  ///< bytes through the DRAM port, in whole bursts
};

[[nodiscard]] Cost cost_of(const isa::cube::Operation &operation, const Geometry &geometry);

/// Returns the bytes of the bursts for `rows` rows of `row_bytes` each, `pitch` apart, from `start` on. Rows without a gap count as one
/// row.
[[nodiscard]] std::uint64_t burst_bytes(std::uint64_t start, std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t pitch);

/// Returns the number of accesses to L1 of an IM2COL_TO_L0A.
[[nodiscard]] std::uint64_t im2col_accesses(const isa::cube::Im2colToL0A &operation);

}  // namespace cox::model::cube
