// SPDX-License-Identifier: MIT
#include "coxswain/isa/tile/encode.h"

namespace cox::isa::tile {

Status set_integer(MachineCode &code, const Field &field, unsigned element, std::int64_t value) {
  if (element < field.count && field.kind == Kind::floating_point) return Status(ErrorCode::invalid_argument, field.name);
  return Set::set(code, field, element, value);
}

Status set_dependencies(MachineCode &code, std::uint32_t previous, std::uint32_t next) {
  constexpr std::uint32_t kAllClasses = (1U << kClasses) - 1;
  const Instruction *instruction = Set::find(code);
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

Status set_images(MachineCode &code, std::int64_t images) {
  const std::int64_t limit = takes_batch(opcode_of(code)) ? kMaxImages : 1;
  if (images < 1 || images > limit) return Status(ErrorCode::field_out_of_range, "tiles", -1, images, limit);
  insert_bits(code, kImagesBit, kImagesWidth, static_cast<std::uint32_t>(images - 1));
  return {};
}

Status set_core(MachineCode &code, std::int64_t core) {
  constexpr std::int64_t kLast = kMostCores - 1;
  if (core < 0 || core > kLast) return Status(ErrorCode::field_out_of_range, "core", -1, core, kLast);
  insert_bits(code, kCoreBit, kCoreWidth, static_cast<std::uint32_t>(core));
  return {};
}

}  // namespace cox::isa::tile
