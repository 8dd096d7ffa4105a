// SPDX-License-Identifier: MIT
// A convolution with its tensors in the test's memory. It runs conv2d() through the model's arithmetic and compares the result with plain
// loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "coxswain/kernels/cube/conv2d.h"
#include "coxswain/kernels/cube/conv2d_shape.h"
#include "coxswain/kernels/cube/conv2d_tiles.h"

namespace cox::tests {

using kernels::cube::Conv2dArguments;
using kernels::cube::Stream;

class Conv2dProblem {
 public:
  /// The sides of the output are computed. Tensors with a nonzero address in the arguments get memory and random contents.
  Conv2dProblem(const Conv2dArguments &wanted, std::mt19937 &random);

  Conv2dArguments arguments;

  /// Appends conv2d() to a new stream and executes it. Expects that the slots pass isa/cube's checks and have no hazard and no superfluous
  /// flag. Their number must be that of conv2d_slots().
  void run();
  /// Does the same with the given tiles.
  void run(const kernels::cube::Conv2dTiles &tiles);
  [[nodiscard]] kernels::cube::Conv2dShape shape() const;
  /// Compares the output with the result of plain loops: integers exactly, floating-point numbers within the rounding bound
  /// (docs/kernels/cube.md).
  void expect_right() const;

  [[nodiscard]] std::span<const std::byte> code() const { return stream_.code(); }
  [[nodiscard]] std::string text() const;

  /// Memory that the arguments' addresses point to. A few bytes after the output must stay unchanged.
  std::vector<std::byte> input, weights, output, bias, scales, residual;
  /// Elements converted to numbers.
  [[nodiscard]] std::vector<double> input_values() const { return values(input, arguments.type); }
  [[nodiscard]] std::vector<double> weight_values() const { return values(weights, arguments.type); }

  /// For each output element, the sum of its products and the sum of their magnitudes.
  struct Sums {
    std::vector<double> sums, magnitudes;
  };
  [[nodiscard]] Sums sums() const;
  /// Applies scaling, residual, bias, activation and conversion to these sums, and expects the results in the output. Each sum may be off
  /// by `relative` times its magnitude.
  void expect_output_of(const Sums &sums, double relative) const;

 private:
  [[nodiscard]] static std::vector<double> values(const std::vector<std::byte> &bytes, isa::cube::Type type);

  void init_stream(std::uint64_t slots);
  void execute_stream();

  std::vector<std::byte> code_memory_;
  Stream stream_;
};

/// Executes the appended slots with the model.
void execute(std::span<const std::byte> code);

}  // namespace cox::tests
