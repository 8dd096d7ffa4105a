// SPDX-License-Identifier: MIT
// Reads the operands of an instruction and makes its machine code.
#pragma once

#include <cstdint>
#include <string_view>

#include "coxswain/isa/pim/table.h"
#include "tools/pim/expression.h"
#include "tools/pim/form.h"
#include "tools/pim/token.h"

namespace cox::tools::pim {

/// True if `name` is an instruction, a name of a simd-compute, or one of li, mv and nop.
[[nodiscard]] bool is_instruction_name(std::string_view name);

/// What stands behind an instruction's name.
struct Operands {
  Tokens &tokens;
  const Names &names;
  std::uint32_t counter = 0;    ///< number of this instruction
  std::size_t head_column = 1;  ///< of its name
};

/// Returns the word of an instruction of the table, or of a simd name. Fails the line.
[[nodiscard]] std::uint32_t read_instruction(const isa::pim::Instruction &row, const SimdName *simd, Operands operands);

/// Returns how many instructions li needs for a value; 2 if the value is not known.
[[nodiscard]] unsigned instructions_of_li(std::int64_t value, bool known);

}  // namespace cox::tools::pim
