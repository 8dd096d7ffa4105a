// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/engine.h"

namespace cox::kernels::pim {

void Set::explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
  const isa::pim::Position position = isa::pim::Position::unpack(detail.offset);
  fault.instruction = static_cast<std::int32_t>(position.pack());
  const Result<isa::pim::Program> program = isa::pim::Program::open(stream);
  if (!program || position.core >= program.value().cores()) return;
  if (position.instruction >= program.value().entry(position.core).instructions) return;
  const isa::pim::MachineCode code = program.value().code(position.core, position.instruction);
  const isa::pim::Instruction *const instruction = isa::pim::Set::find(code);
  if (instruction == nullptr) return;
  fault.name = instruction->name;
  for (const isa::Field &field : instruction->fields) {
    if (field.bit == detail.field_bit) fault.field = field.name;
  }
}

}  // namespace cox::kernels::pim

template class cox::kernels::Engine<cox::kernels::pim::Set>;
