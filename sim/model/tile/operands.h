// SPDX-License-Identifier: MIT
// The operands of a tile instruction, brought into this process: buffers of the cores as they are, DRAM mapped where the bus has plain
// memory, else by copy.
#pragma once

#include <cstddef>
#include <span>

#include "isa/tile/operation.h"
#include "sim/model/device/context.h"
#include "sim/model/device/fault.h"
#include "sim/model/host.h"
#include "sim/model/tile/arithmetic/execute.h"
#include "sim/model/tile/context.h"

namespace cox::model {

/// Where the operands of an instruction lie, as it was when it started.
struct Places {
  isa::tile::Region source, source1, destination, partial, table;  ///< those in L2
  Window window;                                                   ///< the one in DRAM
  unsigned remote_core = 0;                                        ///< whose L2 SI and SO reach
};

/// Of an operation in core `core` of the device.
[[nodiscard]] Places places_of(const isa::tile::Operation &operation, const TileContext &context, std::span<const Window> windows,
                               unsigned core);

/// What the instructions of one core reach beside DRAM.
struct CoreMemories {
  std::span<std::byte> l2, remote_l2, wl0;
  std::span<float, isa::tile::kScalarRegisters> scalars;
};

/// Executes the operation. `dram`: the part of the window that it reads or writes, if it does. A bus error has the bus address; bytes
/// before it may have been moved.
[[nodiscard]] Fault execute_in_memory(const isa::tile::Operation &operation, const Places &places, const isa::tile::Access &dram,
                                      const CoreMemories &core, arithmetic::Path path, const Host &host);

}  // namespace cox::model
