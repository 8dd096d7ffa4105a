// SPDX-License-Identifier: MIT
#include "coxswain/tflite/resolving/operands.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cox::tflite::resolving {

Status Operands::error(ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) const {
  return {code, what, index_, value, limit};
}
Status Operands::mismatch(const char *what, std::int64_t value, std::int64_t limit) const {
  return error(ErrorCode::shape_mismatch, what, value, limit);
}
Status Operands::unsupported(const char *what, std::int64_t value, std::int64_t limit) const {
  return error(ErrorCode::unsupported, what, value, limit);
}

Status Operands::counts(std::size_t required, std::size_t most_inputs, std::size_t outputs) const {
  if (op_.inputs.size() < required || op_.inputs.size() > most_inputs) {
    return error(ErrorCode::image_malformed, "number of inputs", signed_of(op_.inputs.size()),
                 signed_of(op_.inputs.size() < required ? required : most_inputs));
  }
  if (op_.outputs.size() != outputs)
    return error(ErrorCode::image_malformed, "number of outputs", signed_of(op_.outputs.size()), signed_of(outputs));
  for (std::size_t i = 0; i < required; ++i) {
    if (op_.inputs[i] == kAbsent) return error(ErrorCode::image_malformed, "absent input", signed_of(i));
  }
  return {};
}

Status Operands::type(const TensorView &tensor, ElementType type, const char *what) const {
  if (tensor.type == type) return {};
  return unsupported(what, static_cast<std::int32_t>(tensor.type), static_cast<std::int32_t>(type));
}

Status Operands::activation(const TensorView &tensor, const char *what) const {
  if (Status status = type(tensor, ElementType::int8, what); !status) return status;
  if (tensor.quantisation.count == 1) return {};
  return unsupported(tensor.quantisation.count == 0 ? "tensor without quantisation" : "activation with several scales",
                     tensor.quantisation.count, 1);
}

Status Operands::same_quantisation(const TensorView &first, const TensorView &second, const char *what) const {
  const Quantisation &a = first.quantisation, &b = second.quantisation;
  if (a.count != b.count) return unsupported(what, b.count, a.count);
  if (a.count > 1 && a.dimension != b.dimension) return unsupported(what, b.dimension, a.dimension);
  for (std::uint32_t i = 0; i < a.count; ++i) {
    // TensorFlow Lite allows this difference of scales.
    if (std::fabs(a.scale(i) - b.scale(i)) > 1e-6F) return unsupported(what, i, i);
    if (a.zero_point(i) != b.zero_point(i)) return unsupported(what, b.zero_point(i), a.zero_point(i));
  }
  return {};
}

Status Operands::range(std::int32_t value, std::int32_t least, std::int32_t most, const char *what) const {
  if (value >= least && value <= most) return {};
  return error(ErrorCode::field_out_of_range, what, value, value < least ? least : most);
}

Result<Operands::Numbers> Operands::constant(std::size_t input_index, const char *what) const {
  const TensorView tensor = input(input_index);
  const bool wide = tensor.type == ElementType::int64;
  if (!wide && tensor.type != ElementType::int32)
    return unsupported(what, static_cast<std::int32_t>(tensor.type), static_cast<std::int32_t>(ElementType::int32));
  if (!tensor.constant()) return unsupported(what, op_.inputs[input_index]);
  Numbers numbers;
  numbers.count = static_cast<std::uint32_t>(tensor.shape.elements());
  if (numbers.count > numbers.values.size()) return unsupported(what, numbers.count, narrow(numbers.values.size()));
  for (std::uint32_t i = 0; i < numbers.count; ++i) {
    std::int64_t value = 0;
    if (wide) {
      std::memcpy(&value, tensor.data.data() + std::size_t{i} * 8, 8);
    } else {
      std::int32_t narrow = 0;
      std::memcpy(&narrow, tensor.data.data() + std::size_t{i} * 4, 4);
      value = narrow;
    }
    if (value < INT32_MIN || value > INT32_MAX) return unsupported(what, narrow(value), INT32_MAX);
    numbers.values[i] = static_cast<std::int32_t>(value);
  }
  return numbers;
}

Result<std::uint32_t> Operands::axis(std::int32_t axis, std::uint32_t rank, const char *what) const {
  const auto dimensions = static_cast<std::int32_t>(rank);
  if (Status status = range(axis, -dimensions, dimensions - 1, what); !status) return status;
  return static_cast<std::uint32_t>(axis < 0 ? axis + dimensions : axis);
}

Result<Clamp> Operands::clamp(Activation activation, const TensorView &output) const {
  Clamp clamp;
  const auto quantised = [&output](float value, std::int32_t &bound) {
    const double rounded = std::round(static_cast<double>(value / output.quantisation.scale())) + output.quantisation.zero_point();
    if (std::fabs(rounded) > 1e9) return false;
    bound = static_cast<std::int32_t>(rounded);
    return true;
  };
  std::int32_t bound = 0;
  if (activation == Activation::none) return clamp;
  if (activation == Activation::tanh || activation == Activation::sign_bit)
    return unsupported("activation", static_cast<std::int32_t>(activation));
  if (!quantised(activation == Activation::relu_n1_to_1 ? -1.0F : 0.0F, bound)) return error(ErrorCode::field_out_of_range, "activation");
  clamp.least = std::max(clamp.least, bound);
  if (activation != Activation::relu) {
    if (!quantised(activation == Activation::relu6 ? 6.0F : 1.0F, bound)) return error(ErrorCode::field_out_of_range, "activation");
    clamp.most = std::min(clamp.most, bound);
  }
  return clamp;
}

Status Operands::multiplier(const QuantisedMultiplier &multiplier, const char *what) const {
  return multiplier.shift <= kMaxShift ? Status() : unsupported(what, multiplier.shift, kMaxShift);
}

Status Operands::broadcast(std::array<bool, 2> &repeated) const {
  const std::array<Shape, 2> shapes = {input(0).shape, input(1).shape};
  const Shape result = output().shape;
  const std::size_t rank = std::max(shapes[0].rank, shapes[1].rank);
  if (result.rank != rank) return mismatch("output's rank", result.rank, signed_of(rank));
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int32_t first = shapes[0].from_last(i), second = shapes[1].from_last(i);
    if (first != second && first != 1 && second != 1) return mismatch("inputs' shapes", second, first);
    const std::int32_t size = first == 1 ? second : first;
    if (result.from_last(i) != size) return mismatch("output's shape", result.from_last(i), size);
  }
  for (std::size_t i = 0; i < 2; ++i) repeated[i] = shapes[i].elements() != result.elements();
  return {};
}

Extent window_extent(Padding padding, std::int32_t input, std::int32_t kernel, std::int32_t stride, std::int32_t dilation) {
  const std::int64_t window = std::int64_t{kernel - 1} * dilation + 1;
  Extent extent;
  if (padding == Padding::valid) {
    extent.output = input < window ? 0 : static_cast<std::int32_t>((input - window) / stride + 1);
    return extent;
  }
  extent.output = static_cast<std::int32_t>((std::int64_t{input} + stride - 1) / stride);
  const std::int64_t total = std::max<std::int64_t>(0, std::int64_t{extent.output - 1} * stride + window - input);
  extent.before = static_cast<std::int32_t>(total / 2);
  extent.after = static_cast<std::int32_t>(total - total / 2);
  return extent;
}

}  // namespace cox::tflite::resolving
