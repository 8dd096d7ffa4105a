// SPDX-License-Identifier: MIT
// Matrix times vector on the matrix unit (docs/kernels/cube.md, gemv).
#pragma once

#include "coxswain/kernels/cube/gemm.h"

namespace cox::kernels::cube {

/// output = activation(alpha * matrix * vector + beta * addend + biases). Vectors have no gaps.
struct GemvArguments {
  Type type = Type::bfloat16;  ///< of matrix and vector
  Matrix matrix = {};          ///< m x k, in DRAM or in L1
  std::uint64_t vector = 0;    ///< bus address of k elements
  OutputType to = OutputType::float32;
  std::uint64_t output = 0;  ///< bus address of m elements
  float alpha = 1, beta = 0;
  /// Bus address of m elements: the output itself, or memory that shares no byte with it. If beta is 0, they are neither read nor checked.
  std::uint64_t addend = 0;
  std::uint64_t biases = 0;  ///< bus address of m biases: INT32 for int8 and int4, else FP32; 0: none
  std::uint64_t scales = 0;  ///< bus address of m FP32 factors. They replace alpha, which must be 1; 0: none
  Activation activation = Activation::None;
  float activation_parameter = 0;
  std::int32_t zero_point = 0;
};

/// Does the same as gemm() with the vector as a row on the left and the transposed matrix on the right. Errors name the vector "left" and
/// the matrix "right".
Status gemv(Stream &stream, const GemvArguments &arguments);

}  // namespace cox::kernels::cube
