// SPDX-License-Identifier: MIT
// Errors of PIM programs in words: core, number and text of the instruction, and what is wrong with it.
#pragma once

#include <cstdint>
#include <string>

#include "coxswain/isa/pim/program.h"

namespace cox::tools::pim {

/// Returns for example `core 2, instruction 17 (add r1, r2, r3)`.
[[nodiscard]] std::string place_text(const isa::pim::Program &program, isa::pim::Position position);

/// Returns a sentence about an error of the instruction at `position`, as the model's machine reports it.
[[nodiscard]] std::string fault_text(const isa::pim::Program &program, isa::pim::Position position, const Status &status);

/// Returns a sentence about an error of a program. The status's index is a packed isa::pim::Position, or below 0 if it concerns no
/// instruction.
[[nodiscard]] std::string fault_text(const isa::pim::Program &program, const Status &status);

/// Returns the numbers of the cores whose bits are set, for example `0, 3 and 7`.
[[nodiscard]] std::string cores_text(std::uint64_t cores);

}  // namespace cox::tools::pim
