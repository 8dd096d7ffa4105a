// SPDX-License-Identifier: MIT
// pim-compute and pim-batch: what their registers mean, and every refusal.
#include <gtest/gtest.h>

#include "tests/isa/pim/core.h"

namespace cox::isa::pim {
namespace resolve_compute_test {

using build::r;

// r1: inputs, r2: their number, r3: row, r4: computes of the batch, r5, r6, r7: steps or tables of inputs, meta data and masks.
constexpr MachineCode kPlain = build::pim_compute(r(1), r(2), r(3));
constexpr MachineCode kGrouped = build::pim_compute(r(1), r(2), r(3), {.group = true});
constexpr MachineCode kTable = build::pim_compute(r(1), r(2), r(3), {.group = true, .group_input_mode = true});
constexpr MachineCode kMasked = build::pim_compute(r(1), r(2), r(3), {.value_sparse = true, .group = true});
constexpr MachineCode kBitSparse = build::pim_compute(r(1), r(2), r(3), {.bit_sparse = true, .group = true});
constexpr MachineCode kBatch = build::pim_batch(r(4), r(5), r(6), r(7));

/// 20 inputs of 8 bits for row 5, weights of 8 bits, 3 groups of 16 macros, 100 of the 128 columns of each.
TestCore ready() {
  TestCore core;
  core.set_general({kInput + 8, 20, 5});
  core.set(Special::input_bit_width, 8);
  core.set(Special::output_bit_width, 3);  // not used
  core.set(Special::weight_bit_width, 8);
  core.set(Special::group_size, 16);
  core.set(Special::activation_group_num, 3);
  core.set(Special::activation_column_num, 100);
  core.set(Special::group_input, 64);
  core.set(Special::value_sparse_mask, kMaskBuffer + 4);
  core.set(Special::bit_sparse_meta, kMetaBuffer + 16);
  return core;
}

TestCore ready_for_bits() {
  TestCore core = ready();
  core.set(Special::weight_bit_width, 1);
  return core;
}

/// 4 computes; inputs step by 20, meta data by 1,536, masks by 40.
TestCore ready_for_batch() {
  TestCore core = ready();
  core.set_general({kInput + 8, 20, 5, 4, 20, 1536, 40});
  return core;
}

TEST(ResolveCompute, Groups) {
  const TestCore core = ready();
  const auto op = core.resolved<Compute>(kGrouped);
  EXPECT_FALSE(op.value_sparse);
  EXPECT_FALSE(op.bit_sparse);
  EXPECT_EQ(op.input_width, 8);
  EXPECT_EQ(op.weight_width, 8);
  EXPECT_EQ(op.inputs, 20U);
  EXPECT_EQ(op.columns, 8U);  // 64 bits of a line / 8
  EXPECT_EQ(op.groups, 3U);
  EXPECT_EQ(op.group_macros, 16U);
  EXPECT_EQ(op.group_columns, 100U);
  EXPECT_EQ(op.working_macros, 13U);  // 100 / 8, rounded up
  EXPECT_EQ(op.count, 1U);
  EXPECT_FALSE(op.batched);
  EXPECT_EQ(op.first.row, 5U);
  EXPECT_EQ(op.first.input, kInput + 8);
  EXPECT_FALSE(op.group_advance.table);
  EXPECT_EQ(op.group_advance.value, 64U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rs1 r 0x100008 20", "rs1 r 0x100048 20", "rs1 r 0x100088 20"}));
  EXPECT_EQ(core.reads, 0U);
}

TEST(ResolveCompute, WithoutGroupsAllMacrosAreOne) {
  TestCore core = ready();
  // group_size, activation_group_num and group_input do not matter.
  core.set(Special::group_size, 15);
  core.set(Special::activation_group_num, 0xFFFFFFFF);
  core.set(Special::group_input, 0xF0000000);
  core.set(Special::activation_column_num, 2048);
  for (const MachineCode &code : {kPlain, build::pim_compute(r(1), r(2), r(3), {.group_input_mode = true})}) {
    const auto op = core.resolved<Compute>(code);
    EXPECT_EQ(op.groups, 1U);
    EXPECT_EQ(op.group_macros, 256U);
    EXPECT_EQ(op.working_macros, 256U);
    EXPECT_FALSE(op.group_advance.table);
    EXPECT_EQ(core.accesses(op), (Accesses{"rs1 r 0x100008 20"}));
  }
  core.set(Special::activation_column_num, 2049);
  core.expect_out_of_range(kPlain, "activation_column_num", 2049, 2048);
}

TEST(ResolveCompute, ColumnsFollowTheWidthOfWeights) {
  const struct {
    std::uint32_t width, columns, working;
  } kRows[] = {{1, 64, 2}, {2, 32, 4}, {4, 16, 7}, {8, 8, 13}, {16, 4, 25}, {32, 2, 50}};
  for (const auto &row : kRows) {
    TestCore core = ready();
    core.set(Special::weight_bit_width, row.width);
    core.set(Special::group_size, 64);
    const auto op = core.resolved<Compute>(kGrouped);
    EXPECT_EQ(op.columns, row.columns) << row.width;
    EXPECT_EQ(op.working_macros, row.working) << row.width;
    const std::uint32_t most = row.columns * 64;
    core.set(Special::activation_column_num, most);
    EXPECT_EQ(core.resolved<Compute>(kGrouped).working_macros, 64U) << row.width;
    core.set(Special::activation_column_num, most + 1);
    core.expect_out_of_range(kGrouped, "activation_column_num", most + 1, most);
  }
}

TEST(ResolveCompute, Widths) {
  const TestCore core = ready();
  for (const Special name : {Special::input_bit_width, Special::weight_bit_width}) {
    const char *what = name == Special::input_bit_width ? "input_bit_width" : "weight_bit_width";
    for (const std::uint32_t width : {0U, 3U, 5U, 6U, 7U, 9U, 12U, 24U, 31U, 33U, 64U, 0x80000000U, 0xFFFFFFFFU}) {
      core.expect_special_refused(kPlain, name, what, width, width, 32);
    }
    for (const std::uint32_t width : {1U, 2U, 4U, 8U, 16U, 32U}) {
      TestCore other = core;
      other.set(name, width);
      EXPECT_TRUE(other.resolve(kPlain).ok()) << what << " " << width;
    }
  }
}

TEST(ResolveCompute, BytesOfInputs) {
  const struct {
    std::uint32_t width, inputs;
    const char *access;
  } kRows[] = {{1, 1, "rs1 r 0x100008 1"}, {1, 8, "rs1 r 0x100008 1"},   {1, 9, "rs1 r 0x100008 2"},  {2, 5, "rs1 r 0x100008 2"},
               {4, 3, "rs1 r 0x100008 2"}, {8, 32, "rs1 r 0x100008 32"}, {16, 3, "rs1 r 0x100008 6"}, {32, 32, "rs1 r 0x100008 128"}};
  for (const auto &row : kRows) {
    TestCore core = ready();
    core.registers.general[2] = row.inputs;
    core.set(Special::input_bit_width, row.width);
    EXPECT_EQ(core.accesses(core.resolved<Compute>(kPlain)), (Accesses{row.access}));
  }
}

TEST(ResolveCompute, GroupSizes) {
  TestCore core = ready();
  for (const std::uint32_t size : {0U, 1U, 15U, 24U, 512U, 0xFFFFFFF0U}) {
    core.expect_special_refused(kGrouped, Special::group_size, "group_size", size, size, 16);
  }
  core.set(Special::activation_group_num, 1);
  for (const std::uint32_t size : {16U, 32U, 64U, 128U, 256U}) {
    core.set(Special::group_size, size);
    EXPECT_EQ(core.resolved<Compute>(kGrouped).group_macros, size);
  }
}

TEST(ResolveCompute, NumberOfGroups) {
  TestCore core = ready();
  core.set(Special::activation_group_num, 16);  // 16 * 16 = 256 macros
  EXPECT_EQ(core.accesses(core.resolved<Compute>(kGrouped)).size(), 16U);
  core.set(Special::activation_group_num, 17);
  core.expect_out_of_range(kGrouped, "activation_group_num", 17, 16);
  core.set(Special::group_size, 128);
  core.set(Special::activation_group_num, 3);
  core.expect_out_of_range(kGrouped, "activation_group_num", 3, 2);
  core.set(Special::activation_group_num, 0x20000001);  // times 128 it is 128 modulo 2^32
  core.expect_out_of_range(kGrouped, "activation_group_num", 0x20000001, 2);
  core.set(Special::activation_group_num, 0xFFFFFFFF);
  core.expect_out_of_range(kGrouped, "activation_group_num", -1, 0);
}

TEST(ResolveCompute, NumberOfColumns) {
  TestCore core = ready();
  core.expect_special_refused(kGrouped, Special::activation_column_num, "activation_column_num", 0, 0, 1);
  core.expect_special_refused(kGrouped, Special::activation_column_num, "activation_column_num", 0xFFFFFFFF, -1, 1);
  core.expect_special_refused(kGrouped, Special::activation_column_num, "activation_column_num", 129, 129, 128);
  core.expect_special_refused(kPlain, Special::activation_column_num, "activation_column_num", 0, 0, 1);
  core.set(Special::activation_column_num, 1);
  EXPECT_EQ(core.resolved<Compute>(kGrouped).working_macros, 1U);
  core.set(Special::activation_column_num, 128);
  EXPECT_EQ(core.resolved<Compute>(kGrouped).working_macros, 16U);
}

TEST(ResolveCompute, Rows) {
  TestCore core = ready();
  core.registers.general[3] = 15;
  EXPECT_EQ(core.resolved<Compute>(kPlain).first.row, 15U);
  core.registers.general[3] = 16;
  core.expect_out_of_range(kPlain, "rs3", 16, 15);
  core.registers.general[3] = 0xFFFFFFFF;
  core.expect_out_of_range(kPlain, "rs3", 0xFFFFFFFF, 15);
}

TEST(ResolveCompute, NumberOfInputs) {
  TestCore core = ready();
  core.registers.general[2] = 32;
  EXPECT_EQ(core.resolved<Compute>(kPlain).inputs, 32U);
  core.registers.general[2] = 33;
  core.expect_out_of_range(kPlain, "rs2", 33, 32);
  core.registers.general[2] = 0xFFFFFFFF;
  core.expect_out_of_range(kPlain, "rs2", -1, 0);
  core.registers.general[2] = 0x80000000;
  core.expect_out_of_range(kMasked, "rs2", -0x80000000LL, 0);
}

TEST(ResolveCompute, NothingIsTouchedWithoutInputsOrGroups) {
  const MachineCode kAll = build::pim_compute(r(1), r(2), r(3), {true, true, true, true});
  const MachineCode kTables = build::pim_batch(r(4), r(5), r(6), r(7), {true, true, true});
  for (const bool no_groups : {false, true}) {
    TestCore core = ready_for_bits();
    core.set_general({0x900000, no_groups ? 20U : 0U, 5, 4, 0x900000, 0x900000, 0x900000});
    if (no_groups) core.set(Special::activation_group_num, 0);
    for (const Special name : {Special::group_input, Special::value_sparse_mask, Special::bit_sparse_meta}) core.set(name, 0x900000);
    const auto op = core.resolved<Compute>(kAll, &kTables);
    EXPECT_TRUE(op.touches_nothing());
    EXPECT_EQ(core.accesses(op), Accesses{});
    EXPECT_EQ(core.reads, 0U);
    // Everything else is checked.
    core.registers.general[3] = 16;
    core.expect_out_of_range(kAll, "rs3", 16, 15);
  }
}

TEST(ResolveCompute, InputsLieInOneLocalMemory) {
  TestCore core = ready();
  core.registers.general[1] = 0x13FFEC;  // the last 20 bytes
  EXPECT_TRUE(core.resolve(kPlain).ok());
  core.registers.general[1] = 0x13FFED;
  core.expect_outside(kPlain, "rs1", 0x13FFED, 0x140000);
  for (const std::uint32_t address : {0U, 0xFFFFFU, 0x140000U, 0x80000000U, 0xFFFFFFF0U}) {
    core.registers.general[1] = address;
    core.expect_outside(kPlain, "rs1", address, 0);
  }
}

TEST(ResolveCompute, InputsOfEachGroupLieInOneMemory) {
  TestCore core = ready();
  core.set(Special::group_input, 0x1FFEE);  // group 2 at kInput + 8 + 0x3FFDC: 28 bytes are left
  EXPECT_TRUE(core.resolve(kGrouped).ok());
  core.set(Special::group_input, 0x1FFF7);
  core.expect_outside(kGrouped, "rs1", 0x13FFF6, 0x140000);
  core.set(Special::group_input, static_cast<std::uint32_t>(-4));  // the sum wraps
  EXPECT_EQ(core.accesses(core.resolved<Compute>(kGrouped)), (Accesses{"rs1 r 0x100008 20", "rs1 r 0x100004 20", "rs1 r 0x100000 20"}));
  core.set(Special::group_input, static_cast<std::uint32_t>(-5));
  core.expect_outside(kGrouped, "rs1", 0xFFFFE, 0);
}

TEST(ResolveCompute, TableOfGroups) {
  TestCore core = ready();
  core.set(Special::group_input, kData + 2);
  core.write_words(kData + 2, {100, -8, 0x300000});
  const auto op = core.resolved<Compute>(kTable);
  EXPECT_TRUE(op.group_advance.table);
  EXPECT_EQ(op.group_advance.value, kData + 2);
  EXPECT_EQ(core.accesses(op), (Accesses{"group_input r 0x300002 12", "rs1 r 0x10006c 20", "rs1 r 0x100000 20", "rs1 r 0x400008 20"}));
  core.write_words(kData + 6, {-9});
  core.expect_outside(kTable, "rs1", 0xFFFFF, 0);
  core.set(Special::group_input, kData + 0x40000 - 12);
  EXPECT_TRUE(core.resolve(kTable).ok());
  core.set(Special::group_input, kData + 0x40000 - 11);
  core.expect_outside(kTable, "group_input", kData + 0x40000 - 11, kData + 0x40000);
  core.set(Special::group_input, kDram);
  core.expect_outside(kTable, "group_input", kDram, 0);
}

TEST(ResolveCompute, BitSparsity) {
  TestCore core = ready_for_bits();
  core.set(Special::activation_column_num, 100);
  const auto op = core.resolved<Compute>(kBitSparse);
  EXPECT_TRUE(op.bit_sparse);
  EXPECT_EQ(op.columns, 64U);
  EXPECT_EQ(op.working_macros, 2U);
  EXPECT_EQ(op.first.meta, kMetaBuffer + 16);
  EXPECT_EQ(op.meta_bytes(core.configuration.array), 1536U);  // 768 for each macro
  EXPECT_EQ(core.accesses(op)[0], "bit_sparse_meta r 0x700010 1536");
  EXPECT_EQ(core.accesses(op).size(), 4U);
  core.set(Special::bit_sparse_meta, kMetaBuffer + 0x40000 - 1536);
  EXPECT_TRUE(core.resolve(kBitSparse).ok());
  core.set(Special::bit_sparse_meta, kMetaBuffer + 0x40000 - 1535);
  core.expect_outside(kBitSparse, "bit_sparse_meta", kMetaBuffer + 0x40000 - 1535, kMetaBuffer + 0x40000);
  for (const std::uint32_t width : {2U, 4U, 8U, 16U, 32U}) {
    core.expect_special_refused(kBitSparse, Special::weight_bit_width, "weight_bit_width", width, width, 1);
  }
  // Without the flag, SR8 does not matter.
  EXPECT_TRUE(core.resolve(kGrouped).ok());
}

TEST(ResolveCompute, Masks) {
  TestCore core = ready();
  core.registers.general[2] = 70;  // 13 masks of 70 bits: 910 bits
  const auto op = core.resolved<Compute>(kMasked);
  EXPECT_TRUE(op.value_sparse);
  EXPECT_EQ(op.first.mask, kMaskBuffer + 4);
  EXPECT_EQ(op.mask_bytes(), 114U);
  EXPECT_EQ(core.accesses(op),
            (Accesses{"value_sparse_mask r 0x600004 114", "rs1 r 0x100008 70", "rs1 r 0x100048 70", "rs1 r 0x100088 70"}));
  core.set(Special::value_sparse_mask, kMaskBuffer + 0x10000 - 114);
  EXPECT_TRUE(core.resolve(kMasked).ok());
  core.set(Special::value_sparse_mask, kMaskBuffer + 0x10000 - 113);
  core.expect_outside(kMasked, "value_sparse_mask", kMaskBuffer + 0x10000 - 113, kMaskBuffer + 0x10000);
}

TEST(ResolveCompute, MasksSelectAtMostAllCompartments) {
  for (const std::uint32_t inputs : {33U, 70U, 1000U}) {
    for (const std::uint32_t macro : {0U, 1U, 12U}) {
      TestCore core = ready();
      core.set(Special::group_input, 1);
      core.registers.general[2] = inputs;
      // The bits beside those of the macro belong to others or to none.
      const std::uint32_t first = macro * inputs;
      if (macro > 0) core.set_bit(kMaskBuffer + 4, first - 1);
      core.set_bit(kMaskBuffer + 4, first + inputs);
      for (std::uint32_t i = 0; i < 31; ++i) core.set_bit(kMaskBuffer + 4, first + i);
      core.set_bit(kMaskBuffer + 4, first + inputs - 1);
      EXPECT_TRUE(core.resolve(kMasked).ok()) << inputs << " of macro " << macro;
      core.set_bit(kMaskBuffer + 4, first + 31);
      core.expect_refused(kMasked, ErrorCode::field_out_of_range, "value_sparse_mask", 33, 32, static_cast<std::int32_t>(macro));
    }
  }
}

TEST(ResolveCompute, MasksThatCannotSelectTooManyAreNotRead) {
  TestCore core = ready();
  core.registers.general[2] = 32;
  EXPECT_TRUE(core.resolve(kMasked).ok());
  EXPECT_EQ(core.reads, 0U);
}

TEST(ResolveCompute, ManyInputsDoNotWrap) {
  TestCore core = ready();
  core.set(Special::input_bit_width, 32);
  core.set(Special::activation_column_num, 128);
  core.registers.general[2] = 0x7FFFFFFF;  // times 32 bits and times 16 masks more than 2^32
  core.expect_outside(kMasked, "value_sparse_mask", kMaskBuffer + 4, kMaskBuffer + 0x10000);
}

TEST(ResolveCompute, Batch) {
  TestCore core = ready_for_batch();
  core.registers.general[3] = 12;  // rows 12 to 15
  const auto op = core.resolved<Compute>(kGrouped, &kBatch);
  EXPECT_TRUE(op.batched);
  EXPECT_EQ(op.count, 4U);
  EXPECT_EQ(op.input_advance.value, 20U);
  EXPECT_EQ(core.accesses(op), (Accesses{"rs1 r 0x100008 20", "rs1 r 0x100048 20", "rs1 r 0x100088 20",  //
                                         "rs1 r 0x10001c 20", "rs1 r 0x10005c 20", "rs1 r 0x10009c 20",  //
                                         "rs1 r 0x100030 20", "rs1 r 0x100070 20", "rs1 r 0x1000b0 20",  //
                                         "rs1 r 0x100044 20", "rs1 r 0x100084 20", "rs1 r 0x1000c4 20"}));
  const ComputeStep last = step(op, core.configuration, core, 3);
  EXPECT_EQ(last.row, 15U);
  EXPECT_EQ(last.input, kInput + 8 + 60);
  EXPECT_EQ(group_input(op, core.configuration, core, last, 2), kInput + 8 + 60 + 128);
}

TEST(ResolveCompute, BatchOfOne) {
  TestCore core = ready_for_batch();
  core.registers.general[4] = 1;
  core.registers.general[5] = 0xF0000000;  // the first start has no step
  EXPECT_EQ(core.accesses(core.resolved<Compute>(kPlain, &kBatch)), (Accesses{"rs1 r 0x100008 20"}));
}

TEST(ResolveCompute, LengthOfABatch) {
  TestCore core = ready_for_batch();
  const auto expect_refused = [&](std::int64_t value, std::int64_t limit) {
    core.registers.general[4] = static_cast<std::uint32_t>(value);
    core.expect_refused(kGrouped, ErrorCode::field_out_of_range, "batch_rs1", value, limit, -1, &kBatch);
  };
  expect_refused(0, 1);
  expect_refused(-1, 1);
  expect_refused(12, 11);  // rows 5 to 16
  expect_refused(0x7FFFFFFF, 11);
  core.registers.general[4] = 11;
  EXPECT_EQ(core.resolved<Compute>(kGrouped, &kBatch).count, 11U);
}

TEST(ResolveCompute, StepsOfMasksAndMetaData) {
  TestCore core = ready_for_bits();
  const MachineCode kBoth = build::pim_compute(r(1), r(2), r(3), {.value_sparse = true, .bit_sparse = true, .group = true});
  core.set(Special::activation_group_num, 1);
  core.set_general({kInput, 20, 5, 3, static_cast<std::uint32_t>(-0x100000) + 20, 1536, 40});
  core.registers.general[1] = kData;
  // 20 inputs of 8 bits, masks of 2 * 20 bits, meta data of 2 * 768 bytes. The input moves from data to output and input.
  const auto op = core.resolved<Compute>(kBoth, &kBatch);
  EXPECT_EQ(core.accesses(op), (Accesses{"value_sparse_mask r 0x600004 5", "bit_sparse_meta r 0x700010 1536", "rs1 r 0x300000 20",  //
                                         "value_sparse_mask r 0x60002c 5", "bit_sparse_meta r 0x700610 1536", "rs1 r 0x200014 20",  //
                                         "value_sparse_mask r 0x600054 5", "bit_sparse_meta r 0x700c10 1536", "rs1 r 0x100028 20"}));
  core.registers.general[6] = 0x40000;
  core.expect_refused(kBoth, ErrorCode::address_outside_buffer, "bit_sparse_meta", kMetaBuffer + 0x40010, 0, -1, &kBatch);
  core.registers.general[7] = 0x10000;
  core.expect_refused(kBoth, ErrorCode::address_outside_buffer, "value_sparse_mask", kMaskBuffer + 0x10004, 0, -1, &kBatch);
}

TEST(ResolveCompute, StepsWithoutSparsityDoNotMatter) {
  TestCore core = ready_for_batch();
  core.registers.general[6] = core.registers.general[7] = 0x87654321;
  const MachineCode tables = build::pim_batch(r(4), r(5), r(6), r(7), {.meta = true, .mask = true});
  for (const MachineCode &batch : {kBatch, tables}) EXPECT_TRUE(core.resolve(kGrouped, &batch).ok());
  EXPECT_EQ(core.reads, 0U);
}

TEST(ResolveCompute, TablesOfABatch) {
  TestCore core = ready_for_bits();
  const MachineCode kAll = build::pim_compute(r(1), r(2), r(3), {true, true, true, true});
  const MachineCode kTables = build::pim_batch(r(4), r(5), r(6), r(7), {true, true, true});
  core.set_general({kInput + 8, 20, 5, 2, kData, kData + 8, kData + 16});
  core.set(Special::activation_group_num, 2);
  core.set(Special::group_input, kData + 24);
  core.write_words(kData, {1, -1, 16, -16, 5, -4, 0, 1000});
  const auto op = core.resolved<Compute>(kAll, &kTables);
  EXPECT_EQ(core.accesses(op),
            (Accesses{"batch_rs2 r 0x300000 8", "batch_rs3 r 0x300008 8", "batch_rs4 r 0x300010 8", "group_input r 0x300018 8",
                      "value_sparse_mask r 0x600009 5", "bit_sparse_meta r 0x700020 1536", "rs1 r 0x100009 20", "rs1 r 0x1003f1 20",
                      "value_sparse_mask r 0x600000 5", "bit_sparse_meta r 0x700000 1536", "rs1 r 0x100007 20", "rs1 r 0x1003ef 20"}));
  const struct {
    unsigned general;
    const char *what;
  } kRegisters[] = {{5, "batch_rs2"}, {6, "batch_rs3"}, {7, "batch_rs4"}};
  for (const auto &row : kRegisters) {
    TestCore other = core;
    other.registers.general[row.general] = kData + 0x40000 - 7;
    other.expect_refused(kAll, ErrorCode::address_outside_buffer, row.what, kData + 0x40000 - 7, kData + 0x40000, -1, &kTables);
    other.registers.general[row.general] = kData + 0x40000 - 8;
    EXPECT_TRUE(other.resolve(kAll, &kTables).ok());
  }
}

TEST(ResolveCompute, EachModeOfABatchAlone) {
  TestCore core = ready_for_bits();
  const MachineCode kBoth = build::pim_compute(r(1), r(2), r(3), {.value_sparse = true, .bit_sparse = true});
  // Taken for a step, the table's address leads outside of all memories.
  const std::uint32_t table = kMetaBuffer + 0x20000;
  core.set_general({kInput + 8, 20, 5, 2, table, table, table});
  core.write_words(table, {0, 1});
  const auto modes = [](bool input, bool meta, bool mask) { return build::pim_batch(r(4), r(5), r(6), r(7), {input, meta, mask}); };
  const auto what = [&](const MachineCode &batch) { return std::string(core.resolve(kBoth, &batch).status().what()); };
  EXPECT_EQ(what(modes(false, false, false)), "value_sparse_mask");
  EXPECT_EQ(what(modes(true, false, false)), "value_sparse_mask");
  EXPECT_EQ(what(modes(false, true, false)), "value_sparse_mask");
  EXPECT_EQ(what(modes(false, false, true)), "bit_sparse_meta");
  EXPECT_EQ(what(modes(true, false, true)), "bit_sparse_meta");
  EXPECT_EQ(what(modes(false, true, true)), "rs1");
  EXPECT_EQ(what(modes(true, true, true)), "");
}

TEST(ResolveCompute, MasksOfABatchAreCheckedInEachStep) {
  TestCore core = ready_for_batch();
  core.set_general({kInput, 40, 5, 3, 0, 0, 65});
  for (std::uint32_t i = 0; i < 33; ++i) core.set_bit(kMaskBuffer + 4 + 130, 80 + i);  // macro 2 of step 2
  core.expect_refused(kMasked, ErrorCode::field_out_of_range, "value_sparse_mask", 33, 32, 2, &kBatch);
  core.registers.general[4] = 2;
  EXPECT_TRUE(core.resolve(kMasked, &kBatch).ok());
}

TEST(ResolveCompute, ABatchAloneIsRefused) {
  const TestCore core = ready_for_batch();
  core.expect_refused(kBatch, ErrorCode::batch_without_compute, "pim-batch", 0, 0);
}

TEST(ResolveCompute, GeometryIsConfigured) {
  TestCore core = ready();
  core.configuration.array = {.macros = 12, .compartments = 5, .elements = 3, .rows = 4, .group_sizes_count = 2, .group_sizes = {4, 6}};
  core.set_general({kInput, 5, 3});
  core.set(Special::group_size, 6);
  core.set(Special::activation_group_num, 2);
  core.set(Special::activation_column_num, 18);  // 24 / 8 columns in 6 macros
  EXPECT_EQ(core.resolved<Compute>(kGrouped).columns, 3U);
  EXPECT_EQ(core.resolved<Compute>(kGrouped).working_macros, 6U);
  core.expect_special_refused(kGrouped, Special::group_size, "group_size", 16, 16, 4);
  core.expect_special_refused(kGrouped, Special::activation_group_num, "activation_group_num", 3, 3, 2);
  core.expect_special_refused(kGrouped, Special::activation_column_num, "activation_column_num", 19, 19, 18);
  core.registers.general[2] = 6;
  core.expect_out_of_range(kGrouped, "rs2", 6, 5);
  core.registers.general[2] = 5;
  core.registers.general[3] = 4;
  core.expect_out_of_range(kGrouped, "rs3", 4, 3);
  core.registers.general[3] = 3;
  // A line of 24 bits has one column of 16 bits and none of 32.
  core.set(Special::activation_column_num, 6);
  core.set(Special::weight_bit_width, 16);
  EXPECT_EQ(core.resolved<Compute>(kGrouped).columns, 1U);
  core.expect_special_refused(kGrouped, Special::weight_bit_width, "weight_bit_width", 32, 32, 24);
  // Meta data: 5 compartments * 24 columns * 3 bits are 45 bytes a macro.
  core.set(Special::weight_bit_width, 1);
  core.set(Special::activation_column_num, 25);
  EXPECT_EQ(core.accesses(core.resolved<Compute>(kBitSparse))[0], "bit_sparse_meta r 0x700010 90");
  // Six inputs with a mask that selects five, and one that selects six.
  core.registers.general[2] = 6;
  core.write_bytes(kMaskBuffer + 4, {0b11011111, 0b0111});
  EXPECT_TRUE(core.resolve(kMasked).ok());
  core.write_bytes(kMaskBuffer + 4, {0b11011111, 0b1111});
  core.expect_refused(kMasked, ErrorCode::field_out_of_range, "value_sparse_mask", 6, 5, 1);
}

TEST(ResolveCompute, BoundRegisters) {
  TestCore core = ready();
  core.configuration.bound[static_cast<unsigned>(Special::group_input)] = 9;
  core.registers.general[9] = 32;
  EXPECT_EQ(core.resolved<Compute>(kGrouped).group_advance.value, 32U);
}

}  // namespace resolve_compute_test
}  // namespace cox::isa::pim
