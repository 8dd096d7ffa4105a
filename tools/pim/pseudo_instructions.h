// SPDX-License-Identifier: MIT
// li and mv, which stand for other instructions (docs/pim.md, Assembler).
#pragma once

#include <cstdint>

#include "tools/pim/instruction_reader.h"
#include "tools/pim/program_parts.h"

namespace cox::tools::pim {

/// Takes the operands of li and appends `size` instructions to `code`. Fails the line.
void load_immediate(const Operands &operands, std::uint32_t size, Code &code);

/// Takes the operands of mv. Fails the line.
[[nodiscard]] std::uint32_t move(const Operands &operands);

}  // namespace cox::tools::pim
