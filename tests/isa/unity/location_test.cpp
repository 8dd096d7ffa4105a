// SPDX-License-Identifier: MIT
// Places of faults: numbers of fields, and positions in containers.
#include "coxswain/isa/unity/location.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "coxswain/isa/unity/names.h"
#include "coxswain/isa/unity/table.h"

namespace cox::isa::unity {
namespace {
namespace location_test {

TEST(UnityLocation, NumbersOfFields) {
  const MachineCode add = begin<Opcode::ADD>();
  EXPECT_EQ(field_number("S0", &add), 128U);
  EXPECT_EQ(field_number("LEN", &add), 131U);
  EXPECT_EQ(field_number("SCALAR1", &add), 139U);
  EXPECT_EQ(field_number("fetch_key", &add), 42U);
  EXPECT_EQ(field_number("table", &add), 64U);
  EXPECT_EQ(field_number("domain", nullptr), kDomainField);
  EXPECT_EQ(field_number("S0", nullptr), kNoField);
  EXPECT_EQ(field_number("ADD", &add), kNoField);
  EXPECT_STREQ(field_name(add, 128), "S0");
  EXPECT_STREQ(field_name(add, 64), "table");
  EXPECT_STREQ(field_name(add, kNoField), "instruction");
  EXPECT_STREQ(field_name(add, 200), "");
}

TEST(UnityLocation, EveryFieldOfEveryTableHasANumber) {
  for (const Instruction &row : Set::instructions()) {
    const MachineCode code = Set::begin(row);
    EXPECT_EQ(instruction_name(row_of(code)), std::string_view(row.name));
    for (const Field &field : row.fields) EXPECT_EQ(field_name(code, field_number(field.name, &code)), std::string_view(field.name));
    if (row.layout == nullptr) continue;
    for_each_field(*row.layout, true, [&](const Placed &placed) {
      const unsigned number = field_number(placed.field->name, &code);
      EXPECT_GE(number, kTableField) << row.name;
      EXPECT_LT(number, kNoField) << row.name;
      EXPECT_EQ(field_name(code, number), std::string_view(placed.field->name)) << row.name;
      return true;
    });
  }
}

TEST(UnityLocation, FindsTheInstruction) {
  // A program of 34 instructions at 64 and a sub-program of 2 at 704; instruction 32 of the program is a CONV2D.
  std::vector<std::byte> bytes(800);
  const ContainerHeader header{.units = 1, .programs = 1, .sub_programs = 1};
  std::memcpy(bytes.data(), &header, sizeof header);
  const ProgramEntry entries[] = {{64, 34, 0, 0}, {704, 2, 0, 0}};
  std::memcpy(bytes.data() + 32, entries, sizeof entries);
  const MachineCode code = begin<Opcode::CONV2D>();
  std::memcpy(bytes.data() + 64 + 544 + 32, code.data(), sizeof code);
  const std::uint32_t position = Position{3, (64 + 544 + 32) / 16}.pack();
  const Location location = locate(bytes, position, field_number("K_NUM", &code));
  EXPECT_EQ(location.instruction, 32);
  EXPECT_EQ(location.byte, 640U);
  EXPECT_STREQ(location.name, "CONV2D");
  EXPECT_STREQ(location.field, "K_NUM");
  EXPECT_STREQ(locate(bytes, position, kDomainField).field, "domain");
  EXPECT_STREQ(locate(bytes, 0, kContainerField).field, "container");
  EXPECT_EQ(locate(bytes, 0, kNoField).instruction, -1);
  const InstructionPlace sub = find_instruction(bytes, 704 + 32 + 16);
  EXPECT_TRUE(sub.found);
  EXPECT_TRUE(sub.in_sub_program);
  EXPECT_EQ(sub.program, 0U);
  EXPECT_EQ(sub.instruction, 1U);
  EXPECT_FALSE(find_instruction(bytes, 704 + 32 + 32).found);
  EXPECT_FALSE(find_instruction(bytes, 704 + 16).found);  // ids
  EXPECT_FALSE(find_instruction(bytes, 704 + 40).found);
  EXPECT_FALSE(find_instruction(std::span<const std::byte>(bytes).first(20), 64).found);
  EXPECT_FALSE(find_instruction(std::span<const std::byte>(bytes).first(36), 96).found);
}

}  // namespace location_test
}  // namespace
}  // namespace cox::isa::unity
