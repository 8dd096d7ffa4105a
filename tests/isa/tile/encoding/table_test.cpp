// SPDX-License-Identifier: MIT
// Checks of this set's table beyond those of isa/table_check.h.
#include <gtest/gtest.h>

#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile {
namespace {

TEST(Table, OpcodeZeroIsNoInstruction) {
  for (const Instruction &instruction : kInstructions) EXPECT_NE(static_cast<int>(instruction.opcode), 0) << instruction.name;
}

TEST(Table, FieldsLieBehindTheHeader) {
  for (const Instruction &instruction : kInstructions) {
    for (const Field &field : instruction.fields) EXPECT_GE(field.bit, kHeaderBits) << instruction.name << " " << field.name;
  }
}

}  // namespace
}  // namespace cox::isa::tile
