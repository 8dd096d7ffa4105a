// SPDX-License-Identifier: MIT
// Checks of this set's table beyond those of isa/table_check.h. All checks are static: if this file compiles, they hold.
#include "coxswain/isa/cube/table.h"

#include <gtest/gtest.h>

namespace cox::isa::cube {
namespace {

/// A signed field takes every value of its width. An enumeration has a name for each value in its range, and for no other.
constexpr bool fits(const Field &field) {
  if (field.count != 1 || field.bit < 64) return false;
  if (field.kind == Kind::integer && field.minimum < 0) {
    return field.minimum == -(std::int64_t{1} << (field.width - 1)) && field.maximum == -field.minimum - 1;
  }
  if (field.kind != Kind::enumeration) return true;
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

static_assert(holds_for_every_instruction([](const Instruction &instruction) {
                for (const Field &field : instruction.fields) {
                  if (!fits(field)) return false;
                }
                return true;
              }),
              "a field in the header, or a range or names that do not fit");

TEST(Table, UnknownNames) {
  EXPECT_EQ(find_instruction(std::string_view("MAD_S4")), nullptr);
  EXPECT_EQ(find_field(instruction_of(Opcode::MAD), "Rows"), nullptr);
}

/// Reads a field by its name. K of MAD has the bits [215:204].
TEST(Table, GetByName) {
  const MachineCode code{0, 0, 0, 0, 0, 0, 0x00ABC000, 0};
  EXPECT_EQ((get<Opcode::MAD, "K">(code)), 0xABCU);
  EXPECT_EQ((field<Opcode::MAD, "K">().bit), 204);
}

}  // namespace
}  // namespace cox::isa::cube
