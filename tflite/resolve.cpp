// SPDX-License-Identifier: MIT
#include "coxswain/tflite/resolve.h"

#include "coxswain/tflite/options.h"
#include "coxswain/tflite/resolving/operands.h"

namespace cox::tflite {

namespace {

/// Returns the newest version of the operator whose meaning this library knows, or 0 if it does not know the operator. Later versions of
/// TensorFlow Lite have added types to operators, and made their version numbers larger.
std::int32_t newest_version(OperatorCode code) {
  switch (code) {
    case OperatorCode::fully_connected: return 10;
    case OperatorCode::strided_slice: return 8;
    case OperatorCode::conv_2d:
    case OperatorCode::depthwise_conv_2d:
    case OperatorCode::mul: return 7;
    case OperatorCode::transpose: return 6;
    case OperatorCode::add:
    case OperatorCode::sub:
    case OperatorCode::dequantize: return 5;
    case OperatorCode::concatenation:
    case OperatorCode::maximum:
    case OperatorCode::minimum:
    case OperatorCode::pack:
    case OperatorCode::pad:
    case OperatorCode::padv2:
    case OperatorCode::resize_bilinear:
    case OperatorCode::resize_nearest_neighbor:
    case OperatorCode::split:
    case OperatorCode::transpose_conv:
    case OperatorCode::unpack: return 4;
    case OperatorCode::average_pool_2d:
    case OperatorCode::logistic:
    case OperatorCode::max_pool_2d:
    case OperatorCode::mean:
    case OperatorCode::quantize:
    case OperatorCode::relu:
    case OperatorCode::relu6:
    case OperatorCode::softmax:
    case OperatorCode::tanh: return 3;
    case OperatorCode::squeeze: return 2;
    case OperatorCode::expand_dims:
    case OperatorCode::relu_n1_to_1:
    case OperatorCode::reshape: return 1;
    default: return 0;
  }
}

Status resolve_into(Operation &result, const Model &model, std::size_t index) {
  const resolving::Operands operands(model, index);
  const OperatorCode code = operands.op().code;
  const std::int32_t newest = newest_version(code);
  if (newest == 0) return operands.unsupported("operator", static_cast<std::int32_t>(code));
  if (operands.op().version > newest) return operands.unsupported("operator_code.version", operands.op().version, newest);
  const Result<Options> read = options(model, index);
  if (!read) return read.status();
  const Options &given = read.value();
  // options() returns the type that belongs to the operator.
  switch (code) {
    case OperatorCode::conv_2d:
    case OperatorCode::depthwise_conv_2d:
    case OperatorCode::transpose_conv: return resolving::convolution(result, operands, *std::get_if<ConvolutionOptions>(&given));
    case OperatorCode::fully_connected: return resolving::fully_connected(result, operands, *std::get_if<FullyConnectedOptions>(&given));
    case OperatorCode::average_pool_2d:
    case OperatorCode::max_pool_2d: return resolving::pool(result, operands, *std::get_if<PoolOptions>(&given));
    case OperatorCode::add:
    case OperatorCode::sub: return resolving::sum(result, operands, *std::get_if<ArithmeticOptions>(&given));
    case OperatorCode::mul: return resolving::product(result, operands, *std::get_if<ArithmeticOptions>(&given));
    case OperatorCode::maximum:
    case OperatorCode::minimum: return resolving::extremum(result, operands);
    case OperatorCode::softmax: return resolving::softmax(result, operands, *std::get_if<SoftmaxOptions>(&given));
    case OperatorCode::logistic:
    case OperatorCode::tanh: return resolving::sigmoid(result, operands);
    case OperatorCode::relu:
    case OperatorCode::relu_n1_to_1:
    case OperatorCode::relu6: return resolving::rectify(result, operands);
    case OperatorCode::quantize: return resolving::quantise(result, operands);
    case OperatorCode::dequantize: return resolving::dequantise(result, operands);
    case OperatorCode::mean: return resolving::mean(result, operands, *std::get_if<ReducerOptions>(&given));
    case OperatorCode::resize_bilinear:
    case OperatorCode::resize_nearest_neighbor: return resolving::resize(result, operands, *std::get_if<ResizeOptions>(&given));
    case OperatorCode::pad:
    case OperatorCode::padv2: return resolving::pad(result, operands);
    case OperatorCode::reshape:
    case OperatorCode::squeeze:
    case OperatorCode::expand_dims: return resolving::copy(result, operands);
    case OperatorCode::concatenation: return resolving::concatenation(result, operands, *std::get_if<ConcatenationOptions>(&given));
    case OperatorCode::pack: return resolving::pack(result, operands, *std::get_if<PackOptions>(&given));
    case OperatorCode::split: return resolving::split(result, operands, *std::get_if<SplitOptions>(&given));
    case OperatorCode::unpack: return resolving::unpack(result, operands, *std::get_if<PackOptions>(&given));
    case OperatorCode::transpose: return resolving::transpose(result, operands);
    case OperatorCode::strided_slice: return resolving::slice(result, operands, *std::get_if<StridedSliceOptions>(&given));
    case OperatorCode::custom: break;
  }
  return operands.unsupported("operator", static_cast<std::int32_t>(code));
}

}  // namespace

Result<Operation> resolve(const Model &model, std::size_t index) {
  Result<Operation> result{Operation()};
  const Status status = resolve_into(result.value(), model, index);
  return status ? result : Result<Operation>(status);
}

std::uint64_t multiply_accumulates(const Operation &operation) {
  const auto product = [](auto... sizes) {
    std::uint64_t all = 1;
    ((all *= static_cast<std::uint64_t>(sizes)), ...);
    return all;
  };
  if (const auto *const numbers = std::get_if<Convolution>(&operation)) {
    const std::uint64_t window = product(numbers->batch, numbers->kernel_height, numbers->kernel_width);
    switch (numbers->kind) {
      case Convolution::Kind::convolution:
        return product(window, numbers->output_height, numbers->output_width, numbers->output_channels,
                       numbers->input_channels / numbers->groups);
      case Convolution::Kind::depthwise: return product(window, numbers->output_height, numbers->output_width, numbers->output_channels);
      case Convolution::Kind::transposed:
        return product(window, numbers->input_height, numbers->input_width, numbers->input_channels, numbers->output_channels);
    }
  }
  if (const auto *const numbers = std::get_if<FullyConnected>(&operation)) return product(numbers->rows, numbers->depth, numbers->columns);
  return 0;
}

}  // namespace cox::tflite
