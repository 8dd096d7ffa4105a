// SPDX-License-Identifier: MIT
// What instructions of one core do to registers, memories and the order of instructions.
#include <gtest/gtest.h>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::control_test {

using namespace isa::pim::build;
using isa::pim::Special;

TEST(PimControl, ScalarsCompute) {
  Source source;
  source.set(0, 1, 7).set(0, 2, static_cast<std::uint32_t>(-2)).set(0, 3, 35).set(0, 4, 0x80000000);
  source.code[0] = {add(r(10), r(1), r(2)), sub(r(11), r(1), r(2)), mul(r(12), r(1), r(2)), div(r(13), r(1), r(2)), mod(r(14), r(1), r(2)),
                    sll(r(15), r(1), r(3)), srl(r(16), r(2), r(3)), sra(r(17), r(2), r(3)), addi(r(18), r(1), -8), muli(r(19), r(1), -3),
                    lui(r(20), -1), general_li(r(21), 0x1FFFFF),
                    // Division by 0, and the quotient that does not fit.
                    div(r(22), r(1), r(0)), mod(r(23), r(1), r(0)), general_li(r(5), 0), addi(r(5), r(5), -1), div(r(24), r(4), r(5)),
                    mod(r(25), r(4), r(5)), div(r(26), r(1), r(5))};
  Rig rig(1);
  rig.run(source);
  const std::uint32_t expected[] = {5,          9,          0xFFFFFFF2, 0xFFFFFFFD, 1, 56,         0x1FFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF,
                                    0xFFFFFFEB, 0xFFFF0000, 0x1FFFFF,   0xFFFFFFFF, 7, 0x80000000, 0,          0xFFFFFFF9};
  for (unsigned i = 0; i < std::size(expected); ++i) EXPECT_EQ(rig.general(0, 10 + i), expected[i]) << "register " << 10 + i;
}

TEST(PimControl, RegistersStartAtZeroAndMemoriesKeepTheirBytes) {
  Source source;
  source.set(0, 1, kData);
  source.code[0] = {general_li(r(2), 77), store_local(r(2), r(1), 8), special_li(Special::group_size, 3)};
  Rig rig(1);
  rig.run(source);
  EXPECT_EQ(rig.general(0, 2), 77U);
  EXPECT_EQ(rig.word(0, data_space, 8), 77U);
  source.code[0] = {load_local(r(3), r(1), 8)};
  rig.run(source);
  EXPECT_EQ(rig.general(0, 2), 0U);
  EXPECT_EQ(rig.general(0, 3), 77U);
  EXPECT_EQ(rig.machine.registers(0).special[3], 0U);
  rig.machine.clear();
  rig.run(source);
  EXPECT_EQ(rig.general(0, 3), 0U);
}

TEST(PimControl, BoundSpecialRegistersAreGeneralOnes) {
  Configuration configuration = isa::pim::default_configuration();
  configuration.bound[static_cast<unsigned>(Special::value_sparse_mask)] = 30;
  Source source;
  source.set(0, 32 + 7, 5);
  source.code[0] = {special_to_general(r(1), Special::value_sparse_mask),
                    special_li(Special::value_sparse_mask, 9),
                    add(r(2), r(30), r(30)),
                    general_li(r(30), 11),
                    special_to_general(r(3), Special::value_sparse_mask),
                    general_to_special(Special::value_sparse_mask, r(2)),
                    special_li(Special::group_size, 6),
                    special_to_general(r(4), Special::group_size)};
  Rig rig(1, Timing(), configuration);
  rig.run(source);
  EXPECT_EQ(rig.general(0, 1), 5U);
  EXPECT_EQ(rig.general(0, 2), 18U);
  EXPECT_EQ(rig.general(0, 3), 11U);
  EXPECT_EQ(rig.general(0, 30), 18U);
  EXPECT_EQ(rig.general(0, 4), 6U);
  EXPECT_EQ(rig.machine.registers(0).special[7], 0U);
}

TEST(PimControl, LoadsAndStoresAreLittleEndianAndNeedNoAlignment) {
  Source source;
  source.set(0, 1, kData + 1).set(0, 2, 0x11223344).set(0, 3, kDram + (1U << 29) + 2);  // window 1
  source.code[0] = {store_local(r(2), r(1), 4), load_local(r(4), r(1), 3), store_global(r(2), r(3), -1), load_global(r(5), r(3), 0)};
  Rig rig(1);
  rig.run(source);
  EXPECT_EQ(std::to_integer<unsigned>(rig.machine.memory(0, data_space)[5]), 0x44U);
  EXPECT_EQ(rig.general(0, 4), 0x22334400U);
  EXPECT_EQ(std::to_integer<unsigned>(rig.dram.windows[1][1]), 0x44U);
  EXPECT_EQ(rig.general(0, 5), 0x00112233U);
}

TEST(PimControl, TransCopiesBetweenAllMemories) {
  Source source;
  source.set(0, 1, kData).set(0, 2, kDram).set(0, 3, 8).set(0, 4, kArray + 100).set(0, 5, kData + 3).set(0, 6, kDram + 64);
  source.code[0] = {trans(r(1), r(2), r(3)), trans(r(4), r(1), r(3)), trans(r(6), r(4), r(3), {.bytes = 8, .destination = true}),
                    trans(r(6), r(2), r(3)), trans(r(5), r(1), r(3))};
  Rig rig(1);
  rig.dram.set_word(0, 0, 0x04030201);
  rig.dram.set_word(0, 4, 0x08070605);
  rig.run(source);
  ASSERT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.dram.word(0, 72), 0x04030201U);
  EXPECT_EQ(rig.dram.word(0, 68), 0x08070605U);
  EXPECT_EQ(rig.word(0, data_space, 0), 0x01030201U) << "bytes are read before they are written";
  EXPECT_EQ(rig.word(0, data_space, 7), 0x08070605U);
}

TEST(PimControl, ABatchRunsOneComputeForEachRowAndAJumpToItsComputeRunsOne) {
  Source source;
  source.set(0, 1, kInputBuffer).set(0, 2, 1).set(0, 4, 3).set(0, 5, 1).set(0, 6, kData).set(0, 7, kArray).set(0, 8, 32 * 16 * 16 * 8);
  source.set(0, 32, 8).set(0, 33, 32).set(0, 34, 8).set(0, 36, 1).set(0, 37, 1);
  const MachineCode batch = pim_batch(r(4), r(5), r(5), r(5)), compute = pim_compute(r(1), r(2), r(3)), output = pim_output(r(6));
  Rig rig(1);
  // Inputs 1, 2, 3; weights of rows 0, 1, 2 are 10, 20, 30.
  rig.set_word(0, input_buffer_space, 0, 0x030201);
  for (std::uint32_t row = 0; row < 3; ++row)
    rig.machine.memory(0, isa::pim::kArraySpace)[isa::pim::line_offset(isa::pim::default_configuration().array, 0, row, 0)] =
        static_cast<std::byte>(10 * (row + 1));
  source.code[0] = {batch, compute, output};
  rig.run(source);
  ASSERT_TRUE(rig.status().ok()) << error_name(rig.status().code()) << rig.status().what();
  EXPECT_EQ(rig.word(0, data_space, 0), 10U + 40 + 90);
  source.code[0] = {jmp(2), batch, compute, output};
  rig.run(source);
  EXPECT_EQ(rig.word(0, data_space, 0), 10U);
  // Sums stay in the output registers until an output takes them, also from one program to the next.
  source.code[0] = {compute, compute};
  rig.run(source);
  EXPECT_EQ(rig.machine.output_registers(0)[0], 20U);
  source.code[0] = {output, output};
  rig.run(source);
  EXPECT_EQ(rig.word(0, data_space, 0), 0U);
  EXPECT_EQ(rig.machine.output_registers(0)[0], 0U);
}

TEST(PimControl, AProgramEndsWhereTheCounterIsItsLength) {
  Source source;
  source.code[0] = {general_li(r(1), 1), jmp(2), general_li(r(1), 2)};
  Rig rig(1);
  EXPECT_EQ(rig.run(source), 3U);
  EXPECT_EQ(rig.general(0, 1), 1U);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::ended);
  EXPECT_EQ(rig.machine.state(0).counter, 3U);
  EXPECT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.machine.outcome().time, 1003U);
}

TEST(PimControl, CoresWithTheSameCodeShareItAndHaveTheirOwnRegisters) {
  Source source(3);
  source.code[0] = source.code[1] = source.code[2] = {add(r(2), r(1), r(1))};
  for (unsigned core = 0; core < 3; ++core) source.set(core, 1, core + 1);
  Rig rig(3);
  rig.run(source);
  for (unsigned core = 0; core < 3; ++core) EXPECT_EQ(rig.general(core, 2), 2 * core + 2);
}

TEST(PimControl, EnergyIsCounted) {
  Source source;
  const Energy energy;
  source.set(0, 1, kData).set(0, 2, kDram).set(0, 3, 64).set(0, 4, kInputBuffer);
  source.code[0] = {trans(r(1), r(2), r(3)), store_local(r(5), r(4)), load_local(r(5), r(4))};
  Rig rig(1);
  const Cycle cycles = rig.run(source);
  const Counters counters = rig.machine.counters(0);
  EXPECT_EQ(counters.energy.dram, 64 * energy.dram_byte);
  EXPECT_EQ(counters.energy.memory, 64 * energy.sram_write_byte + 4 * (energy.buffer_write_byte + energy.buffer_read_byte));
  EXPECT_EQ(counters.energy.instructions, 3 * energy.instruction);
  EXPECT_EQ(counters.energy.leakage, cycles * energy.leakage_cycle);
  EXPECT_EQ(counters.dram_read, 64U);
  EXPECT_EQ(counters.dram_written, 0U);
}

TEST(PimControl, MacsCountTheInputsThatMasksSelect) {
  // Two groups, 12 columns of 8 bits in two macros: macro 0 has 8 columns and meets 3 inputs, macro 1 has 4 and meets 2.
  Source source;
  source.set(0, 1, kInputBuffer)
      .set(0, 2, 5)
      .set(0, 32, 8)
      .set(0, 33, 32)
      .set(0, 34, 8)
      .set(0, 35, 8)
      .set(0, 36, 2)
      .set(0, 37, 12)
      .set(0, 39, kMaskBuffer);
  source.code[0] = {pim_compute(r(1), r(2), r(3), {.value_sparse = true, .group = true})};
  Rig rig(1);
  rig.set_word(0, mask_buffer_space, 0, 0b00000001'00110101);  // bits 0, 2, 4 | 5, 8
  rig.run(source);
  ASSERT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.machine.counters(0).macs, 2 * (8 * 3 + 4 * 2U));
  EXPECT_EQ(rig.machine.counters(0).energy.compute, 64 * 64 * std::uint64_t{Energy().mac_bit});
}

}  // namespace cox::model::pim::testing::control_test
