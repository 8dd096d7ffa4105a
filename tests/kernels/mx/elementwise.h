// SPDX-License-Identifier: MIT
// What tests of element-wise kernels share: random shapes, edges of lengths, and refusals, for a kernel of one or two inputs.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "base/status.h"
#include "tests/kernels/mx/dram.h"

namespace cox::tests {

struct ElementwiseKernel {
  unsigned inputs = 1;
  /// input2 is for kernels of two.
  std::function<Status(Stream &, const Tensor &input1, const Tensor &input2, const Tensor &output)> append;
  /// What FP32 makes of 16 elements, operation by operation, before they are quantised.
  std::function<std::array<float, 16>(const std::array<float, 16> &, const std::array<float, 16> &)> single;
  /// The same in real numbers, near enough.
  std::function<std::array<double, 16>(const std::array<double, 16> &, const std::array<double, 16> &)> real;
  double slack = 1e-6;           ///< relative error of `single` beside `real`
  const char *input1 = "input";  ///< names in errors
  const char *input1_field = "InOffset";
  bool whole_blocks = false;  ///< channels must be a multiple of 16
};

/// 250 random shapes, at random apart or in place, with zero, tiny and NaN blocks: bit for bit, within the format's bound, one instruction
/// each, and nothing written outside of the output.
void expect_right_on_random_shapes(const ElementwiseKernel &kernel, unsigned seed);
/// 1 block, 2^18 - 1, 2^18, 2^18 + 1 and 2^19 + 5, apart and in place.
void expect_right_at_edges_of_length(const ElementwiseKernel &kernel, unsigned seed);
/// Every error, for tensors of one instruction and of two; the stream stays as it was.
void expect_bad_arguments_refused(const ElementwiseKernel &kernel);

}  // namespace cox::tests
