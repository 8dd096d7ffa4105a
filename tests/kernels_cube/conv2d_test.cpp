// SPDX-License-Identifier: MIT
#include "kernels/cube/conv2d.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sim/model/cube/hazard/detector.h"
#include "tests/kernels_cube/conv2d_problem.h"

namespace cox::tests {
namespace {

using isa::cube::Activation;
using isa::cube::OutputType;
using isa::cube::ScaleMode;
using isa::cube::Type;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : random(seed) {}
  std::uint32_t operator()(std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); }
  bool one_in(std::uint32_t count) { return (*this)(1, count) == 1; }
  std::mt19937 random;
};

/// Types, stages and padding; the shape is the caller's.
void choose_rest(Conv2dArguments &a, Numbers &number) {
  a.type = static_cast<Type>(number(0, 4));
  const bool integer = isa::cube::is_integer(a.type);
  a.output_type = static_cast<OutputType>(number(0, 4));
  if (a.output_type == OutputType::int32 && !integer) a.output_type = OutputType::float32;
  if (a.type == Type::int4 && a.channels / a.groups % 2 != 0) a.channels *= 2;
  const bool plain = a.output_type == OutputType::int32;
  a.bias = number(0, 1);
  a.scale_mode = plain ? ScaleMode::none : static_cast<ScaleMode>(number(0, 2));
  a.scale = integer ? 0.003F : 1.5F;
  a.residual = plain ? 0 : number(0, 1);
  a.beta = number.one_in(2) ? 1.0F : -0.75F;
  a.activation = static_cast<Activation>(number(0, plain ? 1 : 3));
  a.activation_parameter = a.activation == Activation::Clip ? 6.0F : 0.125F;
  if (a.type == Type::int8) a.pad_value = static_cast<std::int32_t>(number(0, 255)) - 128;
  if (a.output_type == OutputType::int8) a.zero_point = static_cast<std::int32_t>(number(0, 255)) - 128;
}

bool has_places(const Conv2dArguments &a) {
  return kernels::cube::conv2d_output_side(a.height, a.pad_top, a.pad_bottom, a.kernel_height, a.dilation_y, a.stride_y) != 0 &&
         kernels::cube::conv2d_output_side(a.width, a.pad_left, a.pad_right, a.kernel_width, a.dilation_x, a.stride_x) != 0;
}

TEST(Conv2d, RandomProblems) {
  Numbers number(1);
  for (int i = 0; i < 300;) {
    Conv2dArguments a;
    a.batch = number(1, 3);
    a.height = number(1, 14);
    a.width = number(1, 14);
    a.groups = number.one_in(3) ? number(2, 4) : 1;
    a.channels = a.groups * (number.one_in(4) ? 32 * number(1, 2) : number(1, 40));
    a.output_channels = a.groups * number(1, 40);
    if (number.one_in(6)) a.groups = a.output_channels = a.channels = number(1, 20);
    a.kernel_height = number(1, 4);
    a.kernel_width = number(1, 4);
    a.stride_y = number(1, 3);
    a.stride_x = number(1, 3);
    a.dilation_y = number(1, 3);
    a.dilation_x = number(1, 3);
    a.pad_top = number(0, 4);
    a.pad_left = number(0, 4);
    a.pad_bottom = number(0, 4);
    a.pad_right = number(0, 4);
    choose_rest(a, number);
    if (!has_places(a)) continue;
    ++i;
    Conv2dProblem problem(a, number.random);
    problem.run();
    problem.expect_right();
    ASSERT_FALSE(HasFailure()) << "problem " << i;
  }
}

}  // namespace
}  // namespace cox::tests
