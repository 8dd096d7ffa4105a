// SPDX-License-Identifier: MIT
#include "isa/cube/encode.h"

#include <bit>
#include <iterator>

#include "isa/cube/get.h"
#include "isa/range.h"

namespace cox::isa::cube {
namespace {

// The opcode is the instruction's place in the table.
constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kInstructions); ++i) {
    if (static_cast<std::size_t>(kInstructions[i].opcode) != i + 1) return false;
  }
  return true;
}
static_assert(in_order());

/// The bits that an instruction may set, worked out from the table once, at compile time.
constexpr MachineCode legal_bits(const Instruction &instruction) {
  MachineCode mask{};
  insert_bits(mask, kOpcodeBit, kOpcodeWidth, ~std::uint32_t{0});
  // No pipe runs a BARRIER, so there is none that could take or give its flags.
  if (instruction.opcode != Opcode::BARRIER) {
    for (const Field &field : kHeaderFields) insert_bits(mask, field.bit, field.width, ~std::uint32_t{0});
  }
  for (const Field &field : instruction.fields) insert_bits(mask, field.bit, field.width, ~std::uint32_t{0});
  return mask;
}

struct LegalBits {
  MachineCode of[std::size(kInstructions)];
};

constexpr LegalBits kLegalBits = [] {
  LegalBits all{};
  for (std::size_t i = 0; i < std::size(kInstructions); ++i) all.of[i] = legal_bits(kInstructions[i]);
  return all;
}();

Status check_fields(const MachineCode &code, std::span<const Field> fields) {
  for (const Field &field : fields) {
    if (Status status = check_range(field, 0, read_integer(code, field)); !status) return status;
  }
  return {};
}

}  // namespace

MachineCode begin(Opcode opcode) {
  MachineCode code{};
  insert_bits(code, kOpcodeBit, kOpcodeWidth, static_cast<std::uint32_t>(opcode));
  return code;
}

Status set(MachineCode &code, const Field &field, std::int64_t value) {
  if (Status status = check_range(field, 0, value); !status) return status;
  insert_bits(code, field.bit, field.width, static_cast<std::uint32_t>(value));
  return {};
}

Status check(const MachineCode &code) {
  const Instruction *instruction = find_instruction(code[0]);
  if (instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, extract_bits(code, kOpcodeBit, kOpcodeWidth));
  const MachineCode &legal = kLegalBits.of[instruction - kInstructions];
  for (unsigned word = 0; word < code.size(); ++word) {
    const std::uint32_t illegal = code[word] & ~legal[word];
    if (illegal != 0) {
      return Status(ErrorCode::reserved_bits, instruction->name, static_cast<std::int32_t>(word * 32) + std::countr_zero(illegal));
    }
  }
  return check_fields(code, instruction->fields);
}

unsigned field_bit(const Instruction &instruction, std::string_view name) {
  const Field *field = find_field(instruction, name);
  return field == nullptr ? kNoField : field->bit;
}

const char *field_name(const Instruction &instruction, unsigned bit) {
  for (const Field &field : kHeaderFields) {
    if (field.bit == bit) return field.name;
  }
  for (const Field &field : instruction.fields) {
    if (field.bit == bit) return field.name;
  }
  return "instruction";
}

Pipe pipe_of(const MachineCode &code) {
  const Instruction &instruction = *find_instruction(code[0]);
  if (instruction.opcode == Opcode::SET_FLAG) return static_cast<Pipe>(get<Opcode::SET_FLAG, "Pipe">(code));
  if (instruction.opcode == Opcode::WAIT_FLAG) return static_cast<Pipe>(get<Opcode::WAIT_FLAG, "Pipe">(code));
  return instruction.pipe;
}

Flags flags_of(const MachineCode &code) {
  Flags flags{extract_bits(code, kWaitBit, kMaskWidth), extract_bits(code, kSetBit, kMaskWidth)};
  const Pipe own = pipe_of(code);
  const Instruction &instruction = *find_instruction(code[0]);
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
