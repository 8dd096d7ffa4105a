// SPDX-License-Identifier: MIT
// The checks before an instruction starts (docs/model.md, Faults), in this order: the number of its core, its opcode and fields, its queue,
// the configuration that it needs, and the memory that each of its accesses reaches.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/device/context.h"
#include "sim/model/device/fault.h"
#include "sim/model/tile/context.h"

namespace cox::model {

/// Returns the fault for an error of isa/tile in `code`.
[[nodiscard]] Fault fault_of(const Status &status, const isa::tile::MachineCode &code);

/// Checks `code`, which was fetched from the queue of class `queue` of core `core`, against its context. The context must be valid and not
/// quarantined. Resolves the instruction with the context's configuration. `operation` and `footprint` are valid afterwards only if there
/// is no fault.
[[nodiscard]] Fault admit(const isa::tile::MachineCode &code, isa::tile::Class queue, const TileContext &context,
                          std::span<const Window> windows, unsigned core, const TileGeometry &geometry, isa::tile::Operation &operation,
                          isa::tile::Footprint &footprint);

}  // namespace cox::model
