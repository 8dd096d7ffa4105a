// SPDX-License-Identifier: MIT
// pim-output and pim-transfer on numbers worked out by hand (docs/isa/pim.md).
#include "test_core.h"

namespace cox::test {
namespace output_test {

using isa::pim::Output;
using isa::pim::Transfer;

constexpr std::uint32_t kResults = 0x200000, kMask = 0x600000;

class PimOutput : public testing::Test {
 protected:
  void put_registers(std::uint32_t first, std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t value : values) core.registers[first++] = value;
    core.memories.registers_used = static_cast<std::uint32_t>(core.registers.size());
  }
  /// Executes the operation and expects these bytes at kResults. The byte behind them must keep its value.
  template <typename Operation>
  void expect(const Operation &op, std::initializer_list<std::uint8_t> bytes) {
    core.put(kResults + static_cast<std::uint32_t>(bytes.size()), std::uint8_t{0xA5});
    ASSERT_NO_FATAL_FAILURE(execute_everywhere(op, core));
    for (std::uint32_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(core.get<std::uint8_t>(kResults + i), bytes.begin()[i]) << "byte " << i;
    EXPECT_EQ(core.get<std::uint8_t>(kResults + static_cast<std::uint32_t>(bytes.size())), 0xA5);
  }
  /// Stores the first `columns` registers.
  static Output first_columns(std::uint32_t columns, std::uint8_t width) {
    Output op;
    op.width = width;
    op.columns = 8;
    op.group_macros = 256;
    op.group_columns = op.stored = columns;
    op.output = kResults;
    op.group_bytes = isa::pim::vector_bytes(columns, width);
    return op;
  }

  TestCore core{isa::pim::default_configuration()};
};

TEST_F(PimOutput, KeepsTheLowBits) {
  put_registers(0, {0x12345678, 0xFFFFFF80, 0x1FF});
  expect(first_columns(3, 8), {0x78, 0x80, 0xFF});
  put_registers(0, {0x12345678, 0xFFFF8001});
  expect(first_columns(2, 16), {0x78, 0x56, 0x01, 0x80});
  put_registers(0, {0x12345678});
  expect(first_columns(1, 32), {0x78, 0x56, 0x34, 0x12});
  put_registers(0, {0x1A, 0x2B, 0x3C});
  expect(first_columns(3, 4), {0xBA, 0x0C});
  put_registers(0, {1, 2, 3, 4, 7});
  expect(first_columns(5, 2), {0b00'11'10'01, 0b11});
  put_registers(0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  expect(first_columns(10, 1), {0b01010101, 0b01});
}

TEST_F(PimOutput, ClearsAllRegisters) {
  for (std::uint32_t &number : core.registers) number = 7;
  core.memories.registers_used = static_cast<std::uint32_t>(core.registers.size());
  ASSERT_NO_FATAL_FAILURE(execute_everywhere(first_columns(1, 8), core));
  EXPECT_EQ(core.registers, std::vector<std::uint32_t>(core.registers.size()));
  EXPECT_EQ(core.memories.registers_used, 0U);
}

TEST_F(PimOutput, GroupsFollowEachOther) {
  put_registers(0, {1, 2, 3});
  put_registers(64, {4, 5, 6});
  Output op = first_columns(3, 4);
  op.groups = 2;
  op.group_macros = 8;
  expect(op, {0x21, 0x03, 0x54, 0x06});
}

TEST_F(PimOutput, SumsNeighboursOfTheMask) {
  put_registers(0, {1, 20, 3, 40, 5});
  core.put(kMask, std::uint8_t{0b1011});  // the bit of element 3 needs an element behind it
  Output op = first_columns(5, 8);
  op.outsum = true;
  op.sums = 5;
  op.mask = kMask;
  // Each takes its neighbour's value from before: 1 + 20, 20 + 3, 3, 40 + 5, 5.
  expect(op, {21, 23, 3, 45, 5});
}

TEST_F(PimOutput, BitsBehindTheMaskDoNotCount) {
  put_registers(0, {1, 20, 3});
  core.put(kMask, std::uint8_t{0xFD});
  Output op = first_columns(3, 8);
  op.outsum = true;
  op.sums = 2;
  op.mask = kMask;
  expect(op, {21, 20, 3});
}

TEST_F(PimOutput, MovesSumsOfPairs) {
  put_registers(0, {1, 20, 3, 40, 5});
  Output op = first_columns(5, 8);
  op.outsum_move = true;
  op.sums = op.stored = 2;
  op.group_bytes = 2;
  expect(op, {21, 43});
}

TEST_F(PimOutput, MovesAfterSumming) {
  put_registers(0, {1, 20, 3, 40, 5, 6});
  core.put(kMask, std::uint8_t{0b011});
  Output op = first_columns(6, 8);
  op.outsum = op.outsum_move = true;
  op.sums = op.stored = 3;
  op.group_bytes = 3;
  op.mask = kMask;
  expect(op, {21 + 23, 3 + 40, 5 + 6});
}

TEST_F(PimOutput, ReadsTheMaskBeforeItWrites) {
  put_registers(0, {1, 20});
  put_registers(64, {3, 40});
  core.put(kResults, std::uint8_t{1});
  Output op = first_columns(2, 8);
  op.groups = 2;
  op.group_macros = 8;
  op.outsum = true;
  op.sums = 2;
  op.mask = kResults;
  expect(op, {21, 20, 43, 40});
}

TEST_F(PimOutput, TransferPacksTheResultsOfTheMask) {
  for (std::uint32_t i = 0; i < 5; ++i) core.put(kResults + 100 + 2 * i, static_cast<std::uint16_t>(0x1110 + i));
  core.put(kMask, std::uint8_t{0b11010});
  Transfer op;
  op.width = 16;
  op.source = kResults + 100;
  op.mask = kMask;
  op.destination = kResults;
  op.results = 5;
  op.valid = 3;
  expect(op, {0x11, 0x11, 0x13, 0x11, 0x14, 0x11});
}

TEST_F(PimOutput, TransferReadsAllBeforeItWrites) {
  // Results 1 to 8 in half bytes; 2, 3, 6 and 8 go over them, from the second byte on.
  core.put(kResults, std::uint32_t{0x87654321});
  core.put(kMask, std::uint8_t{0b10100110});
  Transfer op;
  op.width = 4;
  op.source = kResults;
  op.mask = kMask;
  op.destination = kResults + 1;
  op.results = 8;
  op.valid = 4;
  expect(op, {0x21, 0x32, 0x86, 0x87});
}

TEST_F(PimOutput, TransferOfNothing) {
  Transfer op;
  op.source = op.mask = op.destination = 0x50000000;  // in no memory
  expect(op, {});
  op.results = 8;
  op.source = kResults + 100;
  op.mask = kMask;
  expect(op, {});
}

}  // namespace output_test
}  // namespace cox::test
