// SPDX-License-Identifier: MIT
// Builds machine code field by field, with the table's range checks.
#pragma once

#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile {

[[nodiscard]] inline MachineCode begin(Opcode opcode) { return Set::begin(opcode); }
[[nodiscard]] inline Status set_float(MachineCode &code, const Field &field, unsigned element, float value) {
  return Set::set_float(code, field, element, value);
}
/// Sets an integer, boolean or enumeration element. Error: invalid_argument for a floating-point field.
[[nodiscard]] Status set_integer(MachineCode &code, const Field &field, unsigned element, std::int64_t value);
/// Sets Prev_Insts and Next_Insts: bit c is class c. Error: field_out_of_range for a configuration instruction with any bit set, and for
/// bits above SO.
[[nodiscard]] Status set_dependencies(MachineCode &code, std::uint32_t previous, std::uint32_t next);
/// Sets the index within a batch, 0 to 255. Only `vp_self` and `vp_pool` have one.
[[nodiscard]] Status set_batch(MachineCode &code, std::int64_t index);
/// Sets the number of images of the batch, 1 to kMaxImages. Only `vp_self` and `vp_pool` have more than 1.
[[nodiscard]] Status set_images(MachineCode &code, std::int64_t images);
/// Sets the core that runs the instruction, 0 to 3, counted from the first core of the task.
[[nodiscard]] Status set_core(MachineCode &code, std::int64_t core);

}  // namespace cox::isa::tile
