// SPDX-License-Identifier: MIT
// The tests of element-wise kernels share these checks: random shapes, lengths at their limits, and refusals. Kernels have one or two
// inputs.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "coxswain/base/status.h"
#include "tests/kernels/mx/dram.h"

namespace cox::tests {

struct ElementwiseKernel {
  unsigned inputs = 1;
  /// Kernels of one input ignore input2.
  std::function<Status(Stream &, const Tensor &input1, const Tensor &input2, const Tensor &output)> append;
  /// The FP32 result of 16 elements, rounded after each operation, before quantisation.
  std::function<std::array<float, 16>(const std::array<float, 16> &, const std::array<float, 16> &)> single;
  /// The same result in double precision.
  std::function<std::array<double, 16>(const std::array<double, 16> &, const std::array<double, 16> &)> real;
  double slack = 1e-6;           ///< relative error of `single` compared with `real`
  const char *input1 = "input";  ///< names that errors use
  const char *input1_field = "InOffset";
  bool whole_blocks = false;  ///< channels must be a multiple of 16
};

/// Runs 250 random shapes with zero, tiny and NaN blocks. At random, the output has its own memory or that of an input. The output must
/// equal the quantised result of kernel.single bit for bit. It must be as close to kernel.real as expect_within_format() demands. Each call
/// must take one instruction, and nothing outside of the output may change.
void expect_right_on_random_shapes(const ElementwiseKernel &kernel, unsigned seed);
/// Like expect_right_on_random_shapes(), but with 1, 2^18 - 1, 2^18, 2^18 + 1 and 2^19 + 5 blocks. Tests each length with a separate output
/// and in place.
void expect_right_at_edges_of_length(const ElementwiseKernel &kernel, unsigned seed);
/// Provokes each error, first with tensors that fit one instruction and then with tensors that need two. The stream must stay unchanged.
void expect_bad_arguments_refused(const ElementwiseKernel &kernel);

}  // namespace cox::tests
