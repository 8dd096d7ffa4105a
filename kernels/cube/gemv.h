// SPDX-License-Identifier: MIT
// Matrix times vector on the matrix unit (docs/kernels/cube.md, gemv).
#pragma once

#include "kernels/cube/gemm.h"

namespace cox::kernels::cube {

/// output = activation(alpha * matrix * vector + beta * addend + biases). Vectors lie without gaps.
struct GemvArguments {
  Type type = Type::bfloat16;  ///< of matrix and vector
  Matrix matrix = {};          ///< m x k, in DRAM or in L1
  std::uint64_t vector = 0;    ///< bus address of k elements
  OutputType to = OutputType::float32;
  std::uint64_t output = 0;  ///< bus address of m elements
  float alpha = 1, beta = 0;
  std::uint64_t addend = 0;  ///< bus address of m elements: the output itself, or apart from it; beta 0: not read, not looked at
  std::uint64_t biases = 0;  ///< m of them, FP32; INT32 for int8 and int4. 0: none
  std::uint64_t scales = 0;  ///< m FP32 factors, in the place of alpha, which is 1. 0: none
  Activation activation = Activation::None;
  float activation_parameter = 0;
  std::int32_t zero_point = 0;
};

/// As gemm(), which multiplies the vector, as a row, by the matrix turned: in errors `what` "left" is the vector, "right" the matrix.
Status gemv(Stream &stream, const GemvArguments &arguments);

}  // namespace cox::kernels::cube
