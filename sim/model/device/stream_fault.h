// SPDX-License-Identifier: MIT
// From the checks of an instruction set to the faults of an engine that runs streams (docs/model.md, Faults).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "device/engine_descriptor.h"
#include "sim/model/device/fault.h"

namespace cox::model {

/// The fault that an error of an instruction set's checks is; field_out_of_range for every error without a fault of its own.
[[nodiscard]] FaultCode stream_fault_code(ErrorCode error);

/// Of the instruction at `offset` in its stream; `field_bit`: registers::EngineFaultDetail.
[[nodiscard]] constexpr Fault stream_fault(FaultCode code, std::uint32_t offset, unsigned field_bit = registers::kNoFaultField) {
  return {code, registers::EngineFaultDetail{offset, field_bit}.pack()};
}

/// The same of an error whose field is `field_bit` (the instruction set's field_bit()). Reserved bits: the lowest that is set, though it is
/// in no field.
[[nodiscard]] Fault stream_fault(const Status &status, std::uint32_t offset, unsigned field_bit);

}  // namespace cox::model
