// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/sigmoid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "coxswain/isa/numbers/clamped_exponential.h"
#include "tests/kernels/mx/elementwise.h"

namespace cox::kernels::mx {
namespace sigmoid_test {

using tests::ElementwiseKernel;

ElementwiseKernel kernel() {
  ElementwiseKernel kernel;
  kernel.append = [](Stream &stream, const Tensor &input, const Tensor &, const Tensor &output) { return sigmoid(stream, input, output); };
  kernel.single = [](const std::array<float, 16> &a, const std::array<float, 16> &) {
    std::array<float, 16> result{};
    for (unsigned i = 0; i < 16; ++i) result[i] = isa::numbers::sigmoid(a[i]);
    return result;
  };
  kernel.real = [](const std::array<double, 16> &a, const std::array<double, 16> &) {
    std::array<double, 16> result{};
    for (unsigned i = 0; i < 16; ++i) result[i] = 1 / (1 + std::exp(-a[i]));
    return result;
  };
  return kernel;
}

TEST(Sigmoid, RandomShapes) { tests::expect_right_on_random_shapes(kernel(), 3); }

TEST(Sigmoid, EdgesOfLength) { tests::expect_right_at_edges_of_length(kernel(), 3); }

TEST(Sigmoid, BadArguments) { tests::expect_bad_arguments_refused(kernel()); }

}  // namespace sigmoid_test
}  // namespace cox::kernels::mx
