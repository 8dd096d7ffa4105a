// SPDX-License-Identifier: MIT
// Converts errors of isa/cube's checks to the device's faults.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/cube/encode.h"
#include "sim/model/device/stream_fault.h"

namespace cox::model::cube {

static_assert(isa::cube::kNoField == registers::kNoFaultField);

/// Returns the fault for an error of isa/cube in the instruction at `offset` in its stream; `instruction` must be nullptr if the opcode is
/// unknown.
[[nodiscard]] inline Fault fault_of(const Status &status, const isa::cube::Instruction *instruction, std::uint32_t offset) {
  return stream_fault(status, offset, instruction == nullptr ? isa::cube::kNoField : isa::cube::field_bit(*instruction, status.what()));
}

}  // namespace cox::model::cube
