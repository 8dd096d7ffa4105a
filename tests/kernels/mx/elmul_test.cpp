// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/elmul.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/mx/elementwise.h"

namespace cox::kernels::mx {
namespace elmul_test {

using tests::ElementwiseKernel;

ElementwiseKernel kernel() {
  ElementwiseKernel kernel;
  kernel.inputs = 2;
  kernel.append = elmul;
  kernel.input1 = "input1";
  kernel.input1_field = "InOffset1";
  kernel.single = [](const std::array<float, 16> &a, const std::array<float, 16> &b) {
    std::array<float, 16> result{};
    for (unsigned i = 0; i < 16; ++i) result[i] = a[i] * b[i];
    return result;
  };
  kernel.real = [](const std::array<double, 16> &a, const std::array<double, 16> &b) {
    std::array<double, 16> result{};
    for (unsigned i = 0; i < 16; ++i) result[i] = a[i] * b[i];
    return result;
  };
  return kernel;
}

TEST(Elmul, RandomShapes) { tests::expect_right_on_random_shapes(kernel(), 2); }

TEST(Elmul, EdgesOfLength) { tests::expect_right_at_edges_of_length(kernel(), 2); }

TEST(Elmul, BadArguments) { tests::expect_bad_arguments_refused(kernel()); }

}  // namespace elmul_test
}  // namespace cox::kernels::mx
