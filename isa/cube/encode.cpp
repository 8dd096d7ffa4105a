// SPDX-License-Identifier: MIT
#include "coxswain/isa/cube/encode.h"

#include "coxswain/isa/instruction_set_code.h"

template class cox::isa::InstructionSet<cox::isa::cube::Traits>;

namespace cox::isa::cube {

bool Traits::is_ignored(const Instruction &row, const MachineCode &code, const Field &field) {
  constexpr Opcode kOp = Opcode::MAD;
  return row.opcode == kOp && (get<kOp, "M">(code) == 0 || get<kOp, "K">(code) == 0 || get<kOp, "N">(code) == 0) &&
         &field != &cube::field<kOp, "Type">();
}

Pipe pipe_of(const MachineCode &code) {
  const Instruction &instruction = *Set::find(code);
  if (instruction.opcode == Opcode::SET_FLAG) return static_cast<Pipe>(get<Opcode::SET_FLAG, "Pipe">(code));
  if (instruction.opcode == Opcode::WAIT_FLAG) return static_cast<Pipe>(get<Opcode::WAIT_FLAG, "Pipe">(code));
  return instruction.pipe;
}

Flags flags_of(const MachineCode &code) {
  Flags flags{extract_bits(code, kWaitBit, kMaskWidth), extract_bits(code, kSetBit, kMaskWidth)};
  const Pipe own = pipe_of(code);
  const Instruction &instruction = *Set::find(code);
  if (instruction.opcode == Opcode::SET_FLAG) {
    const auto target = static_cast<Pipe>(get<Opcode::SET_FLAG, "Target">(code));
    if (target != own) flags.set |= 1U << mask_bit(own, target, get<Opcode::SET_FLAG, "Event">(code));
  }
  if (instruction.opcode == Opcode::WAIT_FLAG) {
    const auto origin = static_cast<Pipe>(get<Opcode::WAIT_FLAG, "Origin">(code));
    if (origin != own) flags.wait |= 1U << mask_bit(own, origin, get<Opcode::WAIT_FLAG, "Event">(code));
  }
  return flags;
}

}  // namespace cox::isa::cube
