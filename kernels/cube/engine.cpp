// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/engine.h"

#include <cstring>

namespace cox::kernels::cube {

using isa::cube::kSlotBytes;
using isa::cube::MachineCode;

void Set::explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
  if (detail.offset + kSlotBytes > stream.size()) return;
  fault.instruction = static_cast<std::int32_t>(detail.offset / kSlotBytes);
  MachineCode code;
  std::memcpy(code.data(), &stream[detail.offset], kSlotBytes);
  const isa::cube::Instruction *const instruction = isa::cube::find_instruction(code[0]);
  if (instruction == nullptr) return;
  fault.name = instruction->name;
  fault.field = isa::cube::field_name(*instruction, detail.field_bit);
}

}  // namespace cox::kernels::cube

template class cox::kernels::Engine<cox::kernels::cube::Set>;
