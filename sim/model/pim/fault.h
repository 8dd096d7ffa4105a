// SPDX-License-Identifier: MIT
// Converts errors of the machine to the device's faults (docs/model.md, Faults of the PIM cores).
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/program.h"
#include "sim/model/device/fault.h"

namespace cox::model::pim {

/// Returns the fault of `position` in a program. `program` is nullptr if the program could not be opened: the fault then has no
/// instruction.
[[nodiscard]] Fault fault_of(const Status &status, isa::pim::Position position, const isa::pim::Program *program);

}  // namespace cox::model::pim
