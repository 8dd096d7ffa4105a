// SPDX-License-Identifier: MIT
// Checks special values, worked out by hand, on the reference path and on each variant of the fast path that this host supports.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ostream>

#include "random_case.h"
#include "sim/model/mx/arithmetic/fast.h"

namespace cox::test {
namespace special_values_test {

using isa::mx::Activation;
using isa::mx::Block;
using isa::mx::ElementwiseFunction;

constexpr Block kZero{};
constexpr Block kNan{255, 0, {}};

/// Element 0 is (-1)^negative * 2^power. The others are zero.
Block single(int power, bool negative = false) {
  Block block{static_cast<std::uint8_t>(power + 127), 0xFE, {}};
  block.elements[0] = negative ? 0xC0 : 0x40;
  return block;
}

using Execute = std::function<void(const isa::mx::Operation &, const model::mx::Operands &)>;

struct Path {
  std::string name;
  Execute execute;
};

void PrintTo(const Path &path, std::ostream *out) { *out << path.name; }

std::vector<Path> all_paths() {
  std::vector<Path> paths{{"reference", [](const auto &operation, const auto &operands) {
                             model::mx::execute(operation, operands, model::mx::Path::reference);
                           }}};
  for (const model::mx::Kernels *set : model::mx::fast::supported_kernels()) {
    paths.push_back(
        {set->name, [set](const auto &operation, const auto &operands) { model::mx::fast::execute(operation, operands, *set); }});
  }
  return paths;
}

class SpecialValues : public testing::TestWithParam<Path> {
 protected:
  /// Computes one output pixel whose kernel covers all of the input, and returns its output channels 0 to 15. Only the weights of output
  /// channel 0 are not zero. The blocks of weights and input are in the order in which their products are added.
  Block convolve(const std::vector<Block> &inputs, const std::vector<Block> &weights, float bias = 0,
                 Activation activation = Activation::None, std::uint32_t kernel = 1, std::uint32_t padding = 0) const {
    isa::mx::ConvAct op;
    op.kernel = kernel;
    op.padding = padding;
    op.activation = activation;
    const std::uint32_t side = kernel - 2 * padding;
    op.input = {0, static_cast<std::uint32_t>(inputs.size() / (std::size_t{side} * side)), side, side};
    op.output1 = {0, 1, 1, 1};
    std::vector<std::byte> memory(isa::mx::weight_bytes(kernel, op.input.blocks, 1));
    for (std::size_t i = 0; i < weights.size(); ++i) std::memcpy(memory.data() + i * 16 * sizeof(Block), &weights[i], sizeof(Block));
    std::memcpy(memory.data() + weights.size() * 16 * sizeof(Block), &bias, sizeof bias);
    Block out{1, 2, {3}};
    GetParam().execute(op, {bytes(inputs.data()), nullptr, memory.data(), reinterpret_cast<std::byte *>(&out), nullptr});
    return out;
  }
  Block elementwise(ElementwiseFunction function, const Block &a, const Block &b = kZero, std::uint16_t immediate = 0) const {
    isa::mx::Elementwise op;
    op.function = function;
    op.blocks = 1;
    op.immediate = immediate;
    const bool two = takes_two_tensors(function);
    Block out{1, 2, {3}};
    GetParam().execute(op, {bytes(&a), two ? bytes(&b) : nullptr, nullptr, reinterpret_cast<std::byte *>(&out), nullptr});
    return out;
  }
  static const std::byte *bytes(const Block *block) { return reinterpret_cast<const std::byte *>(block); }
};

TEST_P(SpecialValues, OneProduct) {
  EXPECT_EQ(convolve({single(3)}, {single(-5)}), single(-2));
  EXPECT_EQ(convolve({single(3, true)}, {single(-5)}), single(-2, true));
}

TEST_P(SpecialValues, OrderIsChannelBlocksThenBias) {
  // 2^24 + 1 is a tie and becomes 2^24, so a 1 that is added to 2^24 is lost.
  EXPECT_EQ(convolve({single(24), single(0), single(24, true)}, {single(0), single(0), single(0)}), kZero);
  EXPECT_EQ(convolve({single(24), single(24, true), single(0)}, {single(0), single(0), single(0)}), single(0));
  EXPECT_EQ(convolve({single(24), single(24, true)}, {single(0), single(0)}, 1.0F), single(0));
}

TEST_P(SpecialValues, OrderIsRowsBeforeColumns) {
  std::vector<Block> map(9), weights(9, single(0));
  map[2] = single(24);        // row 0, column 2
  map[3] = single(0);         // row 1, column 0
  map[6] = single(24, true);  // row 2, column 0
  EXPECT_EQ(convolve(map, weights, 0, Activation::None, 3), kZero);
}

TEST_P(SpecialValues, SubnormalProductsAreKept) {
  EXPECT_EQ(convolve({single(-63), single(-63)}, {single(-64), single(-64)}), single(-126));  // 2^-127 + 2^-127
  EXPECT_EQ(convolve({single(-126), single(-126)}, {single(-1), single(-1)}), single(-126));
  EXPECT_EQ(convolve({single(-126), single(-126)}, {single(-126), single(-126)}), kZero);  // 2^-252 is too small
  EXPECT_EQ(convolve({single(-126)}, {single(127)}), single(1));                           // the smallest and the greatest exponent
}

TEST_P(SpecialValues, ProductsAreRoundedBeforeTheyAreAdded) {
  // Let u be 2^-149, the smallest FP32 subnormal. The products are (2^23 + 3 * 2^16) u, -u and u/2. The third product is rounded to 0 (half
  // to even) before it is added, so the sum is (2^23 + 3 * 2^16 - 1) u. The unit of M in the output block is 2^17 u. In this unit the sum
  // is just below 65.5, so M becomes 65. If u/2 were added without being rounded, the sum would become 65.5 in FP32, and M would become 66.
  Block sum = single(-63);
  sum.pair_shift = 0xFE;
  sum.elements[2] = 3;
  Block ones = single(-63);
  ones.pair_shift = 0xFC;
  ones.elements[2] = 0x40;
  const Block smallest = single(-75, true), half = single(-75);
  EXPECT_EQ(convolve({sum, smallest, half}, {ones, single(-74), single(-75)}), (Block{1, 0xFE, {65}}));
  // The product 2^128 overflows to infinity before it is added to -2^127. A block stores infinity as NaN.
  EXPECT_EQ(convolve({single(127, true), single(64)}, {single(0), single(64)}), kNan);
}

TEST_P(SpecialValues, OverflowIsInfinityAndThenNan) {
  EXPECT_EQ(convolve({single(127)}, {single(127)}), kNan);
  EXPECT_EQ(convolve({single(127, true)}, {single(127)}, 0, Activation::ReLU), kZero);
  EXPECT_EQ(convolve({single(127), single(127)}, {single(0), single(0)}), kNan);  // the sum overflows
  EXPECT_EQ(convolve({single(127), single(127), single(127, true)}, {single(0), single(0), single(0)}), kNan);
}

TEST_P(SpecialValues, NanBlocks) {
  EXPECT_EQ(convolve({kNan}, {single(0)}), kNan);
  EXPECT_EQ(convolve({single(0)}, {kNan}), kNan);
  EXPECT_EQ(convolve({kZero}, {kNan}), kNan);
  EXPECT_EQ(convolve({kNan}, {kZero}, 0, Activation::ReLU), kNan);
  EXPECT_EQ(convolve({Block{255, 0x55, {1, 2, 3}}}, {single(0)}, 0, Activation::SiLU), kNan);
  EXPECT_EQ(convolve({single(0)}, {single(0)}, std::numeric_limits<float>::quiet_NaN()), kNan);
}

TEST_P(SpecialValues, ExponentZeroIsZeroWhateverTheRest) {
  const Block garbage{0, 0xA5, {0x7F, 0xFF, 0x80, 1, 2, 3}};
  EXPECT_EQ(convolve({garbage}, {single(127)}, 2.0F), single(1));
  EXPECT_EQ(convolve({single(127)}, {garbage}, 2.0F), single(1));
  EXPECT_EQ(elementwise(ElementwiseFunction::add, garbage, single(4)), single(4));
}

TEST_P(SpecialValues, PaddedPositionsAreSkippedUnderNanWeightsToo) {
  std::vector<Block> weights(9, kNan);
  weights[4] = single(2);
  EXPECT_EQ(convolve({single(1)}, weights, 0, Activation::None, 3, 1), single(3));
}

TEST_P(SpecialValues, ElementsThatNoQuantisationGives) {
  Block negative_zero = single(0);
  negative_zero.elements[1] = 0x80;
  EXPECT_EQ(elementwise(ElementwiseFunction::scale, negative_zero, kZero, 0x3F80), single(0));
  EXPECT_EQ(elementwise(ElementwiseFunction::scale, Block{130, 0xFF, {0x40}}, kZero, 0x3F80), single(2));  // D = 1 halves 2^3 to 2^2
  EXPECT_EQ(elementwise(ElementwiseFunction::scale, Block{130, 0xFE, {0x01}}, kZero, 0x3F80), single(-3));
}

TEST_P(SpecialValues, MSaturates) {
  Block out{127, 0xFE, {0x7F}};
  EXPECT_EQ(elementwise(ElementwiseFunction::scale, out, kZero, 0x3F81), out);  // M = 127 * 1.0078 would round to 128, but M is at most 127
}

TEST_P(SpecialValues, ElementwiseOverflowAndUnderflow) {
  EXPECT_EQ(elementwise(ElementwiseFunction::add, single(127), single(127)), kNan);
  EXPECT_EQ(elementwise(ElementwiseFunction::multiply, single(64), single(64)), kNan);
  EXPECT_EQ(elementwise(ElementwiseFunction::multiply, single(-100), single(-50)), kZero);
  EXPECT_EQ(elementwise(ElementwiseFunction::multiply, kNan, kZero), kNan);
  EXPECT_EQ(elementwise(ElementwiseFunction::scale, kZero, kZero, 0x7F80), kNan);  // 0 times infinity
  EXPECT_EQ(elementwise(ElementwiseFunction::sigmoid, kNan), kNan);
  EXPECT_EQ(elementwise(ElementwiseFunction::softmax, kNan), kNan);
}

TEST_P(SpecialValues, SigmoidAndSoftmaxOfZeros) {
  Block half{126, 0, {}};
  half.elements.fill(0x40);
  EXPECT_EQ(elementwise(ElementwiseFunction::sigmoid, kZero), half);
  Block sixteenth = half;
  sixteenth.exponent = 123;
  EXPECT_EQ(elementwise(ElementwiseFunction::softmax, kZero), sixteenth);
}

TEST_P(SpecialValues, PoolCountsNoPadding) {
  for (const bool average : {false, true}) {
    isa::mx::Pool op;
    op.kernel = 3;
    op.padding = 2;
    op.stride = 2;
    op.average = average;
    op.input = {0, 1, 1, 1};
    op.output = {0, 1, 2, 2};
    const Block in = single(5, true);
    std::array<Block, 4> out{};
    GetParam().execute(op, {bytes(&in), nullptr, nullptr, reinterpret_cast<std::byte *>(out.data()), nullptr});
    for (const Block &block : out) EXPECT_EQ(block, in) << average;
    op.output = {0, 1, 1, 1};
    GetParam().execute(op, {bytes(&kNan), nullptr, nullptr, reinterpret_cast<std::byte *>(out.data()), nullptr});
    EXPECT_EQ(out[0], kNan) << average;
  }
}

INSTANTIATE_TEST_SUITE_P(Paths, SpecialValues, testing::ValuesIn(all_paths()), [](const auto &path) { return path.param.name; });

}  // namespace special_values_test
}  // namespace cox::test
