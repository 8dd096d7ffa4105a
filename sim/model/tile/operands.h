// SPDX-License-Identifier: MIT
// Executes tile instructions. An operand in DRAM is used in place if the host gives a pointer to it; otherwise it is copied.
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/device/context.h"
#include "sim/model/device/fault.h"
#include "sim/model/host.h"
#include "sim/model/tile/arithmetic/execute.h"
#include "sim/model/tile/context.h"

namespace cox::model {

/// Places of an instruction's operands in L2, in DRAM and in another core's L2, when the instruction starts.
struct Places {
  isa::tile::Region source, source1, destination, partial, table;  ///< regions of the operands in L2
  Window window;                                                   ///< window of the operand in DRAM
  unsigned remote_core = 0;                                        ///< the core whose L2 an SI or SO accesses
};

/// Returns the places of the operands of `operation`, which runs on core `core` of the device.
[[nodiscard]] Places places_of(const isa::tile::Operation &operation, const TileContext &context, std::span<const Window> windows,
                               unsigned core);

/// The memories that instructions of one core reach besides DRAM.
struct CoreMemories {
  std::span<std::byte> l2, remote_l2, wl0;
  std::span<float, isa::tile::kScalarRegisters> scalars;
};

/// Executes the operation. `dram` is the access of the operation to DRAM, if it has one. If the bus refuses an access, the detail of the
/// returned fault is the bus address. Other bytes may have been moved by then.
[[nodiscard]] Fault execute_in_memory(const isa::tile::Operation &operation, const Places &places, const isa::tile::Access &dram,
                                      const CoreMemories &core, arithmetic::Path path, const Host &host);

}  // namespace cox::model
