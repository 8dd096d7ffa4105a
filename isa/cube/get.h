// SPDX-License-Identifier: MIT
// Fields by the names of the table, resolved at compile time: get<Opcode::MAD, "M">(code), field<Opcode::MAD, "M">(). A
// misspelt name does not compile.
#pragma once

#include "isa/cube/table.h"
#include "isa/fixed_string.h"

namespace cox::isa::cube {

template <Opcode Op, FixedString Name>
constexpr const Field &field() {
  constexpr const Field *kFound = find_field(instruction_of(Op), Name.view());
  static_assert(kFound != nullptr, "no such field in this instruction");
  return *kFound;
}

/// The value of an integer, boolean or enumeration field; the bits of a floating-point one.
template <Opcode Op, FixedString Name>
constexpr std::uint32_t get(const MachineCode &code) {
  constexpr const Field &found = field<Op, Name>();
  return extract_bits(code, found.bit, found.width);
}

}  // namespace cox::isa::cube
