// SPDX-License-Identifier: MIT
// TensorFlow Lite's INT8 operators, slow and plain: the oracle for kernels. The numbers are those of tflite/operation.h, so that a test can
// take them from a model, or make them up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/tflite/operation.h"

namespace cox::tests::tflite_reference {

namespace tf = cox::tflite;
using Values = std::vector<std::int8_t>;
using Multipliers = std::vector<tf::QuantisedMultiplier>;  ///< one, or one for each output channel

// Each function returns the output tensor. Tensors are NHWC, without gaps. The spans of constants may be empty if the operator allows it.

[[nodiscard]] Values convolution(const tf::Convolution &numbers, std::span<const std::int8_t> input, std::span<const std::int8_t> weights,
                                 std::span<const std::int32_t> bias, const Multipliers &multipliers);
[[nodiscard]] Values fully_connected(const tf::FullyConnected &numbers, std::span<const std::int8_t> input,
                                     std::span<const std::int8_t> weights, std::span<const std::int32_t> bias,
                                     const Multipliers &multipliers);
[[nodiscard]] Values pool(const tf::Pool &numbers, std::span<const std::int8_t> input);
[[nodiscard]] Values softmax(const tf::Softmax &numbers, std::span<const std::int8_t> input);
[[nodiscard]] Values sigmoid(const tf::Sigmoid &numbers, std::span<const std::int8_t> input);
[[nodiscard]] Values rescale(const tf::Rescale &numbers, std::span<const std::int8_t> input);
[[nodiscard]] Values resize(const tf::Resize &numbers, std::span<const std::int8_t> input);
[[nodiscard]] Values quantise(const tf::Conversion &numbers, std::span<const float> input);
[[nodiscard]] std::vector<float> dequantise(const tf::Conversion &numbers, std::span<const std::int8_t> input);

/// An operand of a binary operator: it is repeated to the shape of the output.
struct Operand {
  std::span<const std::int8_t> values;
  tf::Shape shape;
};
[[nodiscard]] Values sum(const tf::Sum &numbers, const Operand &first, const Operand &second, const tf::Shape &output);
[[nodiscard]] Values product(const tf::Product &numbers, const Operand &first, const Operand &second, const tf::Shape &output);
[[nodiscard]] Values extremum(const tf::Extremum &numbers, const Operand &first, const Operand &second, const tf::Shape &output);

[[nodiscard]] Values mean(const tf::Mean &numbers, std::span<const std::int8_t> input, const tf::Shape &shape);
[[nodiscard]] Values pad(const tf::Pad &numbers, std::span<const std::int8_t> input, const tf::Shape &input_shape,
                         const tf::Shape &output_shape);

}  // namespace cox::tests::tflite_reference
