// SPDX-License-Identifier: MIT
#include "isa/mx/encode.h"

#include <bit>
#include <cstring>
#include <iterator>

#include "isa/range.h"

namespace cox::isa::mx {
namespace {

/// The bits that an instruction may set, worked out from the table once, at compile time.
constexpr MachineCode legal_bits(const Instruction &instruction) {
  MachineCode mask{};
  insert_bits(mask, kOpcodeBit, kOpcodeWidth, ~std::uint32_t{0});
  insert_bits(mask, kFunctBit, kFunctWidth, ~std::uint32_t{0});
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

}  // namespace

MachineCode begin(Opcode opcode) {
  const Instruction &instruction = instruction_of(opcode);
  MachineCode code{};
  insert_bits(code, kOpcodeBit, kOpcodeWidth, instruction.code);
  insert_bits(code, kFunctBit, kFunctWidth, instruction.funct);
  return code;
}

Status set(MachineCode &code, const Field &field, std::int64_t value) {
  if (Status status = check_range(field, 0, value); !status) return status;
  insert_bits(code, field.bit, field.width, static_cast<std::uint32_t>(value));
  return {};
}

Status check(const MachineCode &code) {
  const Instruction *instruction = find_instruction(code[0]);
  if (instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, code[0] & kIdentityMask);
  const MachineCode &legal = kLegalBits.of[instruction - kInstructions];
  for (unsigned word = 0; word < code.size(); ++word) {
    const std::uint32_t illegal = code[word] & ~legal[word];
    if (illegal != 0) {
      return Status(ErrorCode::reserved_bits, instruction->name, static_cast<std::int32_t>(word * 32) + std::countr_zero(illegal));
    }
  }
  for (const Field &field : instruction->fields) {
    if (Status status = check_range(field, 0, read_integer(code, field)); !status) return status;
  }
  return {};
}

Result<Fetched> fetch(std::span<const std::byte> stream) {
  const auto left = static_cast<std::int64_t>(stream.size());
  constexpr std::size_t kShortest = 8;
  if (stream.size() < kShortest) return Status(ErrorCode::stream_truncated, "stream", -1, left, kShortest);
  Fetched fetched;
  std::uint32_t first_word = 0;
  std::memcpy(&first_word, stream.data(), sizeof first_word);
  fetched.instruction = find_instruction(first_word);
  if (fetched.instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, first_word & kIdentityMask);
  const std::size_t bytes = fetched.instruction->bytes;
  if (stream.size() < bytes) {
    return Status(ErrorCode::stream_truncated, fetched.instruction->name, -1, left, static_cast<std::int64_t>(bytes));
  }
  std::memcpy(fetched.code.data(), stream.data(), bytes);
  return fetched;
}

unsigned field_bit(const Instruction &instruction, std::string_view name) {
  const Field *field = find_field(instruction, name);
  return field == nullptr ? kNoField : field->bit;
}

const char *field_name(const Instruction &instruction, unsigned bit) {
  for (const Field &field : instruction.fields) {
    if (field.bit == bit) return field.name;
  }
  return "instruction";
}

}  // namespace cox::isa::mx
