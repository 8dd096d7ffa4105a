// SPDX-License-Identifier: MIT
// Why a PIM core refuses an instruction, in words.
#pragma once

#include <string>

#include "coxswain/isa/pim/instruction.h"
#include "coxswain/isa/pim/program.h"

namespace cox::tools::pim {

/// Returns for example `field_out_of_range: rs2 (r7): -1 is below 0`. `position`: the instruction. `status`: an error of
/// isa::pim::resolve(), isa::pim::check() or the model's machine, with its own index.
[[nodiscard]] std::string refusal_reason(const isa::pim::Program &program, isa::pim::Position position, const Status &status);

}  // namespace cox::tools::pim
