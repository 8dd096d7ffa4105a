// SPDX-License-Identifier: MIT
// Converts errors of the machine to the device's faults (docs/model.md, Faults of the Unity units).
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/instruction.h"
#include "sim/model/device/fault.h"

namespace cox::model::unity {

/// Returns the fault at a packed isa::unity::Position. `code` is the payload there; nullptr if the container itself is wrong.
[[nodiscard]] Fault fault_of(const Status &status, std::uint32_t position, const isa::unity::MachineCode *code);

}  // namespace cox::model::unity
