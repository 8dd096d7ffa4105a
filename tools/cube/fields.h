// SPDX-License-Identifier: MIT
// Recognises the fields that have a special text form.
#pragma once

#include "coxswain/isa/cube/table.h"

namespace cox::tools::cube {

/// Returns true for the fields Wait and Set.
inline bool is_flags(const isa::Field &field) {
  return field.bit == isa::cube::kHeaderFields[0].bit || field.bit == isa::cube::kHeaderFields[1].bit;
}
inline bool has_flags(const isa::cube::Instruction &instruction) { return instruction.opcode != isa::cube::Opcode::BARRIER; }

/// Returns true for the field Pipes of BARRIER, a set of pipes.
inline bool is_pipes(const isa::Field &field) { return &field == &isa::cube::field<isa::cube::Opcode::BARRIER, "Pipes">(); }

}  // namespace cox::tools::cube
