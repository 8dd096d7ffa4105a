// SPDX-License-Identifier: MIT
// Compares the reference with an independent evaluation, bit for bit. Also checks that it differs from a convolution in double precision by
// at most the documented bound.
#include "independent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "random_case.h"

namespace cox::test {
namespace independent_test {

using isa::mx::ElementwiseFunction;
using model::mx::Path;

constexpr std::uint32_t kCases = 100;

/// Returns the bytes of output 1, followed by those of output 2.
std::vector<std::byte> reference(Random &random, const Case &test_case) {
  Outputs outputs = fresh_outputs(random, test_case);
  model::mx::execute(test_case.operation, operands_of(test_case, outputs), Path::reference);
  std::vector<std::byte> all(outputs.output1.data(), outputs.output1.data() + outputs.output1.size());
  if (outputs.output2.size() != 0) all.insert(all.end(), outputs.output2.data(), outputs.output2.data() + outputs.output2.size());
  return all;
}

TEST(Independent, Convolution) {
  Random random(11);
  for (std::uint32_t i = 0; i < kCases; ++i) {
    const Case now = random_convolution(random);
    const auto &op = std::get<isa::mx::ConvAct>(now.operation);
    ASSERT_TRUE(reference(random, now) == independent::convolve(op, now.input1.data(), now.weights.data())) << "case " << i;
  }
}

TEST(Independent, Elementwise) {
  Random random(12);
  for (const auto function : {ElementwiseFunction::add, ElementwiseFunction::multiply, ElementwiseFunction::scale,
                              ElementwiseFunction::sigmoid, ElementwiseFunction::softmax}) {
    for (std::uint32_t i = 0; i < kCases; ++i) {
      const Case now = random_elementwise(random, function);
      const auto &op = std::get<isa::mx::Elementwise>(now.operation);
      ASSERT_TRUE(reference(random, now) == independent::elementwise(op, now.input1.data(), now.input2.data()))
          << static_cast<int>(function) << " case " << i;
    }
  }
}

TEST(Independent, Pool) {
  Random random(13);
  for (std::uint32_t i = 0; i < kCases; ++i) {
    const Case now = random_pool(random, i % 2 == 1);
    const auto &op = std::get<isa::mx::Pool>(now.operation);
    ASSERT_TRUE(reference(random, now) == independent::pool(op, now.input1.data())) << "case " << i;
  }
}

TEST(Independent, MoveCopiesBytesAsTheyAre) {
  Random random(14);
  for (std::uint32_t i = 0; i < kCases; ++i) {
    const Case now = random_move(random);
    const auto &op = std::get<isa::mx::Move>(now.operation);
    const std::vector<std::byte> moved = reference(random, now);
    std::vector<std::byte> expected(moved.size(), std::byte{0xA5});
    for (std::size_t run = 0; run < op.count; ++run) {
      for (std::size_t byte = 0; byte < std::size_t{op.run} * op.repeat * 18; ++byte) {
        expected[run * op.to_stride * 18 + byte] = now.input1.data()[run * op.from_stride * 18 + byte % (op.run * std::size_t{18})];
      }
    }
    ASSERT_EQ(moved, expected) << "case " << i;
  }
}

// If n products are summed in FP32, the error is at most n * 2^-24 times the sum of their magnitudes. Rounding to the block adds at most
// half a unit of M, or a whole unit if M saturates (docs/mx9.md, Error bound). The test uses the unit for D = 0, which is the larger
// one.
TEST(Independent, ConvolutionIsWithinTheBoundOfDoublePrecision) {
  Random random(15);
  for (std::uint32_t i = 0; i < 40; ++i) {
    Shape shape{.input_blocks = random.in(1, 8),
                .output_blocks = random.in(1, 3),
                .height = random.in(3, 7),
                .width = random.in(3, 9),
                .kernel = random.one_of(2) ? 3U : 1U,
                .stride = random.in(1, 2),
                .padding = random.in(0, 1)};
    const Case now = convolution(random, shape, Style::usual, Style::usual);
    const auto &op = std::get<isa::mx::ConvAct>(now.operation);
    const std::vector<std::byte> out = reference(random, now);
    const independent::RealConvolution real = independent::convolve_real(op, now.input1.data(), now.weights.data());
    const std::size_t pixels = std::size_t{op.output1.height} * op.output1.width;
    const double additions = shape.kernel * shape.kernel * shape.input_blocks + 1.0;
    for (std::size_t block = 0; block * 18 < out.size(); ++block) {
      const independent::Numbers numbers = independent::decode(out.data() + block * 18);
      if (std::isnan(numbers[0])) continue;  // the bias is not finite
      const double unit = std::exp2(std::to_integer<int>(out[block * 18]) - 127 - 6);
      for (std::size_t k = 0; k < 16; ++k) {
        const std::size_t at = (block / pixels * 16 + k) * pixels + block % pixels;
        const bool saturated = (std::to_integer<unsigned>(out[block * 18 + 2 + k]) & 127) == 127;
        const double bound = unit * (saturated ? 1.0 : 0.5) + additions * std::exp2(-24) * real.magnitudes[at];
        ASSERT_LE(std::abs(numbers[k] - real.values[at]), bound) << "case " << i << " block " << block << " channel " << k;
      }
    }
  }
}

}  // namespace independent_test
}  // namespace cox::test
