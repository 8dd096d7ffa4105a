// SPDX-License-Identifier: MIT
// pim-output and pim-transfer: what their registers mean, and every refusal.
#include <gtest/gtest.h>

#include "tests/isa/pim/core.h"

namespace cox::isa::pim {
namespace resolve_output_test {

using build::r;

// r1: results in the mask or sums, r2: mask, r3: output.
constexpr MachineCode kPlain = build::pim_output(r(3), r(1), r(2));
constexpr MachineCode kOutsum = build::pim_output(r(3), r(1), r(2), {.outsum = true});
constexpr MachineCode kMove = build::pim_output(r(3), r(1), r(2), {.outsum_move = true});
constexpr MachineCode kBoth = build::pim_output(r(3), r(1), r(2), {.outsum = true, .outsum_move = true});

/// 3 groups of 16 macros with 64 columns each, 100 of them used; results of 16 bits.
TestCore ready() {
  TestCore core;
  core.set_general({20, kMaskBuffer + 3, kOutput + 5});
  core.set(Special::output_bit_width, 16);
  core.set(Special::weight_bit_width, 1);
  core.set(Special::group_size, 16);
  core.set(Special::activation_group_num, 3);
  core.set(Special::activation_column_num, 100);
  return core;
}

TEST(ResolveOutput, Plain) {
  TestCore core = ready();
  core.registers.general[1] = core.registers.general[2] = 0xFFFFFFFF;  // not used
  const auto op = core.resolved<Output>(kPlain);
  EXPECT_EQ(op.width, 16);
  EXPECT_FALSE(op.outsum);
  EXPECT_FALSE(op.outsum_move);
  EXPECT_EQ(op.columns, 64U);
  EXPECT_EQ(op.groups, 3U);
  EXPECT_EQ(op.group_macros, 16U);
  EXPECT_EQ(op.group_columns, 100U);
  EXPECT_EQ(op.sums, 0U);
  EXPECT_EQ(op.stored, 100U);
  EXPECT_EQ(op.group_bytes, 200U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rd w 0x200005 600"}));
}

TEST(ResolveOutput, GroupsBeginAtWholeBytes) {
  TestCore core = ready();
  core.set(Special::output_bit_width, 1);
  core.set(Special::activation_column_num, 9);
  const auto op = core.resolved<Output>(kPlain);
  EXPECT_EQ(op.group_bytes, 2U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rd w 0x200005 6"}));
}

TEST(ResolveOutput, OneGroupMayHaveAllMacros) {
  TestCore core = ready();
  core.set(Special::activation_group_num, 1);
  core.set(Special::group_size, 15);  // does not matter
  core.set(Special::activation_column_num, 64 * 256);
  const auto op = core.resolved<Output>(kPlain);
  EXPECT_EQ(op.groups, 1U);
  EXPECT_EQ(op.group_macros, 256U);
  EXPECT_EQ(op.stored, 16384U);
  core.set(Special::activation_column_num, 64 * 256 + 1);
  core.expect_out_of_range(kPlain, "activation_column_num", 16385, 16384);
}

TEST(ResolveOutput, Registers) {
  const TestCore core = ready();
  core.expect_special_refused(kPlain, Special::output_bit_width, "output_bit_width", 0, 0, 32);
  core.expect_special_refused(kPlain, Special::output_bit_width, "output_bit_width", 64, 64, 32);
  core.expect_special_refused(kPlain, Special::weight_bit_width, "weight_bit_width", 3, 3, 32);
  core.expect_special_refused(kPlain, Special::group_size, "group_size", 17, 17, 16);
  core.expect_special_refused(kPlain, Special::activation_group_num, "activation_group_num", 17, 17, 16);
  core.expect_special_refused(kPlain, Special::activation_group_num, "activation_group_num", 0x80000000, -0x80000000LL, 0);
  core.expect_special_refused(kPlain, Special::activation_column_num, "activation_column_num", 0, 0, 1);
  core.expect_special_refused(kPlain, Special::activation_column_num, "activation_column_num", 1025, 1025, 1024);
  TestCore other = core;
  other.set(Special::input_bit_width, 3);  // not used
  EXPECT_TRUE(other.resolve(kPlain).ok());
}

TEST(ResolveOutput, WithoutGroupsNothingIsTouched) {
  TestCore core = ready();
  core.set(Special::activation_group_num, 0);
  core.set_general({20, 0x900000, 0x900000});
  for (const MachineCode &code : {kPlain, kOutsum, kBoth}) EXPECT_EQ(core.accesses(core.resolved<Output>(code)), Accesses{});
  EXPECT_EQ(core.reads, 0U);
}

TEST(ResolveOutput, Outsum) {
  TestCore core = ready();
  const auto op = core.resolved<Output>(kOutsum);
  EXPECT_TRUE(op.outsum);
  EXPECT_EQ(op.sums, 20U);
  EXPECT_EQ(op.stored, 100U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rs2 r 0x600003 3", "rd w 0x200005 600"}));
  core.registers.general[1] = 100;
  EXPECT_TRUE(core.resolve(kOutsum).ok());
  core.registers.general[1] = 101;
  core.expect_out_of_range(kOutsum, "rs1", 101, 100);
  core.registers.general[1] = 0xFFFFFFFF;
  core.expect_out_of_range(kOutsum, "rs1", -1, 0);
  core.registers.general[1] = 0;
  core.registers.general[2] = 0x900000;
  EXPECT_EQ(core.accesses(core.resolved<Output>(kOutsum)), (Accesses{"rd w 0x200005 600"}));
}

TEST(ResolveOutput, TheLastBitOfTheMask) {
  for (const std::uint32_t sums : {1U, 2U, 8U, 9U, 20U, 100U}) {
    TestCore core = ready();
    core.registers.general[1] = sums;
    for (std::uint32_t i = 0; i < 110; ++i) {
      if (i != sums - 1) core.set_bit(kMaskBuffer + 3, i);  // all others may be set
    }
    EXPECT_TRUE(core.resolve(kOutsum).ok()) << sums;
    core.set_bit(kMaskBuffer + 3, sums - 1);
    core.expect_out_of_range(kOutsum, "rs2", sums - 1, std::int64_t{sums} - 2);
    EXPECT_TRUE(core.resolve(kPlain).ok()) << sums;
  }
}

TEST(ResolveOutput, OutsumMove) {
  TestCore core = ready();
  core.registers.general[2] = 0x900000;  // not used
  const auto op = core.resolved<Output>(kMove);
  EXPECT_EQ(op.sums, 20U);
  EXPECT_EQ(op.stored, 20U);
  EXPECT_EQ(op.group_bytes, 40U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rd w 0x200005 120"}));
  core.registers.general[1] = 50;
  EXPECT_TRUE(core.resolve(kMove).ok());
  core.registers.general[1] = 51;
  core.expect_out_of_range(kMove, "rs1", 51, 50);
  core.set(Special::activation_column_num, 101);
  core.expect_out_of_range(kMove, "rs1", 51, 50);
  core.registers.general[1] = 0x80000001;  // twice that is 2 modulo 2^32
  core.expect_out_of_range(kMove, "rs1", -0x7FFFFFFFLL, 0);
  core.registers.general[1] = 0;
  core.registers.general[3] = 0x900000;
  EXPECT_EQ(core.accesses(core.resolved<Output>(kMove)), Accesses{});
}

TEST(ResolveOutput, BothSums) {
  TestCore core = ready();
  core.registers.general[1] = 50;
  EXPECT_EQ(core.accesses(core.resolved<Output>(kBoth)), (Accesses{"rs2 r 0x600003 7", "rd w 0x200005 300"}));
  core.registers.general[1] = 51;
  core.expect_out_of_range(kBoth, "rs1", 51, 50);
  core.registers.general[1] = 50;
  core.set_bit(kMaskBuffer + 3, 49);
  core.expect_out_of_range(kBoth, "rs2", 49, 48);
}

TEST(ResolveOutput, Addresses) {
  TestCore core = ready();
  core.registers.general[3] = 0x240000 - 600;
  EXPECT_TRUE(core.resolve(kOutsum).ok());
  core.registers.general[3] = 0x240000 - 599;
  core.expect_outside(kOutsum, "rd", 0x240000 - 599, 0x240000);
  core.registers.general[3] = 0;  // the array
  core.expect_outside(kOutsum, "rd", 0, 0);
  core.registers.general[3] = kDram;
  core.expect_outside(kOutsum, "rd", kDram, 0);
  core.registers.general[2] = 0x60FFFE;
  core.expect_outside(kOutsum, "rs2", 0x60FFFE, 0x610000);
}

// pim-transfer. r1: source, r2: results, r3: mask, r4: destination.
constexpr MachineCode kTransfer = build::pim_transfer(r(4), r(1), r(2), r(3));

TestCore ready_to_transfer() {
  TestCore core;
  core.set_general({kOutputBuffer + 1, 19, kMaskBuffer + 7, kOutput + 9});
  core.set(Special::output_bit_width, 16);
  core.write_bytes(kMaskBuffer + 7, {0b10110010, 0b00000001, 0b11111101});  // 4 + 1 + 2; the upper five bits do not count
  return core;
}

TEST(ResolveTransfer, Plain) {
  const TestCore core = ready_to_transfer();
  const auto op = core.resolved<Transfer>(kTransfer);
  EXPECT_EQ(op.width, 16);
  EXPECT_EQ(op.results, 19U);
  EXPECT_EQ(op.valid, 7U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rs1 r 0x500001 38", "rs3 r 0x600007 3", "rd w 0x200009 14"}));
}

TEST(ResolveTransfer, LongMasks) {
  TestCore core = ready_to_transfer();
  core.set(Special::output_bit_width, 1);
  core.registers.general[2] = 5000;
  for (std::uint32_t i = 0; i < 5100; i += 3) core.set_bit(kMaskBuffer + 1000, i);
  core.registers.general[3] = kMaskBuffer + 1000;
  EXPECT_EQ(core.resolved<Transfer>(kTransfer).valid, 1667U);  // bits 0, 3 … 4998
}

TEST(ResolveTransfer, Counts) {
  TestCore core = ready_to_transfer();
  core.registers.general[2] = 0xFFFFFFFF;
  core.expect_out_of_range(kTransfer, "rs2", -1, 0);
  core.set_general({0x900000, 0, 0x900000, 0x900000});
  EXPECT_EQ(core.accesses(core.resolved<Transfer>(kTransfer)), Accesses{});
  core.expect_special_refused(kTransfer, Special::output_bit_width, "output_bit_width", 12, 12, 32);
}

TEST(ResolveTransfer, Addresses) {
  const TestCore core = ready_to_transfer();
  const struct {
    unsigned general;
    const char *what;
    std::uint32_t end;
    std::uint32_t bytes;
  } kRows[] = {{1, "rs1", 0x510000, 38}, {3, "rs3", 0x610000, 3}, {4, "rd", 0x240000, 14}};
  for (const auto &row : kRows) {
    TestCore other = core;
    if (row.general == 3) other.write_bytes(0x60FFFD, {0b10110010, 0b00000001, 0b11111101});
    other.registers.general[row.general] = row.end - row.bytes;
    EXPECT_TRUE(other.resolve(kTransfer).ok()) << row.what;
    other.registers.general[row.general] = row.end - row.bytes + 1;
    other.expect_outside(kTransfer, row.what, row.end - row.bytes + 1, row.end);
    other.registers.general[row.general] = 0xFFFFF;
    other.expect_outside(kTransfer, row.what, 0xFFFFF, 0);
  }
}

TEST(ResolveTransfer, WithoutValidResultsTheDestinationDoesNotMatter) {
  TestCore core = ready_to_transfer();
  core.registers.general[3] = kMaskBuffer + 100;
  core.registers.general[4] = 0x900000;
  const auto op = core.resolved<Transfer>(kTransfer);
  EXPECT_EQ(op.valid, 0U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rs1 r 0x500001 38", "rs3 r 0x600064 3"}));
}

}  // namespace resolve_output_test
}  // namespace cox::isa::pim
