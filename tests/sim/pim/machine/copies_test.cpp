// SPDX-License-Identifier: MIT
// Loads before a program and stores after it.
#include <gtest/gtest.h>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::copies_test {

using namespace isa::pim::build;
using isa::pim::Copy;
using isa::pim::CopyKind;

TEST(PimCopies, LoadsAndStoresAreMade) {
  Source source(2);
  source.copies = {{CopyKind::load, 1, 0, kData + 3, kDram + 16, 5},
                   {CopyKind::load, 0, 0, kArray + 8, kDram + 16, 4},
                   {CopyKind::store, 1, 0, kData, kDram + (1U << 29), 12},
                   {CopyKind::store, 0, 0, kArray + 8, kDram + 64, 4}};
  source.set(1, 1, kData);
  source.code[1] = {general_li(r(2), 9), store_local(r(2), r(1), 8)};
  Rig rig(2);
  rig.dram.set_word(0, 16, 0x44332211);
  rig.dram.set_word(0, 20, 0x88776655);
  rig.run(source);
  ASSERT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.dram.word(1, 0), 0x11000000U);
  EXPECT_EQ(rig.dram.word(1, 4), 0x55443322U);
  EXPECT_EQ(rig.dram.word(1, 8), 9U);
  EXPECT_EQ(rig.dram.word(0, 64), 0x44332211U);
  EXPECT_EQ(rig.machine.counters(1).dram_read, 0U);
}

TEST(PimCopies, RegistersAreStoredAlsoAfterAFault) {
  Configuration configuration = isa::pim::default_configuration();
  configuration.bound[7] = 3;
  Source source(1);
  source.copies = {{CopyKind::store_registers, 0, 0, 0, kDram + 0x1000, isa::pim::kStoredRegistersBytes}};
  source.set(0, 3, 33).set(0, 32 + 20, 52);
  source.code[0] = {general_li(r(31), 1), general_li(r(30), 2), {0xFFFFFFFF}};
  Rig rig(1, Timing(), configuration);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::unknown_instruction);
  EXPECT_EQ(rig.dram.word(0, 0x1000 + 4 * 31), 1U);
  EXPECT_EQ(rig.dram.word(0, 0x1000 + 4 * 3), 33U);
  EXPECT_EQ(rig.dram.word(0, 0x1000 + 4 * (32 + 7)), 33U) << "a bound special register is the general one";
  EXPECT_EQ(rig.dram.word(0, 0x1000 + 4 * (32 + 20)), 52U);
  EXPECT_EQ(rig.dram.word(0, 0x1000 + 4 * 64), 2U) << "the program counter";
}

void expect_refused(const Source &source, ErrorCode code, const char *what, int index) {
  Rig rig(2);
  rig.dram.set_word(0, 0, 5);
  rig.run(source);
  EXPECT_TRUE(rig.machine.done());
  EXPECT_EQ(rig.status().code(), code);
  EXPECT_STREQ(rig.status().what(), what);
  EXPECT_EQ(rig.status().index(), index);
  EXPECT_EQ(rig.word(0, data_space, 0), 0U) << "the first load is not made either";
  EXPECT_EQ(rig.machine.state(0).phase, Phase::absent);
}

TEST(PimCopies, AProgramWithACopyThatCannotBeMadeDoesNotStart) {
  Source source(2);
  source.copies = {{CopyKind::load, 0, 0, kData, kDram, 8}, {CopyKind::load, 1, 0, kData + 0x3FFFC, kDram, 8}};
  expect_refused(source, ErrorCode::address_outside_buffer, "load", 1);
  source.copies[1] = {CopyKind::store, 1, 0, kData, kDram + (1U << 29) - 4, 8};
  expect_refused(source, ErrorCode::address_outside_window, "store", 1);
  source.copies[1] = {CopyKind::store, 1, 0, kData, kDram + (3U << 29), 8};  // may only be read
  expect_refused(source, ErrorCode::address_outside_window, "store", 1);
  source.copies[1] = {CopyKind::load, 1, 0, kData, kDram + (1U << 20) - 4, 8};
  expect_refused(source, ErrorCode::address_outside_window, "load", 1);
}

TEST(PimCopies, MoreCoresThanTheDeviceHasAreRefused) {
  Rig rig(2);
  rig.run(Source(3));
  EXPECT_EQ(rig.status().code(), ErrorCode::field_out_of_range);
  EXPECT_STREQ(rig.status().what(), "cores");
  EXPECT_EQ(rig.status().value(), 3);
  EXPECT_EQ(rig.status().limit(), 2);
}

TEST(PimCopies, ABusThatFailsDuringALoadEndsTheProgram) {
  Source source(1);
  source.copies = {{CopyKind::load, 0, 0, kData, kDram, 8}};
  source.code[0] = {general_li(r(1), 5)};
  Rig rig(1);
  rig.dram.fails = true;
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::device_fault);
  EXPECT_EQ(rig.status().value(), 7);
  EXPECT_EQ(rig.general(0, 1), 0U);
}

}  // namespace cox::model::pim::testing::copies_test
