// SPDX-License-Identifier: MIT
// Hand-computed results of simd-compute on the slow interpreter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/pim/reference/desk.h"
#include "tests/sim/pim/reference/fixed_point.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {
namespace simd_test {
namespace {

using testing::ElementsAre;
using Vector = std::vector<std::int64_t>;
constexpr std::int64_t kMost = 0x7FFFFFFF, kLeast = -0x80000000LL;
constexpr ErrorCode kRange = ErrorCode::field_out_of_range;

/// Inputs at r1, r2, r3, r4, which instructions with four inputs take in this order as rs1 = 1 and rs2 = 3; length r5; output r6.
class Simd {
 public:
  Simd() { desk_.general(6, kOutput).special(20, 32); }
  Simd &input(unsigned number, unsigned width, const Vector &values) {
    const std::uint32_t address = kInput + number * 256;
    desk_.general(number, address).special(15 + number, width).put(address, width, values);
    return *this;
  }
  Simd &result(unsigned width) {
    desk_.special(20, width);
    return *this;
  }
  ErrorCode fault(unsigned inputs, unsigned opcode, std::uint32_t length) {
    width_ = static_cast<unsigned>(desk_.core().special[20]);
    desk_.general(5, length);
    return desk_.fault(words::simd(inputs, opcode, 1, inputs >= 3 ? 3 : 2, 5, 6));
  }
  Vector run(unsigned inputs, unsigned opcode, std::uint32_t length) {
    EXPECT_EQ(fault(inputs, opcode, length), ErrorCode::ok);
    return desk_.get(kOutput, width_, length);
  }
  Desk &desk() { return desk_; }

 private:
  Desk desk_;
  unsigned width_ = 0;
};

TEST(PimOracleSimd, AddsAndMultipliesWithSaturation) {
  Simd s;
  s.input(1, 8, {127, -128, 3}).input(2, 8, {1, -1, -4}).result(8);
  EXPECT_THAT(s.run(2, 0, 3), ElementsAre(127, -128, -1));
  EXPECT_THAT(s.run(2, 2, 3), ElementsAre(127, 127, -12));
  EXPECT_THAT(s.run(2, 1, 3), ElementsAre(127, -127, 4));
  EXPECT_THAT(s.result(2).run(2, 2, 3), ElementsAre(1, 1, -2));
  EXPECT_THAT(s.result(1).run(2, 2, 3), ElementsAre(0, 0, -1));
  s.input(1, 32, {kLeast, kMost}).input(2, 32, {kLeast, kMost}).result(32);
  EXPECT_THAT(s.run(2, 2, 2), ElementsAre(kMost, kMost));
}

TEST(PimOracleSimd, WidthsOfInputsDiffer) {
  Simd s;
  s.input(1, 4, {7, -8, 0}).input(2, 16, {300, -300, 1}).result(16);
  EXPECT_THAT(s.run(2, 0x80, 3), ElementsAre(300, -8, 1));
  EXPECT_THAT(s.run(1, 0x81, 3), ElementsAre(7, 0, 0));
  s.input(1, 1, {0, -1, -1}).input(2, 2, {1, 1, -2});
  EXPECT_THAT(s.run(2, 0, 3), ElementsAre(1, 0, -3));
}

TEST(PimOracleSimd, AveragesHalvesAwayFromZero) {
  Simd s;
  s.input(1, 16, {5, -5, 6, -6, 7, -7, 0, 2, -2}).input(2, 8, {4});
  EXPECT_THAT(s.run(2, 0x82, 9), ElementsAre(1, -1, 2, -2, 2, -2, 0, 1, -1));
  s.input(2, 8, {3});
  EXPECT_THAT(s.run(2, 0x82, 5), ElementsAre(2, -2, 2, -2, 2));
  EXPECT_EQ(s.input(2, 8, {0}).fault(2, 0x82, 1), kRange);
  EXPECT_EQ(s.input(2, 8, {-1}).fault(2, 0x82, 1), kRange);
  EXPECT_EQ(s.fault(2, 0x82, 0), ErrorCode::ok);
}

TEST(PimOracleSimd, HalvesOfTheHighMultiplyRiseThoseOfTheDivisionLeaveZero) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 30;  // x · 2^30 / 2^31 = x / 2
  EXPECT_EQ(rounding_doubling_high_multiply(3, kHalf), 2);
  EXPECT_EQ(rounding_doubling_high_multiply(-3, kHalf), -1);
  EXPECT_EQ(rounding_doubling_high_multiply(1, kHalf), 1);
  EXPECT_EQ(rounding_doubling_high_multiply(-1, kHalf), 0);
  EXPECT_EQ(rounding_doubling_high_multiply(kLeast, kLeast), kMost);
  EXPECT_EQ(rounding_doubling_high_multiply(kLeast, kMost), -kMost);
  EXPECT_EQ(rounding_divide_by_power_of_two(3, 1), 2);
  EXPECT_EQ(rounding_divide_by_power_of_two(-3, 1), -2);
  EXPECT_EQ(rounding_divide_by_power_of_two(-5, 2), -1);
  EXPECT_EQ(rounding_divide_by_power_of_two(-6, 2), -2);
  EXPECT_EQ(rounding_divide_by_power_of_two(-7, 0), -7);
  EXPECT_EQ(rounding_divide_by_power_of_two(kLeast, 31), -1);
  EXPECT_EQ(rounding_divide_by_power_of_two(kMost, 31), 1);
  EXPECT_EQ(rounding_divide_by_power_of_two((std::int64_t{1} << 30) - 1, 31), 0);
}

TEST(PimOracleSimd, NegativeShiftsSaturateFirst) {
  constexpr std::int64_t kOne = kMost;  // nearly 1
  EXPECT_EQ(multiply_by_quantized_multiplier(5, kOne, -2), 20);
  EXPECT_EQ(multiply_by_quantized_multiplier(-1, 1 << 30, -31), -(1 << 30));
  EXPECT_EQ(multiply_by_quantized_multiplier(1, 1 << 30, -31), 1 << 30);  // 2^31 saturates to 2^31 − 1; half of it rounds up
  EXPECT_EQ(multiply_by_quantized_multiplier(100, 1 << 30, 3), 6);        // 50 / 8
  EXPECT_THROW((void)multiply_by_quantized_multiplier(0, 0, 32), Stop);
  EXPECT_THROW((void)multiply_by_quantized_multiplier(0, 0, -32), Stop);
}

TEST(PimOracleSimd, QuantifiesWithTwoToFourInputs) {
  Simd s;
  s.input(1, 32, {100, -100, 1000}).input(2, 32, {1 << 30, 1 << 30, -(1 << 30)}).result(16);
  EXPECT_THAT(s.run(2, 3, 3), ElementsAre(50, -50, -500));
  s.input(3, 8, {3, 3, -2});
  EXPECT_THAT(s.run(3, 3, 3), ElementsAre(6, -6, -2000));  // 50 / 8 and −50 / 8 are 6.25; 4000 · −1/2
  s.input(4, 16, {-5}).result(8);
  EXPECT_THAT(s.run(4, 3, 3), ElementsAre(1, -11, -128));
  EXPECT_EQ(s.input(3, 8, {0, 32, 0}).fault(4, 3, 3), kRange);
}

TEST(PimOracleSimd, QuantifiesASum) {
  Simd s;
  // Each input is scaled by 2^20 and halved: t = (in − z) · 2^19. The sum is then halved, divided by 2^18, and moved by zo.
  s.input(1, 8, {10, -10, 127}).input(2, 8, {1, 2, 127}).input(3, 32, {4, 1 << 30, 0, -3, 1 << 30, 0, 1 << 30, 18, -1}).result(8);
  EXPECT_THAT(s.run(3, 4, 3), ElementsAre(6 + 4 - 1, -14 + 5 - 1, 127));
  EXPECT_THAT(s.result(16).run(3, 4, 3), ElementsAre(9, -10, 252));
  // With an input of 16 bits the scale is 2^15: 2^14 · 10 / 2^19, rounded.
  s.input(1, 16, {10, -10, 127});
  EXPECT_THAT(s.run(3, 4, 3), ElementsAre(0 - 1, 0 - 1, 8 - 1));
  EXPECT_EQ(s.input(2, 32, {0, 0, 0}).fault(3, 4, 3), kRange);
}

TEST(PimOracleSimd, SaturatesBeforeAProductIsScaled) {
  Simd s;
  s.input(1, 32, {kLeast, 3, kMost}).input(2, 32, {kMost, 5, kMost}).input(3, 32, {1, -1, 1 << 30, 0, 7});
  EXPECT_THAT(s.run(3, 5, 3), ElementsAre(-(1LL << 30) + 7, 6 + 7, (1 << 30) + 7));
}

TEST(PimOracleSimd, FormsOfTheConfiguration) {
  Simd s;
  s.input(1, 8, {1, 2}).input(2, 8, {1, 2});
  EXPECT_EQ(s.fault(1, 0, 2), ErrorCode::unsupported);
  EXPECT_EQ(s.fault(2, 6, 2), ErrorCode::unsupported);
  EXPECT_EQ(s.desk().fault(words::simd(3, 0, 31, 1, 5, 6)), kRange);
  EXPECT_EQ(s.desk().fault(words::simd(4, 3, 1, 31, 5, 6)), kRange);
  Configuration configuration = desk_configuration();
  for (isa::pim::SimdForm &form : configuration.simd) {
    if (form.opcode == 2) form.kinds = {isa::pim::SimdKind::scalar, isa::pim::SimdKind::vector};
  }
  Desk d(configuration);
  d.special(16, 8).special(17, 8).special(20, 8).general(1, kInput).general(2, kInput + 8).general(5, 2).general(6, kOutput);
  d.put(kInput, 8, {5, 100}).put(kInput + 8, 8, {3, 4});
  ASSERT_EQ(d.fault(words::simd(2, 2, 1, 2, 5, 6)), ErrorCode::ok);
  EXPECT_THAT(d.get(kOutput, 8, 2), ElementsAre(15, 20));
}

TEST(PimOracleSimd, ReadsAllBeforeItWrites) {
  Simd s;
  s.input(1, 8, {1, 2, 3, 4}).input(2, 8, {10, 20, 30, 40}).result(16);
  s.desk().general(6, kInput + 256 + 1);  // behind the first byte of input 1
  ASSERT_EQ(s.fault(2, 0, 4), ErrorCode::ok);
  EXPECT_THAT(s.desk().get(kInput + 256 + 1, 16, 4), ElementsAre(11, 22, 33, 44));
}

}  // namespace
}  // namespace simd_test
}  // namespace cox::model::pim::oracle
