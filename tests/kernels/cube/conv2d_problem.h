// SPDX-License-Identifier: MIT
// A convolution with its tensors in memory of the test, what conv2d() makes of it through the model's arithmetic, and what plain loops do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/cube/conv2d.h"
#include "kernels/cube/conv2d_shape.h"
#include "kernels/cube/conv2d_tiles.h"

namespace cox::tests {

using kernels::cube::Conv2dArguments;
using kernels::cube::Stream;

class Conv2dProblem {
 public:
  /// Output sides are set. Tensors that the arguments want (addresses not 0) get memory and random contents.
  Conv2dProblem(const Conv2dArguments &wanted, std::mt19937 &random);

  Conv2dArguments arguments;

  /// conv2d() into a stream of its own; the stream's slots are right by isa/cube, have neither hazard nor flag too many, and are as many
  /// as conv2d_slots() says. Then what they do.
  void run();
  /// The same, cut as it is told.
  void run(const kernels::cube::Conv2dTiles &tiles);
  [[nodiscard]] kernels::cube::Conv2dShape shape() const;
  /// Compares the output with the loops': integers exactly, floating-point numbers within what rounding may cost (docs/kernels/cube.md).
  void expect_right() const;

  [[nodiscard]] std::span<const std::byte> code() const { return stream_.code(); }
  [[nodiscard]] std::string text() const;

  /// Where the arguments' addresses point. Behind the output there are a few bytes that nobody may touch.
  std::vector<std::byte> input, weights, output, bias, scales, residual;
  /// Elements as numbers.
  [[nodiscard]] std::vector<double> input_values() const { return values(input, arguments.type); }
  [[nodiscard]] std::vector<double> weight_values() const { return values(weights, arguments.type); }

  /// Sums, and those of the absolute products, of every output element.
  struct Sums {
    std::vector<double> sums, magnitudes;
  };
  [[nodiscard]] Sums sums() const;
  /// That the output is what the stages behind the array make of such sums, each off by at most `relative` of its magnitude.
  void expect_output_of(const Sums &sums, double relative) const;

 private:
  [[nodiscard]] static std::vector<double> values(const std::vector<std::byte> &bytes, isa::cube::Type type);

  void init_stream(std::uint64_t slots);
  void execute_stream();

  std::vector<std::byte> code_memory_;
  Stream stream_;
};

/// What was appended, executed by the model.
void execute(std::span<const std::byte> code);

}  // namespace cox::tests
