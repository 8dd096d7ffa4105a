// SPDX-License-Identifier: MIT
// The cost of an MX operation (docs/model.md, Time of the MX engine).
#pragma once

#include <cstdint>

#include "coxswain/isa/mx/operation.h"
#include "sim/model/mx/geometry.h"

namespace cox::model::mx {

struct Cost {
  Cycle compute = 0;             ///< cycles of the lanes
  std::uint64_t fill_bytes = 0;  ///< bytes that must arrive before the lanes begin
  std::uint64_t bytes = 0;       ///< bytes read from and written to DRAM: every byte of inputs, weights and outputs once
};

[[nodiscard]] Cost cost_of(const isa::mx::Operation &operation, const Geometry &geometry);

}  // namespace cox::model::mx
