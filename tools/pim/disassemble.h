// SPDX-License-Identifier: MIT
// Prints PIM programs as text (docs/pim.md, Assembler).
#pragma once

#include <string>

#include "coxswain/isa/pim/program.h"

namespace cox::tools::pim {

/// Returns text with the code of each group of cores, a label at each target of a jump, and the number of each instruction as a comment;
/// then settings and copies. Assembling it gives the same code, settings and copies.
[[nodiscard]] std::string disassemble(const isa::pim::Program &program);

}  // namespace cox::tools::pim
