// SPDX-License-Identifier: MIT
#include "isa/tile/encode.h"

#include <bit>
#include <cmath>

#include "isa/range.h"

namespace cox::isa::tile {

MachineCode begin(Opcode opcode) {
  MachineCode code{};
  insert_bits(code, kOpcodeBit, kOpcodeWidth, static_cast<std::uint32_t>(opcode));
  return code;
}

Status set_integer(MachineCode &code, const Field &field, unsigned element, std::int64_t value) {
  if (element >= field.count)
    return Status(ErrorCode::field_out_of_range, field.name, static_cast<std::int32_t>(element), element, field.count - 1);
  if (field.kind == Kind::floating_point) return Status(ErrorCode::invalid_argument, field.name);
  if (Status status = check_range(field, element, value); !status) return status;
  insert_bits(code, field.bit_of(element), field.width, static_cast<std::uint32_t>(value));
  return {};
}

Status set_float(MachineCode &code, const Field &field, unsigned element, float value) {
  if (element >= field.count)
    return Status(ErrorCode::field_out_of_range, field.name, static_cast<std::int32_t>(element), element, field.count - 1);
  if (field.kind != Kind::floating_point) return Status(ErrorCode::invalid_argument, field.name);
  if (!std::isfinite(value)) return Status(ErrorCode::field_out_of_range, field.name, static_cast<std::int32_t>(element));
  insert_bits(code, field.bit_of(element), field.width, std::bit_cast<std::uint32_t>(value));
  return {};
}

Status set_dependencies(MachineCode &code, std::uint32_t previous, std::uint32_t next) {
  constexpr std::uint32_t kAllClasses = (1U << kClasses) - 1;
  const Instruction *instruction = find_instruction(opcode_of(code));
  if (instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, static_cast<std::int64_t>(opcode_of(code)));
  const std::uint32_t legal = instruction->configuration ? 0 : kAllClasses;
  if ((previous & ~legal) != 0) return Status(ErrorCode::field_out_of_range, "Prev_Insts", -1, previous, legal);
  if ((next & ~legal) != 0) return Status(ErrorCode::field_out_of_range, "Next_Insts", -1, next, legal);
  insert_bits(code, kPreviousBit, kClasses, previous);
  insert_bits(code, kNextBit, kClasses, next);
  return {};
}

Status set_batch(MachineCode &code, std::int64_t index) {
  const std::int64_t limit = takes_batch(opcode_of(code)) ? (1 << kBatchWidth) - 1 : 0;
  if (index < 0 || index > limit) return Status(ErrorCode::field_out_of_range, "tile", -1, index, limit);
  insert_bits(code, kBatchBit, kBatchWidth, static_cast<std::uint32_t>(index));
  return {};
}

Status set_core(MachineCode &code, std::int64_t core) {
  constexpr std::int64_t kLast = kMostCores - 1;
  if (core < 0 || core > kLast) return Status(ErrorCode::field_out_of_range, "core", -1, core, kLast);
  insert_bits(code, kCoreBit, kCoreWidth, static_cast<std::uint32_t>(core));
  return {};
}

}  // namespace cox::isa::tile
