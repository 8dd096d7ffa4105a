// SPDX-License-Identifier: MIT
// Consistency of the table.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "isa/tile/table.h"

namespace cox::isa::tile {
namespace {

TEST(Table, OpcodesAndNamesAreUnique) {
  std::set<Opcode> opcodes;
  std::set<std::string> names;
  for (const Instruction &instruction : kInstructions) {
    EXPECT_NE(static_cast<int>(instruction.opcode), 0) << instruction.name;
    EXPECT_TRUE(opcodes.insert(instruction.opcode).second) << instruction.name;
    EXPECT_TRUE(names.insert(instruction.name).second) << instruction.name;
    EXPECT_EQ(find_instruction(instruction.opcode), &instruction);
  }
}

TEST(Table, FieldsLieBehindTheHeaderAndDoNotOverlap) {
  for (const Instruction &instruction : kInstructions) {
    std::set<unsigned> bits;
    for (const Field &field : instruction.fields) {
      for (unsigned element = 0; element < field.count; ++element) {
        for (unsigned bit = field.bit_of(element); bit < field.bit_of(element) + field.width; ++bit) {
          EXPECT_GE(bit, kHeaderBits) << instruction.name << " " << field.name;
          EXPECT_LT(bit, 256U) << instruction.name << " " << field.name;
          EXPECT_TRUE(bits.insert(bit).second) << instruction.name << " " << field.name << " bit " << bit;
        }
      }
    }
  }
}

TEST(Table, RangesFitTheirWidths) {
  for (const Instruction &instruction : kInstructions) {
    for (const Field &field : instruction.fields) {
      SCOPED_TRACE(std::string(instruction.name) + " " + field.name);
      if (field.kind == Kind::floating_point) {
        EXPECT_EQ(field.width, 32);
      } else if (field.kind == Kind::boolean) {
        EXPECT_EQ(field.width, 1);
      } else if (field.kind == Kind::enumeration) {
        for (unsigned element = 0; element < field.count; ++element) {
          ASSERT_NE(field.type_of(element), nullptr);
          for (const EnumValue &value : field.type_of(element)->values) {
            EXPECT_GE(value.value, 0);
            EXPECT_LT(value.value, 1 << field.width);
          }
        }
      } else {
        EXPECT_LE(field.minimum, field.maximum);
        const std::int64_t half = std::int64_t{1} << (field.width - 1);
        EXPECT_LT(field.maximum, field.minimum < 0 ? half : 2 * half);
        EXPECT_GE(field.minimum, field.minimum < 0 ? -half : 0);
      }
    }
  }
}

}  // namespace
}  // namespace cox::isa::tile
