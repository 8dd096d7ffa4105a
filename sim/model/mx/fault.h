// SPDX-License-Identifier: MIT
// Converts errors of isa/mx's checks to the device's faults.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/mx/table.h"
#include "sim/model/device/stream_fault.h"

namespace cox::model::mx {

static_assert(isa::mx::kNoField == registers::kNoFaultField);

/// Returns the fault for an error of isa/mx in the instruction at `offset` in its stream; `instruction` is nullptr if none was fetched.
[[nodiscard]] inline Fault fault_of(const Status &status, const isa::mx::Instruction *instruction, std::uint32_t offset) {
  return stream_fault(status, offset, instruction == nullptr ? isa::mx::kNoField : isa::mx::field_bit(*instruction, status.what()));
}

}  // namespace cox::model::mx
