// SPDX-License-Identifier: MIT
// Places of faults: numbers of fields, and back to names.
#include "coxswain/isa/pim/location.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "coxswain/isa/pim/build.h"
#include "coxswain/isa/pim/write_program.h"

namespace cox::isa::pim {
namespace {

namespace location_test {

/// Core 1 has three instructions, core 0 has two others; three copies.
std::vector<std::byte> program() {
  std::vector<std::byte> memory(4096);
  ProgramWriter writer(memory, 3);
  writer.begin_code(0);
  writer.append(Set::begin(Opcode::add));
  writer.append(Set::begin(Opcode::jmp));
  writer.begin_code(1);
  writer.append(Set::begin(Opcode::pim_batch));
  writer.append(Set::begin(Opcode::pim_compute));
  writer.append(MachineCode{0xFFFFFFFF});
  writer.begin_copies();
  for (unsigned i = 0; i < 3; ++i) writer.append(Copy{.core = 1, .bytes = 4});
  const auto bytes = writer.finish();
  EXPECT_TRUE(bytes.ok()) << bytes.status().what();
  return {bytes.value().begin(), bytes.value().end()};
}

TEST(PimLocation, AnInstructionHasItsPackedPositionItsByteAndItsField) {
  const std::vector<std::byte> bytes = program();
  const Position position{1, 1};
  const Location location = locate(bytes, position.pack(), 15);
  EXPECT_EQ(location.instruction, 1 << 18 | 1);
  EXPECT_STREQ(location.name, "pim-compute");
  EXPECT_STREQ(location.field, "rs1");
  MachineCode code;
  std::memcpy(&code, &bytes.at(location.byte), sizeof code);
  EXPECT_EQ(code, Set::begin(Opcode::pim_compute));
  EXPECT_STREQ(locate(bytes, position.pack(), kNoField).field, "instruction");
  EXPECT_STREQ(locate(bytes, Position{0, 0}.pack(), 21).name, "add");
  EXPECT_STREQ(locate(bytes, Position{1, 2}.pack(), kNoField).name, "") << "the bits are no instruction";
  EXPECT_EQ(locate(bytes, Position{1, 2}.pack(), kNoField).instruction, 1 << 18 | 2);
}

TEST(PimLocation, EachNameOfAnErrorHasANumberAndComesBack) {
  const std::vector<std::byte> bytes = program();
  const MachineCode compute = Set::begin(Opcode::pim_compute);
  for (const char *name :
       {"value_sparse", "group_input_mode", "rs1", "rs2", "rs3", "input_bit_width", "activation_column_num", "group_input",
        "value_sparse_mask", "simd_output_bit_width", "batch_rs1", "batch_rs2", "batch_rs3", "batch_rs4"}) {
    const unsigned number = field_number(name, &compute);
    EXPECT_NE(number, kNoField) << name;
    EXPECT_LT(number, 256U);
    EXPECT_STREQ(locate(bytes, Position{1, 1}.pack(), number).field, name);
  }
  EXPECT_EQ(field_number("rs1", &compute), 15U);
  EXPECT_EQ(field_number("simd_input1_bit_width", nullptr), kSpecialField + 16);
  EXPECT_EQ(field_number("batch_rs4", nullptr), kBatchField);
  EXPECT_EQ(field_number("batch_rs5", &compute), kNoField);
  EXPECT_EQ(field_number("nonsense", &compute), kNoField);
  EXPECT_EQ(field_number("rs1", nullptr), kNoField);
}

TEST(PimLocation, CopiesAndTheProgramItself) {
  const std::vector<std::byte> bytes = program();
  const Location load = locate(bytes, 2, kLoadField);
  EXPECT_STREQ(load.field, "load");
  EXPECT_EQ(load.instruction, 2);
  EXPECT_EQ(load.byte, Program::open(bytes).value().header().copies_offset + 2 * sizeof(Copy));
  EXPECT_STREQ(locate(bytes, 0, kStoreField).field, "store");
  EXPECT_EQ(locate(bytes, 3, kStoreField).byte, 0U) << "there is no such copy";
  const Location of_program = locate(bytes, 0, kProgramField);
  EXPECT_STREQ(of_program.field, "program");
  EXPECT_EQ(of_program.instruction, -1);
}

TEST(PimLocation, PlacesThatTheProgramDoesNotHave) {
  const std::vector<std::byte> bytes = program();
  EXPECT_EQ(locate(bytes, Position{3, 0}.pack(), 15).instruction, -1) << "a core too many";
  EXPECT_STREQ(locate(bytes, Position{0, 2}.pack(), 15).name, "") << "behind the last instruction";
  EXPECT_STREQ(locate(bytes, Position{2, 0}.pack(), 15).name, "") << "a core without code";
  EXPECT_STREQ(locate(std::span(bytes).first(16), 0, 15).field, "program");
  // Whatever the bytes are, nothing outside of them is read.
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    for (const unsigned core : {0U, 1U}) (void)locate(part, Position{core, 1}.pack(), 15);
  }
}

}  // namespace location_test
}  // namespace
}  // namespace cox::isa::pim
