// SPDX-License-Identifier: MIT
// SIMD operations on numbers worked out by hand (docs/isa/pim.md, SIMD).
#include <limits>

#include "test_core.h"

namespace cox::test {
namespace simd_test {

using isa::pim::Simd;
using isa::pim::SimdKind;
using isa::pim::SimdOpcode;
using Numbers = std::vector<std::int32_t>;

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min(), kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kHalf = 1 << 30;  // a multiplier of one half

class PimSimd : public testing::Test {
 protected:
  /// An input: numbers of `width` bits.
  struct Input {
    Numbers numbers;
    std::uint8_t width = 32;
    SimdKind kind = SimdKind::vector;
  };
  static Input scalar(std::int32_t number, std::uint8_t width = 32) { return {{number}, width, SimdKind::scalar}; }
  static Input block(const Numbers &numbers) { return {numbers, 32, SimdKind::block}; }

  /// The results of the operation on vectors as long as the first.
  Numbers run(SimdOpcode opcode, const std::vector<Input> &inputs, std::uint8_t output_width = 32) {
    Simd op;
    op.opcode = opcode;
    op.inputs = static_cast<std::uint8_t>(inputs.size());
    op.length = static_cast<std::uint32_t>(inputs[0].numbers.size());
    op.output = 0x300000;
    op.output_width = output_width;
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      op.kinds[i] = inputs[i].kind;
      op.input[i] = 0x100000 + 0x1000 * i;
      op.input_width[i] = inputs[i].width;
      for (std::uint32_t j = 0; j < inputs[i].numbers.size(); ++j) put_number(op.input[i], j, inputs[i].width, inputs[i].numbers[j]);
    }
    execute_everywhere(op, core);
    Numbers results;
    for (std::uint32_t i = 0; i < op.length; ++i) results.push_back(number(op.output, i, output_width));
    return results;
  }
  /// MUL(x, multiplier, shift).
  std::int32_t scaled(std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
    return run(SimdOpcode::quantify, {{{x}}, {{multiplier}}, {{shift}, 8}, scalar(0)})[0];
  }

  void put_number(std::uint32_t address, std::uint32_t index, unsigned width, std::int32_t value) {
    for (unsigned bit = 0; bit < width; ++bit) {
      const std::uint32_t place = index * width + bit;
      const auto byte = core.get<std::uint8_t>(address + place / 8);
      const auto one = static_cast<unsigned>(value) >> bit & 1U;
      core.put(address + place / 8, static_cast<std::uint8_t>((byte & ~(1U << (place % 8))) | one << (place % 8)));
    }
  }
  [[nodiscard]] std::int32_t number(std::uint32_t address, std::uint32_t index, unsigned width) const {
    std::int64_t value = 0;
    for (unsigned bit = 0; bit < width; ++bit) {
      const std::uint32_t place = index * width + bit;
      if ((core.get<std::uint8_t>(address + place / 8) >> (place % 8) & 1) != 0) value += std::int64_t{1} << bit;
    }
    if (value >= std::int64_t{1} << (width - 1)) value -= std::int64_t{1} << width;
    return static_cast<std::int32_t>(value);
  }

  TestCore core{isa::pim::default_configuration()};
};

TEST_F(PimSimd, AddSaturates) {
  EXPECT_EQ(run(SimdOpcode::add, {{{100, -100, 127, -128}, 8}, {{27, -28, 1, -1}, 8}}, 8), (Numbers{127, -128, 127, -128}));
  EXPECT_EQ(run(SimdOpcode::add, {{{kMost, kLeast, kMost, kLeast}}, {{1, -1, kLeast, kLeast}}}), (Numbers{kMost, kLeast, -1, kLeast}));
  EXPECT_EQ(run(SimdOpcode::add, {{{70000, -70000, 5}}, {{1, 2, 3}, 4}}, 16), (Numbers{32767, -32768, 8}));
  EXPECT_EQ(run(SimdOpcode::add, {{{0, 0, -1, -1}, 1}, {{0, -1, 0, -1}, 1}}, 1), (Numbers{0, -1, -1, -1}));
  EXPECT_EQ(run(SimdOpcode::add, {{{7, -8, 1}, 4}, {{1, -2, 0}, 2}}, 2), (Numbers{1, -2, 1}));
}

TEST_F(PimSimd, AddScalar) { EXPECT_EQ(run(SimdOpcode::add_scalar, {{{1, 2, 125}, 8}, scalar(3)}, 8), (Numbers{4, 5, 127})); }

TEST_F(PimSimd, MultiplySaturates) {
  EXPECT_EQ(run(SimdOpcode::multiply, {{{-128, 11, -9}, 8}, {{-128, 11, 15}, 8}}, 8), (Numbers{127, 121, -128}));
  EXPECT_EQ(run(SimdOpcode::multiply, {{{kLeast, kLeast, 65536, 46341, -46341}}, {{kLeast, kMost, -32768, 46341, 46341}}}),
            (Numbers{kMost, kLeast, kLeast, kMost, kLeast}));
  EXPECT_EQ(run(SimdOpcode::multiply, {{{46340, 65537}}, {{46340, 32767}}}), (Numbers{2147395600, 2147450879}));
}

TEST_F(PimSimd, MaximumAndRelu) {
  EXPECT_EQ(run(SimdOpcode::maximum, {{{3, -3, kLeast}}, {{2, -2, kMost}}}), (Numbers{3, -2, kMost}));
  EXPECT_EQ(run(SimdOpcode::maximum, {{{300, -300}, 16}, {{2, -299}, 16}}, 8), (Numbers{127, -128}));
  EXPECT_EQ(run(SimdOpcode::relu, {{{3, -3, 0, 300}, 16}}, 8), (Numbers{3, 0, 0, 127}));
}

TEST_F(PimSimd, AverageRoundsHalvesAwayFromZero) {
  EXPECT_EQ(run(SimdOpcode::average, {{{7, -7, 5, -5, 4, -4, 0}}, scalar(2)}), (Numbers{4, -4, 3, -3, 2, -2, 0}));
  EXPECT_EQ(run(SimdOpcode::average, {{{5, -5, 4, -4, 1, -1}}, scalar(3, 8)}), (Numbers{2, -2, 1, -1, 0, 0}));
  EXPECT_EQ(run(SimdOpcode::average, {{{kLeast, kMost}}, scalar(1)}), (Numbers{kLeast, kMost}));
  EXPECT_EQ(run(SimdOpcode::average, {{{kLeast, kMost, kHalf, kHalf - 1}}, scalar(kMost)}), (Numbers{-1, 1, 1, 0}));
}

TEST_F(PimSimd, HighProduct) {
  // A multiplier of one half: floor((x + 1) / 2).
  EXPECT_EQ(scaled(3, kHalf, 0), 2);
  EXPECT_EQ(scaled(-3, kHalf, 0), -1);
  EXPECT_EQ(scaled(2, kHalf, 0), 1);
  EXPECT_EQ(scaled(-2, kHalf, 0), -1);
  EXPECT_EQ(scaled(-1, kHalf, 0), 0);
  EXPECT_EQ(scaled(kLeast, kLeast, 0), kMost);
  EXPECT_EQ(scaled(kLeast, kMost, 0), kLeast + 1);
  EXPECT_EQ(scaled(kMost, kMost, 0), kMost - 1);
}

TEST_F(PimSimd, ShiftRoundsHalvesAwayFromZero) {
  // A multiplier of 2^31 - 1 keeps small numbers.
  EXPECT_EQ(scaled(5, kMost, 1), 3);
  EXPECT_EQ(scaled(-5, kMost, 1), -3);
  EXPECT_EQ(scaled(6, kMost, 2), 2);
  EXPECT_EQ(scaled(-6, kMost, 2), -2);
  EXPECT_EQ(scaled(5, kMost, 2), 1);
  EXPECT_EQ(scaled(-5, kMost, 2), -1);
  EXPECT_EQ(scaled(1, kMost, 2), 0);
  EXPECT_EQ(scaled(kLeast, kMost, 31), -1);    // -(2^31 - 1) / 2^31
  EXPECT_EQ(scaled(kLeast, kHalf, 31), -1);    // -1/2
  EXPECT_EQ(scaled(kMost, kHalf, 31), 1);      // 1/2
  EXPECT_EQ(scaled(kMost - 2, kHalf, 31), 0);  // less
  EXPECT_EQ(scaled(kLeast, kLeast, 31), 1);
}

TEST_F(PimSimd, NegativeShiftMultipliesFirst) {
  EXPECT_EQ(scaled(3, kHalf, -1), 3);
  EXPECT_EQ(scaled(-3, kHalf, -4), -24);
  EXPECT_EQ(scaled(1, kMost, -31), kMost - 1);  // 2^31 - 1 before the multiplication
  EXPECT_EQ(scaled(-1, kLeast, -31), kMost);
  EXPECT_EQ(scaled(kHalf, kHalf, -1), kHalf);  // saturated: (2^31 - 1) / 2, halves up
  EXPECT_EQ(scaled(-kHalf, kHalf, -2), -kHalf);
}

TEST_F(PimSimd, QuantifyWithoutShiftAndWithZeroPoint) {
  EXPECT_EQ(run(SimdOpcode::quantify, {{{100, -100, 1000}}, {{kHalf, kHalf, kHalf}}}, 8), (Numbers{50, -50, 127}));
  EXPECT_EQ(run(SimdOpcode::quantify, {{{100, -100}}, {{kHalf, kMost}}, {{1, -1}, 2}}), (Numbers{25, -200}));
  EXPECT_EQ(run(SimdOpcode::quantify, {{{100, -100}}, {{kHalf, kHalf}}, {{0, 0}, 8}, scalar(-90, 8)}, 8), (Numbers{-40, -128}));
  EXPECT_EQ(run(SimdOpcode::quantify, {{{kMost, kLeast}}, {{kMost, kMost}}, {{0, 0}, 8}, {{kMost, kLeast}}}), (Numbers{kMost, kLeast}));
}

TEST_F(PimSimd, QuantifyResadd) {
  // Both inputs times 2^20, 1/2, then the sum times 1/2 and 2^-18: a + b.
  const Input plain = block({0, kHalf, 0, 0, kHalf, 0, kHalf, 18, 1});
  EXPECT_EQ(run(SimdOpcode::quantify_resadd, {{{3, -128, 127}, 8}, {{4, -128, 127}, 8}, plain}, 16), (Numbers{8, -255, 255}));
  EXPECT_EQ(run(SimdOpcode::quantify_resadd, {{{3, -128, 127}, 8}, {{4, -128, 127}, 8}, plain}, 8), (Numbers{8, -128, 127}));
  // An input of 16 bits: times 2^15, so (a + b) / 32.
  EXPECT_EQ(run(SimdOpcode::quantify_resadd, {{{100, -32768}, 16}, {{60, -32}, 8}, plain}, 16), (Numbers{6, -1024}));
  // Zero points, shifts of the inputs, and both saturations.
  const Input shifted = block({10, kHalf, 1, -10, kHalf, -1, kHalf, 18, 0});
  EXPECT_EQ(run(SimdOpcode::quantify_resadd, {{{30}, 8}, {{-3}, 8}, shifted}, 16), (Numbers{10 + 14}));
  const Input far = block({kLeast, kMost, 0, kMost, kHalf, 0, kMost, 0, 0});
  EXPECT_EQ(run(SimdOpcode::quantify_resadd, {{{0}, 8}, {{0}, 8}, far}), (Numbers{kHalf - 2}));  // 2^31 - 2, - 2^30
}

TEST_F(PimSimd, QuantifyMultiply) {
  EXPECT_EQ(run(SimdOpcode::quantify_multiply, {{{13, -7}, 8}, {{5, 5}, 8}, block({3, -5, kHalf, 1, 7})}), (Numbers{32, -18}));
  // Products of up to 64 bits, positive and negative.
  const Input far = block({kMost, kMost, kMost, 0, 0});
  EXPECT_EQ(run(SimdOpcode::quantify_multiply, {{{kLeast, kLeast, kMost}}, {{kLeast, kMost, kMost}}, far}), (Numbers{kMost - 1, 0, 0}));
  const Input apart = block({kMost, kLeast, kMost, 0, 0});
  EXPECT_EQ(run(SimdOpcode::quantify_multiply, {{{kLeast}}, {{kMost}}, apart}), (Numbers{kLeast + 1}));
}

TEST_F(PimSimd, TheOutputMayOverlapTheInputs) {
  // A moving sum: each element's first input is what the operation writes to the element before.
  for (std::uint32_t i = 0; i < 2000; ++i) put_number(0x300000, i, 8, static_cast<std::int32_t>(i % 100));
  Simd op;
  op.inputs = 2;
  op.input = {0x300000, 0x300001};
  op.input_width = {8, 8};
  op.output = 0x300001;
  op.length = 1500;
  ASSERT_NO_FATAL_FAILURE(execute_everywhere(op, core));
  for (std::uint32_t i = 0; i < 1500; ++i) {
    const auto sum = static_cast<std::int32_t>(i % 100 + (i + 1) % 100);
    ASSERT_EQ(number(0x300001, i, 8), std::min(sum, 127)) << i;
  }
}

TEST_F(PimSimd, NothingIsTouched) {
  Simd op;
  op.inputs = 2;
  op.input = {0x50000000, 0x50000000};  // in no memory
  op.input_width = {8, 8};
  op.output = 0x50000000;
  execute_everywhere(op, core);
}

}  // namespace simd_test
}  // namespace cox::test
