// SPDX-License-Identifier: MIT
// Hand-computed results of scalar instructions, memory accesses and control on the slow interpreter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/pim/reference/desk.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {
namespace scalar_test {
namespace {

using testing::ElementsAre;
constexpr ErrorCode kOk = ErrorCode::ok, kRange = ErrorCode::field_out_of_range, kReserved = ErrorCode::reserved_bits;
constexpr std::uint32_t kLeast = 0x80000000, kMinus1 = 0xFFFFFFFF;

std::uint32_t calculated(unsigned operation, std::uint32_t a, std::uint32_t b) {
  Desk d;
  d.general(0, a).general(31, b);
  EXPECT_EQ(d.fault(words::calculate(operation, 0, 31, 7)), kOk);
  return d.general(7);
}

TEST(PimOracleScalar, Calculates) {
  EXPECT_EQ(calculated(0, kMinus1, 3), 2U);
  EXPECT_EQ(calculated(1, 2, 3), kMinus1);
  EXPECT_EQ(calculated(2, 0x10001, 0x10001), 0x20001U);
  EXPECT_EQ(calculated(2, kMinus1, kMinus1), 1U);
  EXPECT_EQ(calculated(4, 3, 33), 6U);
  EXPECT_EQ(calculated(5, kLeast, 31), 1U);
  EXPECT_EQ(calculated(6, kLeast, 31), kMinus1);
  EXPECT_EQ(calculated(6, 0xFFFFFFFD, 1), 0xFFFFFFFEU);  // −3 / 2 downwards
  EXPECT_EQ(calculated(6, 0x7FFFFFFF, 30), 1U);
}

TEST(PimOracleScalar, DividesTowardsZeroAndWithoutFaults) {
  const auto minus = [](std::uint32_t value) { return 0 - value; };
  EXPECT_EQ(calculated(3, 7, 2), 3U);
  EXPECT_EQ(calculated(3, minus(7), 2), minus(3));
  EXPECT_EQ(calculated(7, minus(7), 2), minus(1));
  EXPECT_EQ(calculated(7, 7, minus(2)), 1U);
  EXPECT_EQ(calculated(3, 5, 0), kMinus1);
  EXPECT_EQ(calculated(3, minus(5), 0), kMinus1);
  EXPECT_EQ(calculated(7, minus(5), 0), minus(5));
  EXPECT_EQ(calculated(3, kLeast, kMinus1), kLeast);
  EXPECT_EQ(calculated(7, kLeast, kMinus1), 0U);
}

TEST(PimOracleScalar, Immediates) {
  Desk d;
  d.general(1, 5);
  ASSERT_FALSE(d.run({words::immediate(0, 1, 2, -32768), words::immediate(1, 1, 3, -2), words::immediate(2, 1, 4, -1)}));
  EXPECT_EQ(d.general(2), 5U - 32768U);
  EXPECT_EQ(d.general(3), 0U - 10U);
  EXPECT_EQ(d.general(4), 0xFFFF0000U);
  ASSERT_FALSE(d.run({words::general_li(0, 0x1FFFFF), words::special_li(20, 0x1FFFFF)}));
  EXPECT_EQ(d.general(0), 0x1FFFFFU);
  EXPECT_EQ(d.core().special[20], 0x1FFFFFU);
}

TEST(PimOracleScalar, BoundSpecialRegistersAreGeneralOnes) {
  Configuration configuration = desk_configuration();
  configuration.bound[7] = 30;
  Desk d(configuration);
  ASSERT_FALSE(
      d.run({words::special_li(7, 5), words::immediate(0, 30, 30, 1), words::special_to_general(3, 7), words::general_to_special(3, 8)}));
  EXPECT_EQ(d.general(30), 6U);
  EXPECT_EQ(d.general(3), 6U);
  EXPECT_EQ(d.core().special[7], 0U);
  EXPECT_EQ(d.core().special[8], 6U);
}

TEST(PimOracleScalar, SpecialRegistersThatExist) {
  for (unsigned number = 0; number < 32; ++number) {
    const bool exists = number <= 8 || (number >= 16 && number <= 20);
    for (const std::uint32_t word :
         {words::special_li(number, 1), words::general_to_special(1, number), words::special_to_general(1, number)}) {
      Desk d;
      EXPECT_EQ(d.fault(word), exists ? kOk : kRange) << number;
    }
  }
}

TEST(PimOracleScalar, LoadsAndStoresFourBytes) {
  Desk d;
  d.general(1, kInput + 10).general(2, 0x81828384).general(3, kDram + 300);
  ASSERT_EQ(d.run({words::memory(1, 1, 2, -9)}), std::nullopt);
  EXPECT_THAT(d.get(kInput, 8, 6), ElementsAre(0, -124, -125, -126, -127, 0));
  ASSERT_FALSE(d.run({words::memory(0, 1, 4, -8), words::memory(3, 3, 2, -48), words::memory(2, 3, 5, -49)}));
  EXPECT_EQ(d.general(4), 0x00818283U);
  EXPECT_EQ(d.general(5), 0x82838400U);
  EXPECT_EQ(d.fault(words::memory(3, 3, 2, -47)), ErrorCode::address_outside_window);
  EXPECT_EQ(d.fault(words::memory(0, 3, 2, -48)), ErrorCode::address_outside_buffer);
  EXPECT_EQ(d.fault(words::memory(2, 1, 2, 0)), ErrorCode::address_outside_window);
  EXPECT_EQ(d.general(1, 0).fault(words::memory(0, 1, 2, 0)), ErrorCode::address_outside_buffer);  // the array
  EXPECT_EQ(d.general(1, kInput + 4093).fault(words::memory(0, 1, 2, 0)), ErrorCode::address_outside_buffer);
  EXPECT_EQ(d.general(1, kInput - 1).fault(words::memory(0, 1, 2, 0)), ErrorCode::address_outside_buffer);
}

TEST(PimOracleScalar, AccessesDoNotCrossToTheNextMemory) {
  Configuration configuration = desk_configuration();
  configuration.memories[1].first = kInput + 4096;
  Desk d(configuration);
  EXPECT_EQ(d.general(1, kInput + 4092).fault(words::memory(0, 1, 2, 0)), kOk);
  EXPECT_EQ(d.general(1, kInput + 4094).fault(words::memory(0, 1, 2, 0)), ErrorCode::address_outside_buffer);
  EXPECT_EQ(d.general(1, kInput + 4096).fault(words::memory(0, 1, 2, 0)), kOk);
}

TEST(PimOracleScalar, TransMovesBetweenAllMemories) {
  Desk d;
  d.general(1, kInput).general(2, 3).general(3, 100).general(4, kDram + 0x20000000);
  d.put(kInput + 2047, {1, 2, 3});
  ASSERT_FALSE(d.run({words::trans(1, 2, 3, 2047, true, false), words::trans(3, 2, 4, 1, false, true)}));
  EXPECT_THAT(d.get(100, 8, 3), ElementsAre(1, 2, 3));
  EXPECT_THAT(d.get(kDram + 0x20000000, 8, 5), ElementsAre(0, 1, 2, 3, 0));
  EXPECT_EQ(d.general(2, 257).fault(words::trans(1, 2, 4)), ErrorCode::address_outside_window);
  EXPECT_EQ(d.general(2, 0x80000000).fault(words::trans(1, 2, 4)), kRange);
  EXPECT_EQ(d.general(2, 0).general(4, 0xFFFFFFFF).fault(words::trans(1, 2, 4)), kOk);
  EXPECT_EQ(d.general(2, 1).general(4, 0x70000000).fault(words::trans(1, 2, 4)), ErrorCode::address_outside_buffer);
}

TEST(PimOracleScalar, TransReadsAllBeforeItWrites) {
  Desk d;
  d.general(1, kInput).general(2, 4).put(kInput, {1, 2, 3, 4, 5});
  ASSERT_EQ(d.fault(words::trans(1, 2, 1, 1, false, true)), kOk);
  EXPECT_THAT(d.get(kInput, 8, 5), ElementsAre(1, 1, 2, 3, 4));
}

TEST(PimOracleScalar, BranchesAreSigned) {
  const auto next = [](unsigned type, std::uint32_t a, std::uint32_t b) {
    Desk d;
    d.general(1, a).general(2, b);
    EXPECT_FALSE(d.run({words::branch(type, 1, 2, 2), words::general_li(9, 1)}));
    return d.general(9) == 0;
  };
  EXPECT_TRUE(next(0, 5, 5));
  EXPECT_FALSE(next(0, 5, 6));
  EXPECT_FALSE(next(1, 5, 5));
  EXPECT_TRUE(next(1, 5, 6));
  EXPECT_TRUE(next(2, 1, kMinus1));
  EXPECT_FALSE(next(2, 1, 1));
  EXPECT_FALSE(next(2, kLeast, 0));
  EXPECT_TRUE(next(3, kLeast, 0));
  EXPECT_FALSE(next(3, 0, kMinus1));
}

TEST(PimOracleScalar, BranchesStayInTheProgram) {
  Desk d;
  EXPECT_EQ(d.fault(words::jmp(1)), kOk);
  EXPECT_EQ(d.fault(words::jmp(2)), ErrorCode::branch_outside_program);
  EXPECT_EQ(d.fault(words::jmp(-1)), ErrorCode::branch_outside_program);
  EXPECT_EQ(d.fault(words::branch(1, 1, 1, -1)), kOk);  // not taken
  EXPECT_EQ(d.fault(words::branch(0, 1, 1, 2)), ErrorCode::branch_outside_program);
  d.general(1, 3);
  ASSERT_FALSE(d.run({words::immediate(0, 1, 1, -1), words::branch(2, 1, 2, -1)}));
  EXPECT_EQ(d.general(1), 0U);
  EXPECT_EQ(d.fault(words::jmp(0)), ErrorCode::time_limit);
}

TEST(PimOracleScalar, ReservedBitsAreZero) {
  const std::pair<std::uint32_t, std::uint32_t> words_and_reserved[] = {
      {words::compute(1, 2, 3), 0x0F00001F},
      {words::batch(1, 2, 3, 4), 0x0F800000},
      {words::output(1, 2, 3), 0x0FC003E0},
      {words::transfer(1, 2, 3, 4), 0x0FF00000},
      {words::calculate(0, 1, 2, 3), 0x0C0007F8},
      {words::general_to_special(1, 2), 0xFFFF},
      {words::special_to_general(1, 2), 0xFFFF},
      {words::send({1, 2, 3, 4, 5}), 1U << 5},
      {words::receive({1, 2, 3, 4, 5}), 1U << 5},
      {words::wait(1, 2), 0xFFFF},
      {words::barrier(1, 2), 0xFFFF},
  };
  for (const auto &[word, reserved] : words_and_reserved) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if ((reserved >> bit & 1) == 0) continue;
      Desk d;
      EXPECT_EQ(d.fault(word | 1U << bit), kReserved) << std::hex << word << " " << bit;
    }
  }
  Desk d;
  EXPECT_EQ(d.fault(words::immediate(3, 1, 2, 0)), ErrorCode::unknown_instruction);
  EXPECT_EQ(d.fault(0xFC000000), ErrorCode::unknown_instruction);
}

}  // namespace
}  // namespace scalar_test
}  // namespace cox::model::pim::oracle
