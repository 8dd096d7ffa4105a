// SPDX-License-Identifier: MIT
// Checks of this set's table beyond those of isa/table_check.h. All checks are static: if this file compiles, they hold.
#include "coxswain/isa/mx/table.h"

#include <gtest/gtest.h>

namespace cox::isa::mx {
namespace {

/// An enumeration has a name for each value in its range, and for no other.
constexpr bool names_fit(const Field &field) {
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
                  if (field.count != 1 || field.minimum < 0 || !names_fit(field)) return false;
                }
                return true;
              }),
              "a field with several elements, a negative value, or names that do not fit its range");
static_assert(holds_for_every_instruction([](const Instruction &instruction) {
                return instruction.bytes % kStreamAlignment == 0 && instruction.bytes != 0 && instruction.bytes <= kLongestBytes;
              }),
              "a length that streams do not have");
static_assert(holds_for_every_instruction([](const Instruction &instruction) { return instruction.code < 16 && instruction.funct < 4; }),
              "an opcode or function code that its bits cannot hold");

TEST(Table, UnknownNames) {
  EXPECT_EQ(find_instruction(std::string_view("CONV")), nullptr);
  EXPECT_EQ(find_field(instruction_of(Opcode::ELADD), "InOffset"), nullptr);
}

/// Reads a field by its name. InWidth of CONVACT has the bits [51:42].
TEST(Table, GetByName) {
  MachineCode code{};
  code[1] = 0x000ABC00;  // 0x2AF << 10
  EXPECT_EQ((get<Opcode::CONVACT, "InWidth">(code)), 0x2AFU);
  EXPECT_EQ((field<Opcode::CONVACT, "InWidth">().bit), 42);
}

}  // namespace
}  // namespace cox::isa::mx
