// SPDX-License-Identifier: MIT
// Operators that compute each element by itself, and SOFTMAX.
#include <algorithm>

#include "coxswain/tflite/resolving/operands.h"

namespace cox::tflite::resolving {

namespace {

constexpr std::int32_t kSumShift = 20;  ///< of int8 operands of ADD and SUB

/// Checks types and shapes of a binary operator, and fills what all of them have.
template <typename Numbers>
Status read_binary(const Operands &operands, Numbers &numbers) {
  if (Status status = operands.counts(2, 2); !status) return status;
  for (std::size_t i = 0; i < 2; ++i) {
    if (Status status = operands.activation(operands.input(i), "input: type"); !status) return status;
    numbers.inputs[i] = operands.op().inputs[i];
  }
  if (Status status = operands.activation(operands.output(), "output: type"); !status) return status;
  numbers.output = operands.op().outputs[0];
  return operands.broadcast(numbers.broadcast);
}

Status read_unary(const Operands &operands, std::int32_t &input, std::int32_t &output) {
  if (Status status = operands.counts(1, 1); !status) return status;
  input = operands.op().inputs[0];
  output = operands.op().outputs[0];
  if (operands.input(0).shape == operands.output().shape) return {};
  return operands.mismatch("output's shape", operands.output().shape.elements(), operands.input(0).shape.elements());
}

Status read_unary_activation(const Operands &operands, std::int32_t &input, std::int32_t &output) {
  if (Status status = read_unary(operands, input, output); !status) return status;
  if (Status status = operands.activation(operands.input(0), "input: type"); !status) return status;
  return operands.activation(operands.output(), "output: type");
}

/// Checks an output whose quantisation the operator prescribes.
Status check_fixed_output(const Operands &operands, float scale, std::int32_t zero) {
  const Quantisation quantisation = operands.output().quantisation;
  if (quantisation.zero_point() != zero) return operands.unsupported("output: zero point", quantisation.zero_point(), zero);
  return quantisation.scale() == scale ? Status() : operands.unsupported("output: scale");
}

}  // namespace

Status sum(Operation &result, const Operands &operands, const ArithmeticOptions &options) {
  auto &numbers = result.emplace<Sum>();
  if (Status status = read_binary(operands, numbers); !status) return status;
  const std::array<TensorView, 2> inputs = {operands.input(0), operands.input(1)};
  const TensorView output = operands.output();
  numbers.subtract = operands.op().code == OperatorCode::sub;
  numbers.left_shift = kSumShift;
  const double twice_largest = 2 * static_cast<double>(std::max(inputs[0].quantisation.scale(), inputs[1].quantisation.scale()));
  for (std::size_t i = 0; i < 2; ++i) {
    numbers.input_zero[i] = inputs[i].quantisation.zero_point();
    numbers.input_multiplier[i] = quantised_multiplier(static_cast<double>(inputs[i].quantisation.scale()) / twice_largest);
  }
  numbers.output_zero = output.quantisation.zero_point();
  numbers.output_multiplier =
      quantised_multiplier(twice_largest / (static_cast<double>(1 << kSumShift) * static_cast<double>(output.quantisation.scale())));
  if (Status status = operands.multiplier(numbers.output_multiplier, "output's multiplier"); !status) return status;
  const Result<Clamp> clamp = operands.clamp(options.activation, output);
  if (!clamp) return clamp.status();
  numbers.clamp = clamp.value();
  return {};
}

Status product(Operation &result, const Operands &operands, const ArithmeticOptions &options) {
  auto &numbers = result.emplace<Product>();
  if (Status status = read_binary(operands, numbers); !status) return status;
  const std::array<TensorView, 2> inputs = {operands.input(0), operands.input(1)};
  const TensorView output = operands.output();
  for (std::size_t i = 0; i < 2; ++i) numbers.input_zero[i] = inputs[i].quantisation.zero_point();
  numbers.output_zero = output.quantisation.zero_point();
  numbers.multiplier =
      quantised_multiplier(static_cast<double>(inputs[0].quantisation.scale()) * static_cast<double>(inputs[1].quantisation.scale()) /
                           static_cast<double>(output.quantisation.scale()));
  if (Status status = operands.multiplier(numbers.multiplier, "multiplier"); !status) return status;
  const Result<Clamp> clamp = operands.clamp(options.activation, output);
  if (!clamp) return clamp.status();
  numbers.clamp = clamp.value();
  return {};
}

Status extremum(Operation &result, const Operands &operands) {
  auto &numbers = result.emplace<Extremum>();
  if (Status status = read_binary(operands, numbers); !status) return status;
  numbers.maximum = operands.op().code == OperatorCode::maximum;
  for (std::size_t i = 0; i < 2; ++i) {
    if (Status status = operands.same_quantisation(operands.input(i), operands.output(), "output's quantisation"); !status) return status;
  }
  return {};
}

Status softmax(Operation &result, const Operands &operands, const SoftmaxOptions &options) {
  constexpr unsigned kIntegerBits = 5;
  constexpr double kMostMultiplier = static_cast<double>(INT32_MAX);
  auto &numbers = result.emplace<Softmax>();
  if (Status status = read_unary_activation(operands, numbers.input, numbers.output); !status) return status;
  if (Status status = check_fixed_output(operands, 1.0F / 256, INT8_MIN); !status) return status;
  const TensorView input = operands.input(0);
  numbers.depth = input.shape.from_last(0);
  numbers.rows = input.shape.elements() / numbers.depth;
  const double multiplier =
      static_cast<double>(options.beta) * static_cast<double>(input.quantisation.scale()) * (1 << (31 - kIntegerBits));
  if (!(multiplier > 1)) return operands.unsupported("beta");
  numbers.multiplier = quantised_multiplier(std::min(multiplier, kMostMultiplier));
  numbers.least_difference = -input_radius(kIntegerBits, numbers.multiplier.shift);
  return {};
}

Status sigmoid(Operation &result, const Operands &operands) {
  constexpr unsigned kIntegerBits = 4;
  auto &numbers = result.emplace<Sigmoid>();
  if (Status status = read_unary_activation(operands, numbers.input, numbers.output); !status) return status;
  numbers.tanh = operands.op().code == OperatorCode::tanh;
  if (Status status = numbers.tanh ? check_fixed_output(operands, 1.0F / 128, 0) : check_fixed_output(operands, 1.0F / 256, INT8_MIN);
      !status)
    return status;
  const Quantisation input = operands.input(0).quantisation;
  numbers.input_zero = input.zero_point();
  numbers.multiplier = quantised_multiplier(static_cast<double>(input.scale()) * (1 << (31 - kIntegerBits)));
  numbers.radius = input_radius(kIntegerBits, numbers.multiplier.shift);
  return {};
}

Status rectify(Operation &result, const Operands &operands) {
  auto &numbers = result.emplace<Rescale>();
  if (Status status = read_unary_activation(operands, numbers.input, numbers.output); !status) return status;
  const TensorView input = operands.input(0), output = operands.output();
  numbers.input_zero = input.quantisation.zero_point();
  numbers.output_zero = output.quantisation.zero_point();
  // TensorFlow Lite divides in single precision here.
  numbers.multiplier = quantised_multiplier(static_cast<double>(input.quantisation.scale() / output.quantisation.scale()));
  if (Status status = operands.multiplier(numbers.multiplier, "multiplier"); !status) return status;
  const OperatorCode code = operands.op().code;
  const Activation activation = code == OperatorCode::relu6          ? Activation::relu6
                                : code == OperatorCode::relu_n1_to_1 ? Activation::relu_n1_to_1
                                                                     : Activation::relu;
  const Result<Clamp> clamp = operands.clamp(activation, output);
  if (!clamp) return clamp.status();
  numbers.clamp = clamp.value();
  return {};
}

Status quantise(Operation &result, const Operands &operands) {
  if (operands.op().inputs.size() == 1 && operands.op().inputs[0] != kAbsent && operands.input(0).type == ElementType::float32) {
    auto &numbers = result.emplace<Conversion>();
    if (Status status = read_unary(operands, numbers.input, numbers.output); !status) return status;
    if (Status status = operands.activation(operands.output(), "output: type"); !status) return status;
    numbers.scale = operands.output().quantisation.scale();
    numbers.zero = operands.output().quantisation.zero_point();
    return {};
  }
  auto &numbers = result.emplace<Rescale>();
  if (Status status = read_unary_activation(operands, numbers.input, numbers.output); !status) return status;
  const Quantisation input = operands.input(0).quantisation, output = operands.output().quantisation;
  numbers.input_zero = input.zero_point();
  numbers.output_zero = output.zero_point();
  numbers.multiplier = quantised_multiplier(static_cast<double>(input.scale()) / static_cast<double>(output.scale()));
  if (Status status = operands.multiplier(numbers.multiplier, "multiplier"); !status) return status;
  return {};
}

Status dequantise(Operation &result, const Operands &operands) {
  auto &numbers = result.emplace<Conversion>();
  numbers.to_float = true;
  if (Status status = read_unary(operands, numbers.input, numbers.output); !status) return status;
  if (Status status = operands.activation(operands.input(0), "input: type"); !status) return status;
  if (Status status = operands.type(operands.output(), ElementType::float32, "output: type"); !status) return status;
  numbers.scale = operands.input(0).quantisation.scale();
  numbers.zero = operands.input(0).quantisation.zero_point();
  return {};
}

}  // namespace cox::tflite::resolving
