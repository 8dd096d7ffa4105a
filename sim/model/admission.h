// SPDX-License-Identifier: MIT
// What the device checks before an instruction starts: bits, configuration, cuts, blocks and windows, in this order (docs/model.md,
// Faults).
#pragma once

#include <cstdint>

#include "hal/device/npu_registers.h"
#include "isa/tile/operation.h"
#include "sim/model/context.h"

namespace cox::model {

using registers::FaultCode;

struct Fault {
  FaultCode code = FaultCode::none;
  std::uint32_t detail = 0;  ///< the address, or the opcode where there is none

  [[nodiscard]] explicit operator bool() const { return code != FaultCode::none; }
};

/// The fault that an error of isa/tile makes of `code`.
[[nodiscard]] Fault fault_of(const Status &status, const isa::tile::MachineCode &code);

/// Checks `code`, fetched from the queue of class `queue` of core `core`, against its context (which is valid and not quarantined), and
/// joins it with the context's configuration. `operation` and `footprint` are written where there is no fault.
[[nodiscard]] Fault admit(const isa::tile::MachineCode &code, isa::tile::Class queue, const Context &context, unsigned core,
                          const Geometry &geometry, isa::tile::Operation &operation, isa::tile::Footprint &footprint);

}  // namespace cox::model
