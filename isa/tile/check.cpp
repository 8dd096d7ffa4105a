// SPDX-License-Identifier: MIT
#include "isa/tile/check.h"

#include <bit>
#include <iterator>

#include "isa/range.h"

namespace cox::isa::tile {
namespace {

/// The bits that an instruction may set, worked out from the table once, at compile time.
constexpr MachineCode legal_bits(const Instruction &instruction) {
  MachineCode mask{};
  const auto allow = [&mask](unsigned bit, unsigned width) { insert_bits(mask, bit, width, ~std::uint32_t{0}); };
  allow(kOpcodeBit, kOpcodeWidth);
  allow(kContextBit, kContextWidth);
  allow(kCompletionBit, 1);
  allow(kCoreBit, kCoreWidth);
  if (takes_batch(instruction.opcode)) allow(kBatchBit, kBatchWidth);
  if (!instruction.configuration) {
    allow(kPreviousBit, kClasses);
    allow(kNextBit, kClasses);
  }
  for (const Field &field : instruction.fields) {
    for (unsigned element = 0; element < field.count; ++element) allow(field.bit_of(element), field.width);
  }
  return mask;
}

struct LegalBits {
  MachineCode of[std::size(kInstructions)];
};

constexpr LegalBits all_legal_bits() {
  LegalBits all{};
  for (std::size_t i = 0; i < std::size(kInstructions); ++i) all.of[i] = legal_bits(kInstructions[i]);
  return all;
}

constexpr LegalBits kLegalBits = all_legal_bits();

constexpr bool is_finite(std::uint32_t bits) { return (bits & 0x7F800000U) != 0x7F800000U; }

Status check_field(const MachineCode &code, const Field &field) {
  for (unsigned element = 0; element < field.count; ++element) {
    const std::int64_t value = read_integer(code, field, element);
    if (field.kind == Kind::floating_point) {
      if (!is_finite(static_cast<std::uint32_t>(value))) {
        return Status(ErrorCode::field_out_of_range, field.name, static_cast<std::int32_t>(element), value);
      }
      continue;
    }
    if (Status status = check_range(field, element, value); !status) return status;
  }
  return {};
}

}  // namespace

Status check(const MachineCode &code) {
  const Instruction *instruction = find_instruction(opcode_of(code));
  if (instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, static_cast<std::int64_t>(opcode_of(code)));
  const MachineCode &legal = kLegalBits.of[instruction - kInstructions];
  for (unsigned word = 0; word < code.size(); ++word) {
    const std::uint32_t illegal = code[word] & ~legal[word];
    if (illegal != 0) {
      const std::int32_t bit = static_cast<std::int32_t>(word * 32) + std::countr_zero(illegal);
      return Status(ErrorCode::reserved_bits, instruction->name, bit, bit);
    }
  }
  for (const Field &field : instruction->fields) {
    if (Status status = check_field(code, field); !status) return status;
  }
  return {};
}

}  // namespace cox::isa::tile
