// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/smuli.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/mx/elementwise.h"

namespace cox::kernels::mx {
namespace smuli_test {

using tests::ElementwiseKernel;

/// 1.3 is not a BF16 number. Its neighbours are 1.296875 and 1.3046875; the first one is nearer.
constexpr float kFactor = 1.3F;
constexpr float kRounded = 1.296875F;

ElementwiseKernel kernel() {
  ElementwiseKernel kernel;
  kernel.append = [](Stream &stream, const Tensor &input, const Tensor &, const Tensor &output) {
    return smuli(stream, input, kFactor, output);
  };
  kernel.single = [](const std::array<float, 16> &a, const std::array<float, 16> &) {
    std::array<float, 16> result{};
    for (unsigned i = 0; i < 16; ++i) result[i] = a[i] * kRounded;
    return result;
  };
  kernel.real = [](const std::array<double, 16> &a, const std::array<double, 16> &) {
    std::array<double, 16> result{};
    for (unsigned i = 0; i < 16; ++i) result[i] = a[i] * kRounded;
    return result;
  };
  return kernel;
}

TEST(Smuli, RandomShapes) { tests::expect_right_on_random_shapes(kernel(), 4); }

TEST(Smuli, EdgesOfLength) { tests::expect_right_at_edges_of_length(kernel(), 4); }

TEST(Smuli, BadArguments) { tests::expect_bad_arguments_refused(kernel()); }

/// The block 1, 2, ..., 16, multiplied by a factor.
std::array<float, 16> scaled(float factor) {
  tests::Dram dram(100);
  const Tensor tensor = dram.tensor(16, 1, 1);
  std::array<float, 16> values{};
  for (unsigned i = 0; i < 16; ++i) values[i] = static_cast<float>(i + 1);
  dram.blocks(tensor)[0] = isa::mx::quantise(values);
  EXPECT_TRUE(smuli(dram.stream(), tensor, factor, tensor).ok());
  dram.run();
  return tests::values_of(dram.blocks(tensor)[0]);
}

TEST(Smuli, Factors) {
  EXPECT_EQ(scaled(1.0F)[6], 7.0F);
  EXPECT_EQ(scaled(-0.5F)[6], -3.5F);
  EXPECT_EQ(scaled(0.0F)[6], 0.0F);
  // The factor 1.7 is rounded to the nearest BF16 number, 1.703125. The truncated factor, 1.6953125, would turn element 15, which is 16,
  // into 27.125. In MX9 that is 27.
  EXPECT_EQ(scaled(1.7F)[15], 27.25F);
  EXPECT_EQ(scaled(1.703125F)[15], 27.25F);
  EXPECT_EQ(scaled(1.0F + 0x1p-8F)[6], 7.0F) << "halfway goes to even";
  EXPECT_EQ(scaled(2.0F + 0x1.8p-7F)[15], 32.0F * (1.0F + 0x1p-7F) - 0.25F) << "2.015625, of which the element keeps 7 bits";
  EXPECT_TRUE(std::isnan(scaled(INFINITY)[0]));
  EXPECT_TRUE(std::isnan(scaled(NAN)[0]));
}

}  // namespace smuli_test
}  // namespace cox::kernels::mx
