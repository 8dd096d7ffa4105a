// SPDX-License-Identifier: MIT
// Compares the fast path with the reference, bit for bit, on random operations. Uses every set of kernels that this host supports.
#include <gtest/gtest.h>

#include <ostream>

#include "random_case.h"
#include "sim/model/mx/arithmetic/fast.h"

namespace cox::model::mx {

static void PrintTo(const Kernels *set, std::ostream *out) { *out << set->name; }

}  // namespace cox::model::mx

namespace cox::test {
namespace equivalence_test {

using isa::mx::ElementwiseFunction;
using model::mx::Kernels;
using model::mx::Path;

constexpr std::uint32_t kCases = 320;

Outputs expected(Random &random, const Case &test_case) {
  Outputs outputs = fresh_outputs(random, test_case);
  model::mx::execute(test_case.operation, operands_of(test_case, outputs), Path::reference);
  return outputs;
}

class Equivalence : public testing::TestWithParam<const Kernels *> {
 protected:
  void check(Random &random, const Case &test_case, std::uint32_t number) const {
    const Outputs reference = expected(random, test_case);
    Outputs outputs = fresh_outputs(random, test_case);
    model::mx::fast::execute(test_case.operation, operands_of(test_case, outputs), *GetParam());
    ASSERT_TRUE(outputs == reference) << "case " << number;
  }
};

TEST_P(Equivalence, Convolution) {
  Random random(1);
  for (std::uint32_t i = 0; i < kCases; ++i) ASSERT_NO_FATAL_FAILURE(check(random, random_convolution(random), i));
}

TEST_P(Equivalence, ConvolutionInSeveralBands) {
  Random random(2);
  const Shape shape{.input_blocks = 7, .output_blocks = 1, .height = 90, .width = 41, .kernel = 3, .stride = 1, .padding = 1};
  Shape halved = shape;
  halved.stride = 2;
  halved.height = 101;
  const Shape long_rows{.input_blocks = 17, .output_blocks = 1, .height = 3, .width = 700, .kernel = 3, .stride = 2, .padding = 1};
  for (const Shape &now : {shape, halved, long_rows}) {
    ASSERT_NO_FATAL_FAILURE(check(random, convolution(random, now, Style::usual, Style::usual), 0));
  }
}

TEST_P(Equivalence, Elementwise) {
  Random random(3);
  for (const auto function : {ElementwiseFunction::add, ElementwiseFunction::multiply, ElementwiseFunction::scale,
                              ElementwiseFunction::sigmoid, ElementwiseFunction::softmax}) {
    for (std::uint32_t i = 0; i < kCases; ++i) {
      SCOPED_TRACE(static_cast<int>(function));
      ASSERT_NO_FATAL_FAILURE(check(random, random_elementwise(random, function), i));
    }
  }
}

TEST_P(Equivalence, ElementwiseInPlace) {
  Random random(4);
  for (const auto function : {ElementwiseFunction::add, ElementwiseFunction::multiply, ElementwiseFunction::scale,
                              ElementwiseFunction::sigmoid, ElementwiseFunction::softmax}) {
    for (std::uint32_t i = 0; i < 60; ++i) {
      Case test_case = random_elementwise(random, function);
      const Outputs reference = expected(random, test_case);
      Outputs outputs = fresh_outputs(random, test_case);
      model::mx::Operands operands = operands_of(test_case, outputs);
      Bytes &place = i % 2 == 1 && test_case.input2.data() != nullptr ? test_case.input2 : test_case.input1;
      operands.output1 = place.data();
      model::mx::fast::execute(test_case.operation, operands, *GetParam());
      ASSERT_TRUE(place == reference.output1) << static_cast<int>(function) << " case " << i;
    }
  }
}

TEST_P(Equivalence, Pool) {
  Random random(5);
  for (std::uint32_t i = 0; i < 2 * kCases; ++i) ASSERT_NO_FATAL_FAILURE(check(random, random_pool(random, i % 2 == 1), i));
}

TEST_P(Equivalence, Move) {
  Random random(6);
  for (std::uint32_t i = 0; i < kCases; ++i) ASSERT_NO_FATAL_FAILURE(check(random, random_move(random), i));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Equivalence,
                         testing::ValuesIn(model::mx::fast::supported_kernels().begin(), model::mx::fast::supported_kernels().end()),
                         testing::PrintToStringParamName());

}  // namespace equivalence_test
}  // namespace cox::test
