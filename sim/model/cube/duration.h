// SPDX-License-Identifier: MIT
// What a slot of the matrix unit costs (docs/model.md, Time of the matrix unit).
#pragma once

#include <cstdint>

#include "isa/cube/operation.h"
#include "sim/model/cube/geometry.h"

namespace cox::model::cube {

struct Cost {
  Cycle work = 0;                ///< in the pipe, after the issue
  std::uint64_t dram_bytes = 0;  ///< through the DRAM port: whole bursts
};

[[nodiscard]] Cost cost_of(const isa::cube::Operation &operation, const Geometry &geometry);

/// Bytes of the bursts that `rows` rows of `row_bytes` each take, `pitch` apart from `start` on. Rows without a gap are one.
[[nodiscard]] std::uint64_t burst_bytes(std::uint64_t start, std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t pitch);

/// Accesses to L1 of an IM2COL_TO_L0A.
[[nodiscard]] std::uint64_t im2col_accesses(const isa::cube::Im2colToL0A &operation);

}  // namespace cox::model::cube
