// SPDX-License-Identifier: MIT
// Converts errors of an instruction set's checks to faults of an engine that runs streams (docs/model.md, Faults).
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/device/engine_descriptor.h"
#include "sim/model/device/fault.h"

namespace cox::model {

/// Returns the fault code for an error of an instruction set's checks: field_out_of_range for every error without its own fault code.
[[nodiscard]] FaultCode stream_fault_code(ErrorCode error);

/// Returns the fault of the instruction at `offset` in its stream; `field_bit` as in registers::EngineFaultDetail.
[[nodiscard]] constexpr Fault stream_fault(FaultCode code, std::uint32_t offset, unsigned field_bit = registers::kNoFaultField) {
  return {code, registers::EngineFaultDetail{offset, field_bit}.pack()};
}

/// Returns the fault for an error in the field at `field_bit` (the instruction set's field_bit()). If reserved bits are set, the fault
/// names the lowest of them, although it is in no field.
[[nodiscard]] Fault stream_fault(const Status &status, std::uint32_t offset, unsigned field_bit);

}  // namespace cox::model
