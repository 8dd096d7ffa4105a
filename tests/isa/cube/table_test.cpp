// SPDX-License-Identifier: MIT
// Consistency of the table. All checks are static: if this file compiles, they hold.
#include "isa/cube/table.h"

#include <gtest/gtest.h>

namespace cox::isa::cube {
namespace {

constexpr bool take(bool (&taken)[256], const Field &field) {
  if (field.count != 1 || field.width == 0 || field.width > 32 || field.bit + field.width > 256) return false;
  for (unsigned bit = field.bit; bit < unsigned{field.bit} + field.width; ++bit) {
    if (taken[bit]) return false;
    taken[bit] = true;
  }
  return true;
}

constexpr bool fields_are_apart(const Instruction &instruction) {
  bool taken[256]{};
  for (unsigned bit = kOpcodeBit; bit < kOpcodeBit + kOpcodeWidth; ++bit) taken[bit] = true;
  for (const Field &field : kHeaderFields) {
    if (!take(taken, field)) return false;
  }
  for (const Field &field : instruction.fields) {
    if (!take(taken, field) || field.bit < 64) return false;
  }
  return true;
}

constexpr bool values_fit(const Field &field) {
  if (field.kind == Kind::boolean) return field.width == 1 && field.minimum == 0 && field.maximum == 1;
  if (field.kind == Kind::floating_point) return field.width == 32;
  if (field.minimum > field.maximum) return false;
  if (field.minimum < 0) return field.minimum == -(std::int64_t{1} << (field.width - 1)) && field.maximum == -field.minimum - 1;
  if (field.maximum >= std::int64_t{1} << field.width) return false;
  if (field.kind != Kind::enumeration) return field.kind == Kind::integer;
  if (field.types[0] == nullptr) return false;
  for (std::int64_t value = 0; value < std::int64_t{1} << field.width; ++value) {
    if ((field.types[0]->find(value) != nullptr) != (value >= field.minimum && value <= field.maximum)) return false;
  }
  return true;
}

constexpr bool holds_for_every_instruction(bool (*rule)(const Instruction &)) {
  for (const Instruction &instruction : kInstructions) {
    if (!rule(instruction)) return false;
  }
  return true;
}

static_assert(holds_for_every_instruction(fields_are_apart), "fields overlap, or reach behind the slot");
static_assert(holds_for_every_instruction([](const Instruction &instruction) {
                for (const Field &field : instruction.fields) {
                  if (!values_fit(field) || find_field(instruction, field.name) != &field) return false;
                }
                return true;
              }),
              "a range does not fit its field, or two fields have one name");
static_assert(holds_for_every_instruction([](const Instruction &instruction) {
                return &instruction_of(instruction.opcode) == &instruction &&
                       find_instruction(static_cast<std::uint32_t>(instruction.opcode)) == &instruction &&
                       find_instruction(std::string_view(instruction.name)) == &instruction;
              }),
              "an instruction that is not found by its opcode or name");

TEST(Table, UnknownNames) {
  EXPECT_EQ(find_instruction(std::string_view("MAD_S4")), nullptr);
  EXPECT_EQ(find_field(instruction_of(Opcode::MAD), "Rows"), nullptr);
}

/// Reads a field by its name, as the device does. K of MAD has the bits [215:204].
TEST(Table, GetByName) {
  const MachineCode code{0, 0, 0, 0, 0, 0, 0x00ABC000, 0};
  EXPECT_EQ((get<Opcode::MAD, "K">(code)), 0xABCU);
  EXPECT_EQ((field<Opcode::MAD, "K">().bit), 204);
}

}  // namespace
}  // namespace cox::isa::cube
