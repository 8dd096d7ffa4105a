// SPDX-License-Identifier: MIT
// Hand-computed results of pim-compute and pim-batch on the slow interpreter.
#include <gtest/gtest.h>

#include "tests/sim/pim/reference/desk.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {
namespace compute_test {
namespace {

using words::Sparsity;
constexpr ErrorCode kOk = ErrorCode::ok, kRange = ErrorCode::field_out_of_range, kOutside = ErrorCode::address_outside_buffer;

/// r1: inputs, r2: their number, r3: row 0. Inputs and weights of eight bits, one column of all macros.
Desk desk(const Configuration &configuration = desk_configuration()) {
  return Desk(configuration).general(1, kInput).general(2, 1).special(0, 8).special(2, 8).special(3, 16).special(4, 1).special(5, 1);
}
constexpr std::uint32_t kCompute = words::compute(1, 2, 3);

TEST(PimOracleCompute, PlacesLinesInBothOrders) {
  Configuration configuration = desk_configuration();
  EXPECT_EQ(line_byte(configuration, 2 * 16 + 3, 5, 7) + 1, 342297U);
  configuration.array.order = isa::pim::ArrayOrder::inside_group;
  EXPECT_EQ(line_byte(configuration, 2 * 16 + 3, 5, 7) + 1, 152473U);
}

TEST(PimOracleCompute, ReadsTheWeightThatAnAddressNames) {
  for (const bool inside : {false, true}) {
    Configuration configuration = desk_configuration();
    if (inside) configuration.array.order = isa::pim::ArrayOrder::inside_group;
    Desk d = desk(configuration);
    d.put(inside ? 152473 : 342297, 8, {-3});
    d.put(kInput, 8, {1, 1, 1, 1, 1, 1, 1, 5}).general(2, 8).general(3, 5);
    d.special(4, 3).special(5, 128);
    ASSERT_EQ(d.fault(words::compute(1, 2, 3, {.group = true})), kOk);
    const unsigned expected = 2 * 8 * 16 + 3 * 8 + 1;  // group 2, macro 3, column 1
    for (unsigned i = 0; i < 16384; ++i) ASSERT_EQ(d.output(i), i == expected ? -15 : 0) << i;
  }
}

TEST(PimOracleCompute, AddsSignedProductsModuloTwoToThe32) {
  Desk d = desk();
  d.put(kInput, 8, {-128, 127, -1}).general(2, 3);
  d.weight(0, 0, 0, 0, 8, -128).weight(0, 0, 1, 0, 8, 2).weight(0, 0, 2, 0, 8, 5);
  d.output(0, 0x7FFFFFFF);
  ASSERT_EQ(d.fault(kCompute), kOk);
  EXPECT_EQ(d.output(0), static_cast<std::int32_t>(0x80000000U + 16384 + 254 - 5 - 1));
}

TEST(PimOracleCompute, OneBitIsZeroOrMinusOne) {
  Desk d = desk();
  d.special(0, 1).special(2, 1).special(5, 3).general(2, 4);
  d.put(kInput, {0xFB});  // inputs -1, -1, 0, -1, and spare bits
  for (const unsigned k : {0U, 2U, 3U}) d.weight(0, 0, k, 1, 1, -1);
  ASSERT_EQ(d.fault(kCompute), kOk);
  EXPECT_EQ(d.output(0), 0);
  EXPECT_EQ(d.output(1), 2);
}

TEST(PimOracleCompute, WidthsOfHalfAByteToAWord) {
  for (const unsigned width : {2U, 4U, 8U, 16U, 32U}) {
    Desk d = desk();
    const std::int64_t low = -(std::int64_t{1} << (width - 1));
    d.special(0, width).special(2, width).general(2, 2).special(5, 64 / width);
    d.put(kInput, width, {low, -low - 1});
    const unsigned last = 64 / width - 1;
    d.weight(0, 0, 0, last, width, low).weight(0, 0, 1, last, width, 1);
    ASSERT_EQ(d.fault(kCompute), kOk);
    EXPECT_EQ(d.output(last), static_cast<std::int32_t>(low * low - low - 1)) << width;
  }
}

TEST(PimOracleCompute, UngroupedColumnsRunThroughAllMacros) {
  Desk d = desk();
  d.put(kInput, 8, {3}).special(5, 2048);
  d.weight(255, 0, 0, 7, 8, 4).weight(17, 0, 0, 2, 8, 5);
  ASSERT_EQ(d.fault(kCompute), kOk);
  EXPECT_EQ(d.output(2047), 12);
  EXPECT_EQ(d.output(17 * 8 + 2), 15);
  EXPECT_EQ(d.special(5, 2049).fault(kCompute), kRange);
  EXPECT_EQ(d.special(5, 0).fault(kCompute), kRange);
}

TEST(PimOracleCompute, GroupsReadByStepOrByTable) {
  Desk d = desk();
  d.special(3, 8).special(4, 3).special(6, static_cast<std::uint32_t>(-2)).general(1, kInput + 4);
  d.put(kInput, 8, {1, 2, 3, 4, 5});
  for (unsigned g = 0; g < 3; ++g) d.weight(g * 8, 0, 0, 0, 8, 10);
  ASSERT_EQ(d.fault(words::compute(1, 2, 3, {.group = true})), kOk);
  EXPECT_EQ(d.output(0), 50);
  EXPECT_EQ(d.output(64), 30);
  EXPECT_EQ(d.output(128), 10);
  d.put(kMask + 1, 32, {0, -3, -1}).special(6, kMask + 1);
  ASSERT_EQ(d.fault(words::compute(1, 2, 3, {.group = true, .table = true})), kOk);
  EXPECT_EQ(d.output(0), 100);
  EXPECT_EQ(d.output(64), 50);
  EXPECT_EQ(d.output(128), 50);
}

TEST(PimOracleCompute, GroupsThatTheArrayHas) {
  Desk d = desk();
  constexpr std::uint32_t kGroups = words::compute(1, 2, 3, {.group = true});
  EXPECT_EQ(d.special(3, 24).fault(kGroups), kRange);
  EXPECT_EQ(d.special(3, 32).special(4, 8).fault(kGroups), kOk);
  EXPECT_EQ(d.special(4, 9).fault(kGroups), kRange);
  EXPECT_EQ(d.special(4, 1).special(5, 8 * 32).fault(kGroups), kOk);
  EXPECT_EQ(d.special(5, 8 * 32 + 1).fault(kGroups), kRange);
  EXPECT_EQ(d.special(3, 24).fault(kCompute), kOk);  // without groups SR3 does not matter
}

TEST(PimOracleCompute, TheMaskSelectsInputs) {
  Desk d = desk();
  d.general(2, 8).put(kInput, 8, {1, 2, 3, 4, 5, 6, 7, 8}).special(7, kMask).special(5, 16);
  d.put(kMask, {0xB2, 0x01});  // macro 0: inputs 1, 4, 5, 7; macro 1: input 0
  const std::int64_t weights[] = {1, 10, 100, 7};
  for (unsigned k = 0; k < 4; ++k) d.weight(0, 0, k, 0, 8, weights[k]).weight(1, 0, k, 0, 8, weights[k]);
  d.weight(0, 0, 4, 0, 8, 99);  // no input meets it
  ASSERT_EQ(d.fault(words::compute(1, 2, 3, {.value = true})), kOk);
  EXPECT_EQ(d.output(0), 2 + 50 + 600 + 56);
  EXPECT_EQ(d.output(8), 1);
}

TEST(PimOracleCompute, MasksOfMacrosBeginInsideOfBytes) {
  Desk d = desk();
  d.general(2, 5).put(kInput, 8, {1, 2, 3, 4, 5}).special(7, kMask).special(5, 16);
  d.put(kMask, {0x30, 0x02});  // bits 4, 5 and 9: macro 0 input 4; macro 1 inputs 0 and 4
  for (unsigned k = 0; k < 2; ++k) d.weight(0, 0, k, 0, 8, 1).weight(1, 0, k, 0, 8, k == 0 ? 1 : 10);
  ASSERT_EQ(d.fault(words::compute(1, 2, 3, {.value = true})), kOk);
  EXPECT_EQ(d.output(0), 5);
  EXPECT_EQ(d.output(8), 51);
}

TEST(PimOracleCompute, AtMost32InputsMeetAMacro) {
  Desk d = desk();
  d.special(7, kMask).general(2, 33);
  EXPECT_EQ(d.fault(kCompute), kRange);
  Bytes mask(5, 0xFF);
  EXPECT_EQ(d.put(kMask, mask).fault(words::compute(1, 2, 3, {.value = true})), kRange);
  mask[2] = 0x7F;
  EXPECT_EQ(d.put(kMask, mask).fault(words::compute(1, 2, 3, {.value = true})), kOk);
}

TEST(PimOracleCompute, SevenInSignedDigits) {
  Desk d = desk();
  d.put(kInput, 8, {5}).special(2, 1).special(5, 2).special(8, kMeta);
  d.put(kMeta, {0x0C}).weight(0, 0, 0, 0, 1, 1);
  ASSERT_EQ(d.fault(words::compute(1, 2, 3, {.bits = true})), kOk);
  EXPECT_EQ(d.output(0), 40);
  EXPECT_EQ(d.output(1), -5);
  EXPECT_EQ(d.special(2, 8).fault(words::compute(1, 2, 3, {.bits = true})), kRange);
}

TEST(PimOracleCompute, MetaDataOfEachCompartmentAndMacro) {
  Desk d = desk();
  d.put(kInput, 8, {0, 3}).general(2, 2).special(2, 1).special(5, 130).special(8, kMeta);  // three macros
  const unsigned place = ((1 * 3 + 2) * 64 + 1) * 3;                                       // compartment 1, macro 2, column 1
  Bytes meta(768 * 3);
  for (const unsigned bit : {0U, 1U, 2U})
    meta[(place + bit) / 8] = static_cast<std::uint8_t>(meta[(place + bit) / 8] | 1U << (place + bit) % 8);
  d.put(kMeta, meta);
  ASSERT_EQ(d.fault(words::compute(1, 2, 3, {.bits = true})), kOk);
  EXPECT_EQ(d.output(129), -3 * 64);
  EXPECT_EQ(d.output(128), 3);  // all bits 0: the weight is 1
  EXPECT_EQ(d.special(8, kMeta + (1U << 18) - 768 * 3 + 1).fault(words::compute(1, 2, 3, {.bits = true})), kOutside);
}

TEST(PimOracleCompute, BatchesAdvanceByStepsAndTables) {
  Desk d = desk();
  d.special(7, kMask).general(2, 2).general(3, 4).general(10, 3).general(11, 2).general(13, kMask + 100);
  d.put(kInput, 8, {1, 2, 3, 4, 5, 6}).put(kMask, {1, 2, 3}).put(kMask + 100, 32, {2, 1, 0});
  for (unsigned row = 4; row < 7; ++row) d.weight(0, row, 0, 0, 8, 1).weight(0, row, 1, 0, 8, 10);
  const Code code{words::batch(10, 11, 12, 13, {.mask = true}), words::compute(1, 2, 3, {.value = true})};
  ASSERT_FALSE(d.run(code));
  EXPECT_EQ(d.output(0), (1 + 20) + 4 + 5);  // masks 3, 2, 1
  EXPECT_EQ(d.core().counter, 2U);
}

TEST(PimOracleCompute, BatchRules) {
  Desk d = desk();
  d.general(10, 16).put(kInput, 8, {1});
  for (unsigned row = 0; row < 16; ++row) d.weight(0, row, 0, 0, 8, 1);
  const std::uint32_t batch = words::batch(10, 20, 20, 20);
  ASSERT_FALSE(d.run({batch, kCompute}));
  EXPECT_EQ(d.output(0), 16);
  EXPECT_EQ(d.run({batch}), (Fault{0, ErrorCode::batch_without_compute}));
  EXPECT_EQ(d.run({batch, words::jmp(1)}), (Fault{0, ErrorCode::batch_without_compute}));
  EXPECT_EQ(d.run({batch, batch, kCompute}), (Fault{0, ErrorCode::batch_without_compute}));
  // A jump to the pim-compute runs it once.
  ASSERT_FALSE(d.run({words::jmp(2), batch, kCompute}));
  EXPECT_EQ(d.output(0), 17);
  EXPECT_EQ(d.general(10, 0).run({batch, kCompute}), (Fault{1, kRange}));
  EXPECT_EQ(d.general(10, 17).run({batch, kCompute}), (Fault{1, kRange}));
  EXPECT_EQ(d.general(10, 1).general(3, 16).run({batch, kCompute}), (Fault{1, kRange}));
  EXPECT_EQ(d.output(0), 17);
}

TEST(PimOracleCompute, AFaultOfTheLastStepChangesNothing) {
  Desk d = desk();
  d.general(10, 2).general(11, 4096).put(kInput, 8, {1}).weight(0, 0, 0, 0, 8, 1);
  const Core before = d.core();
  EXPECT_EQ(d.run({words::batch(10, 11, 20, 20), kCompute}), (Fault{1, kOutside}));
  EXPECT_EQ(d.core().outputs, before.outputs);
  EXPECT_EQ(d.core().memories, before.memories);
}

TEST(PimOracleCompute, WithoutInputsNothingIsTouched) {
  Desk d = desk();
  EXPECT_EQ(
      d.general(1, 0xFFFFFFFF).general(2, 0).special(8, 7).special(2, 1).fault(words::compute(1, 2, 3, {.value = true, .bits = true})),
      kOk);
  EXPECT_EQ(d.general(2, 0xFFFFFFFF).fault(kCompute), kRange);
}

}  // namespace
}  // namespace compute_test
}  // namespace cox::model::pim::oracle
