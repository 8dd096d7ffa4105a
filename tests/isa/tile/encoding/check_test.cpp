// SPDX-License-Identifier: MIT
// The check of single instructions, as the firmware and the device use it.
#include "coxswain/isa/tile/table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coxswain/isa/tile/encode.h"

namespace cox::isa::tile {
namespace {

/// A legal value of the field.
std::int64_t good_value(const Field &field, unsigned element) {
  std::int64_t value = field.kind == Kind::integer ? field.minimum : 0;
  if (field.kind == Kind::enumeration) value = field.type_of(element)->values.front().value;
  return value;
}

MachineCode good(const Instruction &instruction) {
  MachineCode code = begin(instruction.opcode);
  for (const Field &field : instruction.fields) {
    for (unsigned element = 0; element < field.count; ++element) {
      if (field.kind == Kind::floating_point) continue;
      EXPECT_TRUE(set_integer(code, field, element, good_value(field, element)).ok());
    }
  }
  return code;
}

TEST(Check, EveryInstructionIsTaken) {
  for (const Instruction &instruction : kInstructions) {
    EXPECT_TRUE(check(good(instruction)).ok()) << instruction.name;
    EXPECT_TRUE(Set::is_legal(good(instruction))) << instruction.name << " needs the complete check";
  }
}

TEST(Check, UnknownOpcodes) {
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const MachineCode code{opcode};
    const bool known = find_instruction(static_cast<Opcode>(opcode)) != nullptr;
    EXPECT_EQ(check(code).code() == ErrorCode::unknown_instruction, !known) << opcode;
  }
}

/// Returns true if the bit belongs to the instruction's header or to a field.
bool is_documented(const Instruction &instruction, unsigned bit) {
  if (bit < 19) return true;  // opcode, context, completion, core
  if ((bit >= 24 && bit < 32) || (bit >= 50 && bit < 58))
    return instruction.opcode == Opcode::vp_self || instruction.opcode == Opcode::vp_pool;
  if (bit >= 32 && bit < 50) return !instruction.configuration;
  for (const Field &field : instruction.fields) {
    if (bit >= field.bit && bit < unsigned{field.bit} + unsigned{field.width} * field.count) return true;
  }
  return false;
}

TEST(Check, EveryReservedBit) {
  for (const Instruction &instruction : kInstructions) {
    for (unsigned bit = 0; bit < 256; ++bit) {
      if (is_documented(instruction, bit)) continue;
      MachineCode code = good(instruction);
      insert_bits(code, bit, 1, 1);
      const Status status = check(code);
      ASSERT_EQ(status.code(), ErrorCode::reserved_bits) << instruction.name << " bit " << bit;
      EXPECT_EQ(status.index(), static_cast<std::int32_t>(bit)) << instruction.name;
    }
  }
}

TEST(Check, ContextCompletionAndCoreMayHaveAnyValue) {
  MachineCode code = begin(Opcode::ct_st);
  insert_bits(code, kCoreBit, kCoreWidth, 3);
  insert_bits(code, kContextBit, kContextWidth, 15);
  insert_bits(code, kCompletionBit, 1, 1);
  EXPECT_TRUE(check(code).ok());
}

/// Tries raw values of every field. The check must accept legal values, and refuse others with the right error.
TEST(Check, EveryFieldsLimits) {
  for (const Instruction &instruction : kInstructions) {
    for (const Field &field : instruction.fields) {
      if (field.kind == Kind::floating_point) continue;
      for (unsigned element = 0; element < field.count; ++element) {
        const std::uint64_t values = std::uint64_t{1} << field.width;
        const std::uint64_t step = values > 512 ? values / 512 : 1;
        std::vector<std::uint64_t> all;
        for (std::uint64_t raw = 0; raw < values; raw += step) all.push_back(raw);
        // The limits, and one beyond each if the bits can express it.
        for (const std::int64_t value : {field.minimum - 1, field.minimum, field.maximum, field.maximum + 1}) {
          all.push_back(static_cast<std::uint64_t>(value) & (values - 1));
        }
        for (const std::uint64_t raw : all) {
          MachineCode code = good(instruction);
          insert_bits(code, field.bit_of(element), field.width, static_cast<std::uint32_t>(raw));
          const std::int64_t value = read_integer(code, field, element);
          bool legal = true;
          if (field.kind == Kind::integer) legal = value >= field.minimum && value <= field.maximum;
          if (field.kind == Kind::enumeration) legal = field.type_of(element)->find(value) != nullptr;
          const ErrorCode expected = legal ? ErrorCode::ok : ErrorCode::field_out_of_range;
          const Status status = check(code);
          ASSERT_EQ(status.code(), expected) << instruction.name << " " << field.name << " = " << value;
          if (!status.ok()) {
            EXPECT_STREQ(status.what(), field.name);
            EXPECT_EQ(status.index(), static_cast<std::int32_t>(element));
            EXPECT_EQ(status.value(), value);
          }
        }
      }
    }
  }
}

TEST(Check, NotANumberAndInfinity) {
  for (const Instruction &instruction : kInstructions) {
    for (const Field &field : instruction.fields) {
      if (field.kind != Kind::floating_point) continue;
      for (const std::uint32_t bits : {0x7F800000U, 0xFF800000U, 0x7FC00000U, 0x7F800001U}) {
        MachineCode code = good(instruction);
        insert_bits(code, field.bit, 32, bits);
        EXPECT_EQ(check(code).code(), ErrorCode::field_out_of_range) << instruction.name << " " << field.name;
      }
    }
  }
}

}  // namespace
}  // namespace cox::isa::tile
