// SPDX-License-Identifier: MIT
// Fields by the names of the table, resolved at compile time: get<Opcode::pe_conv, "SPHI">(code). A misspelt name does not compile.
#pragma once

#include "isa/fixed_string.h"
#include "isa/tile/table.h"

namespace cox::isa::tile {

/// The table's entry, or nullptr.
template <Opcode Op, FixedString Name>
consteval const Field *field_named() {
  const Instruction *instruction = find_instruction(Op);
  return instruction == nullptr ? nullptr : find_field(*instruction, Name.view());
}

/// Have the two instructions that field at the same bits? Then one reader does for both.
template <Opcode A, Opcode B, FixedString Name>
consteval bool same_bits() {
  constexpr const Field &kA = *field_named<A, Name>();
  constexpr const Field &kB = *field_named<B, Name>();
  return kA.bit == kB.bit && kA.width == kB.width && kA.count == kB.count;
}

/// The value of one element: float for floating-point fields, std::int64_t for all others.
template <Opcode Op, FixedString Name, unsigned Element = 0>
constexpr auto get(const MachineCode &code) {
  static_assert(field_named<Op, Name>() != nullptr, "no such field in this instruction");
  constexpr const Field &field = *field_named<Op, Name>();
  static_assert(Element < field.count);
  if constexpr (field.kind == Kind::floating_point) {
    return read_float(code, field, Element);
  } else {
    return read_integer(code, field, Element);
  }
}

}  // namespace cox::isa::tile
