// SPDX-License-Identifier: MIT
// From the checks of isa/mx to the device's faults.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "isa/mx/table.h"
#include "sim/model/fault.h"

namespace cox::model::mx {

/// The fault that an error of isa/mx makes of the instruction at `offset` in its stream; `instruction` is nullptr where none was fetched.
/// Reserved bits: the lowest that is set, though it is in no field.
[[nodiscard]] Fault fault_of(const Status &status, const isa::mx::Instruction *instruction, std::uint32_t offset);

/// One that names no field.
[[nodiscard]] Fault fault_at(FaultCode code, std::uint32_t offset);

}  // namespace cox::model::mx
