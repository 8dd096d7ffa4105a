// SPDX-License-Identifier: MIT
// Consistency of the table. All checks are static: if this file compiles, they hold.
#include "isa/mx/table.h"

#include <gtest/gtest.h>

namespace cox::isa::mx {
namespace {

constexpr unsigned kLongestBits = kLongestBytes * 8;

constexpr bool fields_are_apart(const Instruction &instruction) {
  bool taken[kLongestBits]{};
  for (unsigned bit = 0; bit < kOpcodeWidth + kFunctWidth; ++bit) taken[bit] = true;
  for (const Field &field : instruction.fields) {
    if (field.count != 1 || field.width == 0 || field.width > 32) return false;
    if (unsigned{field.bit} + field.width > 8U * instruction.bytes) return false;
    for (unsigned bit = field.bit; bit < unsigned{field.bit} + field.width; ++bit) {
      if (taken[bit]) return false;
      taken[bit] = true;
    }
  }
  return true;
}

constexpr bool values_fit(const Field &field) {
  if (field.minimum < 0 || field.minimum > field.maximum || field.maximum >= std::int64_t{1} << field.width) return false;
  if (field.kind == Kind::boolean) return field.width == 1 && field.minimum == 0 && field.maximum == 1;
  if (field.kind == Kind::bfloat16) return field.width == 16 && field.minimum == 0 && field.maximum == 0xFFFF;
  if (field.kind != Kind::enumeration) return field.kind == Kind::integer;
  if (field.types[0] == nullptr) return false;
  for (std::int64_t value = 0; value < std::int64_t{1} << field.width; ++value) {
    if ((field.types[0]->find(value) != nullptr) != (value >= field.minimum && value <= field.maximum)) return false;
  }
  return true;
}

constexpr bool fields_have_names_of_their_own(const Instruction &instruction) {
  for (const Field &field : instruction.fields) {
    if (find_field(instruction, field.name) != &field) return false;
  }
  return true;
}

constexpr bool holds_for_every_instruction(bool (*rule)(const Instruction &)) {
  for (const Instruction &instruction : kInstructions) {
    if (!rule(instruction)) return false;
  }
  return true;
}

static_assert(holds_for_every_instruction(fields_are_apart), "fields overlap, or reach behind the instruction");
static_assert(holds_for_every_instruction(fields_have_names_of_their_own));
static_assert(holds_for_every_instruction([](const Instruction &instruction) {
                for (const Field &field : instruction.fields) {
                  if (!values_fit(field)) return false;
                }
                return true;
              }),
              "a range does not fit its field");
static_assert(holds_for_every_instruction([](const Instruction &instruction) {
                return instruction.bytes % kStreamAlignment == 0 && instruction.bytes != 0 && instruction.bytes <= kLongestBytes;
              }),
              "a length that streams do not have");
static_assert(holds_for_every_instruction([](const Instruction &instruction) {
                return instruction.code < 16 && instruction.funct < 4 && &instruction_of(instruction.opcode) == &instruction &&
                       find_instruction(static_cast<std::uint32_t>(instruction.code | instruction.funct << kFunctBit)) == &instruction &&
                       find_instruction(std::string_view(instruction.name)) == &instruction;
              }),
              "an instruction that is not found by its opcode or name");

TEST(Table, UnknownNames) {
  EXPECT_EQ(find_instruction(std::string_view("CONV")), nullptr);
  EXPECT_EQ(find_field(instruction_of(Opcode::ELADD), "InOffset"), nullptr);
}

/// Reads a field by its name, as the device does. InWidth of CONVACT has the bits [51:42].
TEST(Table, GetByName) {
  MachineCode code{};
  code[1] = 0x000ABC00;  // 0x2AF << 10
  EXPECT_EQ((get<Opcode::CONVACT, "InWidth">(code)), 0x2AFU);
  EXPECT_EQ((field<Opcode::CONVACT, "InWidth">().bit), 42);
}

}  // namespace
}  // namespace cox::isa::mx
