// SPDX-License-Identifier: MIT
// The encoder with every field of every instruction: it accepts the limits, refuses values beyond them and then changes nothing.
#include "coxswain/isa/tile/encode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile {
namespace {

/// Returns an instruction with all bits of its fields set, so that a stray write is visible.
MachineCode filled(const Instruction &instruction) {
  MachineCode code = begin(instruction.opcode);
  for (const Field &field : instruction.fields) {
    for (unsigned element = 0; element < field.count; ++element) insert_bits(code, field.bit_of(element), field.width, ~std::uint32_t{0});
  }
  return code;
}

std::vector<std::int64_t> legal_values(const Field &field, unsigned element) {
  if (field.kind == Kind::integer) return {field.minimum, field.maximum, (field.minimum + field.maximum) / 2};
  if (field.kind == Kind::boolean) return {0, 1};
  std::vector<std::int64_t> values;
  for (const EnumValue &value : field.type_of(element)->values) values.push_back(value.value);
  return values;
}

std::vector<std::int64_t> illegal_values(const Field &field, unsigned element) {
  if (field.kind == Kind::integer) return {field.minimum - 1, field.maximum + 1, std::int64_t{1} << 40, -(std::int64_t{1} << 40)};
  if (field.kind == Kind::boolean) return {-1, 2};
  return {-1, field.type_of(element)->values.back().value + 1};
}

template <typename Do>
void for_each_element(Do what) {
  for (const Instruction &instruction : kInstructions) {
    for (const Field &field : instruction.fields) {
      for (unsigned element = 0; element < field.count; ++element) {
        SCOPED_TRACE(std::string(instruction.name) + " " + field.name + " " + std::to_string(element));
        what(instruction, field, element);
      }
    }
  }
}

TEST(Encode, LegalValuesComeBackAndTouchNothingElse) {
  for_each_element([](const Instruction &instruction, const Field &field, unsigned element) {
    if (field.kind == Kind::floating_point) return;
    for (const std::int64_t value : legal_values(field, element)) {
      for (const MachineCode &before : {begin(instruction.opcode), filled(instruction)}) {
        MachineCode code = before;
        ASSERT_TRUE(set_integer(code, field, element, value).ok()) << value;
        EXPECT_EQ(read_integer(code, field, element), value);
        insert_bits(code, field.bit_of(element), field.width, extract_bits(before, field.bit_of(element), field.width));
        EXPECT_EQ(code, before);
      }
    }
  });
}

TEST(Encode, IllegalValuesAreRefusedAndChangeNothing) {
  for_each_element([](const Instruction &instruction, const Field &field, unsigned element) {
    if (field.kind == Kind::floating_point) return;
    for (const std::int64_t value : illegal_values(field, element)) {
      MachineCode code = filled(instruction);
      const Status status = set_integer(code, field, element, value);
      EXPECT_EQ(status.code(), ErrorCode::field_out_of_range) << value;
      EXPECT_STREQ(status.what(), field.name);
      EXPECT_EQ(status.index(), static_cast<std::int32_t>(element));
      EXPECT_EQ(status.value(), value);
      EXPECT_EQ(code, filled(instruction));
    }
  });
}

TEST(Encode, FloatingPointValuesKeepEveryBit) {
  for_each_element([](const Instruction &instruction, const Field &field, unsigned element) {
    if (field.kind != Kind::floating_point) return;
    for (const float value : {0.0F, -0.0F, 1.0F, -128.0F, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
                              std::numeric_limits<float>::denorm_min()}) {
      MachineCode code = begin(instruction.opcode);
      ASSERT_TRUE(set_float(code, field, element, value).ok());
      EXPECT_EQ(read_float(code, field, element), value);
      EXPECT_EQ(std::signbit(read_float(code, field, element)), std::signbit(value));
    }
    for (const float value : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::nanf("")}) {
      MachineCode code = filled(instruction);
      EXPECT_EQ(set_float(code, field, element, value).code(), ErrorCode::field_out_of_range);
      EXPECT_EQ(code, filled(instruction));
    }
  });
}

TEST(Encode, ElementsAndKindsThatAreNotThere) {
  for_each_element([](const Instruction &instruction, const Field &field, unsigned) {
    MachineCode code = begin(instruction.opcode);
    if (field.kind == Kind::floating_point) {
      EXPECT_EQ(set_float(code, field, field.count, 1.0F).code(), ErrorCode::field_out_of_range);
      EXPECT_EQ(set_integer(code, field, 0, 1).code(), ErrorCode::invalid_argument);
    } else {
      EXPECT_EQ(set_integer(code, field, field.count, 1).code(), ErrorCode::field_out_of_range);
      EXPECT_EQ(set_float(code, field, 0, 1.0F).code(), ErrorCode::invalid_argument);
    }
    EXPECT_EQ(code, begin(instruction.opcode));
  });
}

TEST(Encode, Dependencies) {
  for (const Instruction &instruction : kInstructions) {
    SCOPED_TRACE(instruction.name);
    for (const std::uint32_t classes : {1U, 1U << 8, 0x1FFU}) {
      for (const bool next : {false, true}) {
        MachineCode code = filled(instruction);
        const Status status = next ? set_dependencies(code, 0, classes) : set_dependencies(code, classes, 0);
        EXPECT_EQ(status.ok(), !instruction.configuration);
        if (instruction.configuration) {
          EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
          EXPECT_EQ(code, filled(instruction));
        } else {
          EXPECT_EQ(next ? next_of(code) : previous_of(code), classes);
          EXPECT_EQ(next ? previous_of(code) : next_of(code), 0U);
        }
      }
    }
    MachineCode code = filled(instruction);
    EXPECT_EQ(set_dependencies(code, 0x200, 0).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(set_dependencies(code, 0, 0x200).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(code, filled(instruction));
  }
  MachineCode nothing{};
  EXPECT_EQ(set_dependencies(nothing, 0, 0).code(), ErrorCode::unknown_instruction);
}

TEST(Encode, Core) {
  for (const Instruction &instruction : kInstructions) {
    MachineCode code = filled(instruction);
    EXPECT_TRUE(set_core(code, 3).ok());
    EXPECT_EQ(core_of(code), 3U);
    EXPECT_EQ(set_core(code, 4).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(set_core(code, -1).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(core_of(code), 3U);
    EXPECT_TRUE(set_core(code, 0).ok());
    EXPECT_EQ(code, filled(instruction));
  }
}

TEST(Encode, Batch) {
  for (const Instruction &instruction : kInstructions) {
    SCOPED_TRACE(instruction.name);
    const bool takes = instruction.opcode == Opcode::vp_self || instruction.opcode == Opcode::vp_pool;
    MachineCode code = filled(instruction);
    EXPECT_EQ(set_batch(code, 255).ok(), takes);
    EXPECT_EQ(batch_of(code), takes ? 255U : 0U);
    EXPECT_EQ(set_batch(code, 256).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(set_batch(code, -1).code(), ErrorCode::field_out_of_range);
    EXPECT_TRUE(set_batch(code, 0).ok());
    EXPECT_EQ(code, filled(instruction));
  }
}

TEST(Encode, ImagesOfABatch) {
  for (const Instruction &instruction : kInstructions) {
    SCOPED_TRACE(instruction.name);
    const bool takes = instruction.opcode == Opcode::vp_self || instruction.opcode == Opcode::vp_pool;
    MachineCode code = filled(instruction);
    EXPECT_EQ(images_of(code), 1U);  // 0 in these bits, as in older machine code, means one image
    EXPECT_EQ(set_images(code, 256).ok(), takes);
    EXPECT_EQ(images_of(code), takes ? 256U : 1U);
    EXPECT_EQ(set_images(code, 257).code(), ErrorCode::field_out_of_range);
    EXPECT_EQ(set_images(code, 0).code(), ErrorCode::field_out_of_range);
    EXPECT_TRUE(set_images(code, 1).ok());
    EXPECT_EQ(code, filled(instruction));
  }
}

}  // namespace
}  // namespace cox::isa::tile
