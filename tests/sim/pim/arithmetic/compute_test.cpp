// SPDX-License-Identifier: MIT
// pim-compute on numbers worked out by hand, in the default configuration (docs/isa/pim.md).
#include "test_core.h"

namespace cox::test {
namespace compute_test {

using isa::pim::ArrayOrder;
using isa::pim::Compute;

constexpr std::uint32_t kInputs = 0x100000, kTable = 0x300000, kMask = 0x600000, kMeta = 0x700000;

Configuration with_order(ArrayOrder order) {
  Configuration configuration = isa::pim::default_configuration();
  configuration.array.order = order;
  return configuration;
}

class PimCompute : public testing::Test {
 protected:
  /// Byte `element` of a line.
  void put_weight(std::uint32_t macro, std::uint32_t row, std::uint32_t compartment, std::uint32_t element, std::int32_t value) {
    core.array[isa::pim::line_offset(core.configuration.array, macro, row, compartment) + element] = static_cast<std::byte>(value);
  }
  /// Executes the compute and expects these registers; all others must be 0.
  void expect(const Compute &op, std::initializer_list<std::pair<std::uint32_t, std::int32_t>> registers) {
    ASSERT_NO_FATAL_FAILURE(execute_everywhere(op, core));
    std::vector<std::uint32_t> expected(core.registers.size());
    for (const auto &[number, value] : registers) expected[number] = static_cast<std::uint32_t>(value);
    EXPECT_EQ(core.registers, expected);
  }
  /// One macro that works alone, with one weight in each line.
  static Compute single(std::uint32_t inputs, std::uint8_t input_width, std::uint8_t weight_width) {
    Compute op;
    op.input_width = input_width;
    op.weight_width = weight_width;
    op.inputs = inputs;
    op.columns = 64U / weight_width;
    op.group_macros = 256;
    op.group_columns = op.working_macros = 1;
    op.first.input = kInputs;
    return op;
  }
  /// The sum of `count` products of an input and a weight of these widths.
  std::uint32_t product(std::uint32_t count, std::uint8_t input_width, std::uint32_t input, std::uint8_t weight_width,
                        std::uint32_t weight) {
    std::fill(core.registers.begin(), core.registers.end(), 0U);
    for (std::uint32_t k = 0; k < count; ++k) {
      for (std::uint32_t byte = 0; byte < 4; ++byte) put_weight(0, 0, k, byte, static_cast<std::int32_t>(weight >> (8 * byte)));
      for (std::uint32_t bit = 0; bit < input_width; ++bit) {
        const std::uint32_t place = k * input_width + bit;
        std::byte &byte = core.local[0][place / 8];
        const auto one = static_cast<std::byte>(1U << (place % 8));
        byte = (input >> bit & 1) != 0 ? byte | one : byte & ~one;
      }
    }
    execute_everywhere(single(count, input_width, weight_width), core);
    return core.registers[0];
  }

  TestCore core{isa::pim::default_configuration()};
};

/// Group 2, macro 3, row 5, compartment 7, element 1 is byte 342,297 of the array, or byte 152,473.
class PimComputeOrder : public testing::TestWithParam<std::pair<ArrayOrder, std::uint32_t>> {};

TEST_P(PimComputeOrder, FindsAWeight) {
  TestCore core(with_order(GetParam().first));
  core.array[GetParam().second] = std::byte{0xFD};  // -3
  Compute op;
  op.inputs = 32;
  op.columns = 8;
  op.groups = 4;
  op.group_macros = op.working_macros = 16;
  op.group_columns = 128;
  op.first = {.row = 5, .input = kInputs};
  op.group_advance.value = 1000;
  for (std::uint32_t i = 0; i < 4000; ++i) core.local[0][i] = std::byte{100};
  core.put(kInputs + 2 * 1000 + 7, std::int8_t{11});
  execute_everywhere(op, core);
  for (std::uint32_t i = 0; i < core.registers.size(); ++i) {
    ASSERT_EQ(core.registers[i], i == 2 * 128 + 3 * 8 + 1 ? static_cast<std::uint32_t>(-33) : 0) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Orders, PimComputeOrder,
                         testing::Values(std::pair(ArrayOrder::between_groups, 342297U), std::pair(ArrayOrder::inside_group, 152473U)));

TEST_F(PimCompute, MultipliesTheExtremesOfEachWidth) {
  EXPECT_EQ(product(1, 1, 1, 1, 1), 1U);  // -1 * -1
  EXPECT_EQ(product(3, 1, 1, 8, 0x7F), static_cast<std::uint32_t>(-3 * 127));
  EXPECT_EQ(product(5, 2, 2, 2, 2), 5 * 4U);
  EXPECT_EQ(product(5, 4, 8, 4, 7), static_cast<std::uint32_t>(5 * -8 * 7));
  EXPECT_EQ(product(32, 8, 0x80, 8, 0x80), 32 * 16384U);
  EXPECT_EQ(product(31, 8, 0x80, 8, 0x7F), static_cast<std::uint32_t>(31 * -128 * 127));
  EXPECT_EQ(product(1, 16, 0x8000, 8, 0x80), 1U << 22);
  EXPECT_EQ(product(2, 16, 0x8000, 16, 0x8000), 1U << 31);
  EXPECT_EQ(product(3, 16, 0x8000, 16, 0x8000), 3U << 30);
  EXPECT_EQ(product(4, 16, 0x8000, 16, 0x8000), 0U);  // 2^32
}

TEST_F(PimCompute, SumsModulo2To32) {
  EXPECT_EQ(product(1, 32, 0x80000000, 8, 0xFF), 0x80000000U);
  EXPECT_EQ(product(2, 32, 0x80000000, 8, 0xFF), 0U);
  EXPECT_EQ(product(1, 32, 0x7FFFFFFF, 32, 0x7FFFFFFF), 1U);  // (2^31 - 1)^2 = 2^62 - 2^32 + 1
  EXPECT_EQ(product(1, 8, 0x80, 32, 0x7FFFFFFF), 128U);       // -2^38 + 128
  EXPECT_EQ(product(7, 1, 1, 32, 0x80000000), 0x80000000U);   // 7 * 2^31
}

TEST_F(PimCompute, AddsToTheRegistersAndLeavesColumnsThatDoNotWork) {
  for (std::uint32_t element = 0; element < 8; ++element) {
    for (std::uint32_t macro = 0; macro < 4; ++macro) put_weight(macro, 0, 0, element, static_cast<std::int32_t>(10 * macro + element));
  }
  core.put(kInputs, std::int8_t{2});
  core.put(kInputs + 1, std::int8_t{99});  // not an input
  core.registers[10] = 1000;
  core.memories.registers_used = 11;
  Compute op = single(1, 8, 8);
  op.group_columns = 11;
  op.working_macros = 2;
  expect(op, {{0, 0}, {1, 2}, {2, 4}, {3, 6}, {4, 8}, {5, 10}, {6, 12}, {7, 14}, {8, 20}, {9, 22}, {10, 1024}});
}

TEST_F(PimCompute, ColumnsOfHalfBytesBeginWithTheLowerHalf) {
  put_weight(0, 0, 0, 0, 0x3F);  // -1, then 3
  core.put(kInputs, std::int8_t{5});
  Compute op = single(1, 8, 4);
  op.group_columns = 2;
  expect(op, {{0, -5}, {1, 15}});
}

TEST_F(PimCompute, MaskSelectsInputs) {
  // Mask 0xB2 of 8 inputs: 1, 4, 5 and 7 meet compartments 0 to 3.
  for (std::uint32_t i = 0; i < 8; ++i) core.put(kInputs + i, static_cast<std::int8_t>(i + 1));
  for (std::uint32_t k = 0; k < 32; ++k) put_weight(0, 0, k, 0, static_cast<std::int32_t>(k * k + 1));  // 1, 2, 5, 10, ...
  core.put(kMask, std::uint8_t{0xB2});
  Compute op = single(8, 8, 8);
  op.value_sparse = true;
  op.first.mask = kMask;
  expect(op, {{0, 2 * 1 + 5 * 2 + 6 * 5 + 8 * 10}});
}

TEST_F(PimCompute, EachMacroHasAMaskThatAllGroupsShare) {
  // Five inputs: macro 0 takes 0 and 2 (bits 0 to 4), macro 1 takes 3 and 4 (bits 5 to 9).
  for (std::uint32_t i = 0; i < 5; ++i) {
    core.put(kInputs + i, static_cast<std::int8_t>(i + 1));
    core.put(kInputs + 64 + i, static_cast<std::int8_t>(-10 * (static_cast<int>(i) + 1)));
  }
  for (const std::uint32_t macro : {0U, 1U, 8U, 9U}) {
    put_weight(macro, 0, 0, 7, 1);
    put_weight(macro, 0, 1, 7, 7);
  }
  core.put(kMask, std::uint16_t{0b11000'00101});
  Compute op = single(5, 8, 8);
  op.value_sparse = true;
  op.first.mask = kMask;
  op.groups = 2;
  op.group_macros = 8;
  op.group_columns = 16;
  op.working_macros = 2;
  op.group_advance.value = 64;
  expect(op, {{7, 1 + 7 * 3}, {15, 4 + 7 * 5}, {64 + 7, -10 - 7 * 30}, {64 + 15, -40 - 7 * 50}});
}

TEST_F(PimCompute, MetaDataGiveCellsSignAndPlace) {
  // 7 is 2 * 4 - 1: column 0 has cell 1, sign 0 and p 1, column 1 has cell 0, sign 1 and p 0.
  put_weight(0, 0, 0, 0, 0b01);
  core.put(kInputs, std::int8_t{5});
  core.put(kMeta, std::uint8_t{0x0C});
  Compute op = single(1, 8, 1);
  op.bit_sparse = true;
  op.first.meta = kMeta;
  op.group_columns = 2;
  expect(op, {{0, 40}, {1, -5}});
}

TEST_F(PimCompute, MetaDataOfCompartmentsAndMacros) {
  // Two working macros: bit ((k * 2 + m) * 64 + column) * 3. Compartment 3, macro 1, column 2 begins at bit 1,350.
  const std::uint32_t place = ((3 * 2 + 1) * 64 + 2) * 3;
  ASSERT_EQ(place, 1350U);
  core.put(kMeta + place / 8, std::uint8_t{0b11000000});  // sign 1 and the high bit of p
  core.put(kMeta + place / 8 + 1, std::uint8_t{1});       // the low bit
  put_weight(1, 4, 3, 0, 0b100);
  for (std::uint32_t k = 0; k < 3; ++k) core.put(kInputs + k, std::int8_t{0});
  core.put(kInputs + 3, std::int8_t{3});
  Compute op = single(4, 8, 1);
  op.bit_sparse = true;
  op.first.row = 4;
  op.first.meta = kMeta;
  op.group_columns = 67;
  op.working_macros = 2;
  ASSERT_NO_FATAL_FAILURE(execute_everywhere(op, core));
  EXPECT_EQ(core.registers[66], static_cast<std::uint32_t>(3 * -128));
  EXPECT_EQ(core.registers[65], 3U);  // all bits 0 mean 1
  EXPECT_EQ(core.registers[67], 0U);  // does not work
}

TEST_F(PimCompute, BatchTakesTheNextRowsAndSteps) {
  for (std::uint32_t row = 0; row < 3; ++row) put_weight(0, 6 + row, 0, 0, static_cast<std::int32_t>(row + 1));
  core.put(kInputs + 300, std::int8_t{1});
  core.put(kInputs + 200, std::int8_t{10});
  core.put(kInputs + 100, std::int8_t{100});
  Compute op = single(1, 8, 8);
  op.count = 3;
  op.batched = true;
  op.first.row = 6;
  op.first.input = kInputs + 300;
  op.input_advance.value = 0U - 100;
  expect(op, {{0, 1 + 20 + 300}});
}

TEST_F(PimCompute, TablesHaveOffsetsOfStepsAndGroups) {
  for (std::uint32_t row = 0; row < 2; ++row) {
    for (const std::uint32_t macro : {0U, 8U}) put_weight(macro, row, 0, 0, static_cast<std::int32_t>(row + macro + 1));  // 1, 9; 2, 10
  }
  // Steps at +40 and -24, groups at +1 and +5, all from input 100.
  const std::pair<std::uint32_t, std::int8_t> inputs[] = {{141, 1}, {145, 2}, {77, 3}, {81, 4}};
  for (const auto &[place, value] : inputs) core.put(kInputs + place, value);
  core.put(kTable, std::int32_t{40});
  core.put(kTable + 4, std::int32_t{-24});
  core.put(kTable + 64, std::int32_t{1});
  core.put(kTable + 68, std::int32_t{5});
  Compute op = single(1, 8, 8);
  op.count = 2;
  op.batched = true;
  op.groups = 2;
  op.group_macros = 8;
  op.first.input = kInputs + 100;
  op.input_advance = {true, kTable};
  op.group_advance = {true, kTable + 64};
  expect(op, {{0, 1 * 1 + 2 * 3}, {64, 9 * 2 + 10 * 4}});
}

TEST_F(PimCompute, NothingComputes) {
  Random random(1);
  core.fill(random);
  Compute op = single(0, 8, 8);
  op.first.input = 0x50000000;  // in no memory
  expect(op, {});
  op.inputs = 5;
  op.groups = 0;
  expect(op, {});
}

}  // namespace compute_test
}  // namespace cox::test
