// SPDX-License-Identifier: MIT
// Building machine code field by field, with the table's range checks.
#pragma once

#include <string_view>

#include "base/result.h"
#include "isa/tile/table.h"

namespace cox::isa::tile {

/// An instruction with its opcode and all fields zero.
[[nodiscard]] MachineCode begin(Opcode opcode);

/// Sets an integer, boolean or enumeration element. field_out_of_range (`what` the field's name, `index` the element) leaves the code as it
/// was.
[[nodiscard]] Status set_integer(MachineCode &code, const Field &field, unsigned element, std::int64_t value);
/// Sets a floating-point element; NaN and infinities are out of range.
[[nodiscard]] Status set_float(MachineCode &code, const Field &field, unsigned element, float value);
/// Sets Prev_Insts and Next_Insts: bit c is class c. field_out_of_range for a configuration instruction with any bit set, and for bits over
/// SO.
[[nodiscard]] Status set_dependencies(MachineCode &code, std::uint32_t previous, std::uint32_t next);
/// Sets the index within a batch: `vp_self` and `vp_pool` alone, 0 to 255.
[[nodiscard]] Status set_batch(MachineCode &code, std::int64_t index);
/// Sets which of the task's cores runs the instruction: 0 to 3.
[[nodiscard]] Status set_core(MachineCode &code, std::int64_t core);

}  // namespace cox::isa::tile
