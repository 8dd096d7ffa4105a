// SPDX-License-Identifier: MIT
// How long an instruction takes (docs/model.md, Time).
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/geometry.h"

namespace cox::model {

struct Duration {
  Cycle fixed = 0;                   ///< cycles before the transfer begins; all cycles if there is no transfer
  std::uint64_t transfer_bytes = 0;  ///< bytes through the DRAM channel after `fixed`, at most 2^32; 0: no transfer
  std::uint64_t dram_bytes = 0;      ///< bytes read or written in DRAM, for the counters
};

/// `code` has been admitted and resolved to `operation`; `configuration` is the context's.
[[nodiscard]] Duration duration_of(const isa::tile::MachineCode &code, const isa::tile::Operation &operation,
                                   const isa::tile::Configuration &configuration, const TileGeometry &geometry);

/// Returns the duration of a convolution. Its work is divided along dimension `x` among the columns of the grid of processing
/// elements, and along `y` among its rows.
[[nodiscard]] Duration duration_of(const isa::tile::Convolution &operation, isa::tile::CutMode x, isa::tile::CutMode y,
                                   const TileGeometry &geometry);

}  // namespace cox::model
