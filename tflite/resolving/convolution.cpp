// SPDX-License-Identifier: MIT
// CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED.
#include "coxswain/tflite/resolving/operands.h"

namespace cox::tflite::resolving {

namespace {

constexpr std::int32_t kMaxWindowNumber = 1 << 15;  ///< largest stride, dilation or depth multiplier

/// Checks the optional bias, and the multipliers of all channels.
template <typename Numbers>
Status check_bias_and_scales(const Operands &operands, Numbers &numbers, std::size_t bias_input, std::int32_t channels) {
  numbers.bias = operands.op().input(bias_input);
  if (numbers.bias != kAbsent) {
    const TensorView bias = operands.input(bias_input);
    if (Status status = operands.type(bias, ElementType::int32, "bias: type"); !status) return status;
    if (!bias.constant()) return operands.unsupported("bias is not constant", numbers.bias);
    if (bias.shape.elements() != channels) return operands.mismatch("bias", bias.shape.elements(), channels);
    for (std::uint32_t i = 0; i < bias.quantisation.zero_count; ++i) {
      if (bias.quantisation.zero_point(i) != 0) return operands.unsupported("bias: zero point", bias.quantisation.zero_point(i), 0);
    }
  }
  // The largest scale has the largest multiplier.
  std::uint32_t largest = 0;
  for (std::uint32_t i = 1; i < numbers.scales.count; ++i) {
    if (numbers.scales.weights[i] > numbers.scales.weights[largest]) largest = i;
  }
  if (Status status = operands.multiplier(numbers.scales.multiplier(largest), "multiplier of a channel"); !status) return status;
  return {};
}

/// Checks the types of input, weights and output, and reads their quantisation. The weights' scales are one, or one for each index of
/// dimension `channel_dimension`.
template <typename Numbers>
Status read_quantisation(const Operands &operands, Numbers &numbers, const TensorView &input, const TensorView &weights,
                         const TensorView &output, std::uint32_t channel_dimension) {
  if (Status status = operands.activation(input, "input: type"); !status) return status;
  if (Status status = operands.activation(output, "output: type"); !status) return status;
  if (Status status = operands.type(weights, ElementType::int8, "weights: type"); !status) return status;
  if (!weights.constant()) return operands.unsupported("weights are not constant");
  if (weights.quantisation.count == 0) return operands.unsupported("weights without quantisation");
  if (weights.quantisation.per_channel() && weights.quantisation.dimension != channel_dimension) {
    return operands.unsupported("weights: quantized_dimension", weights.quantisation.dimension, channel_dimension);
  }
  numbers.input_zero = input.quantisation.zero_point();
  numbers.output_zero = output.quantisation.zero_point();
  numbers.scales.input = input.quantisation.scale();
  numbers.scales.output = output.quantisation.scale();
  numbers.scales.weights = weights.quantisation.scales;
  numbers.scales.count = weights.quantisation.count;
  return {};
}

Status check_symmetric(const Operands &operands, const Quantisation &weights) {
  for (std::uint32_t i = 0; i < weights.zero_count; ++i) {
    if (weights.zero_point(i) != 0) return operands.unsupported("weights: zero point", weights.zero_point(i), 0);
  }
  return {};
}

Status check_window(const Operands &operands, const ConvolutionOptions &options) {
  if (Status status = operands.range(options.stride_height, 1, kMaxWindowNumber, "stride_h"); !status) return status;
  if (Status status = operands.range(options.stride_width, 1, kMaxWindowNumber, "stride_w"); !status) return status;
  if (Status status = operands.range(options.dilation_height, 1, kMaxWindowNumber, "dilation_h_factor"); !status) return status;
  return operands.range(options.dilation_width, 1, kMaxWindowNumber, "dilation_w_factor");
}

/// Checks the channels against the weights' shape.
Status check_channels(const Operands &operands, Convolution &numbers, const Shape &weights, const ConvolutionOptions &options) {
  if (numbers.kind == Convolution::Kind::depthwise) {
    if (weights[0] != 1) return operands.mismatch("weights' first dimension", weights[0], 1);
    if (weights[3] != numbers.output_channels) return operands.mismatch("weights' channels", weights[3], numbers.output_channels);
    if (Status status = operands.range(options.depth_multiplier, 1, kMaxWindowNumber, "depth_multiplier"); !status) return status;
    numbers.depth_multiplier = options.depth_multiplier;
    const std::int64_t channels = std::int64_t{numbers.input_channels} * options.depth_multiplier;
    return channels == numbers.output_channels ? Status()
                                               : operands.mismatch("depth_multiplier", narrow(channels), numbers.output_channels);
  }
  if (weights[0] != numbers.output_channels) return operands.mismatch("weights' output channels", weights[0], numbers.output_channels);
  if (numbers.input_channels % weights[3] != 0) return operands.mismatch("weights' input channels", weights[3], numbers.input_channels);
  numbers.groups = numbers.input_channels / weights[3];
  if (numbers.groups > 1 && numbers.kind == Convolution::Kind::transposed)
    return operands.mismatch("weights' input channels", weights[3], numbers.input_channels);
  return numbers.output_channels % numbers.groups == 0 ? Status() : operands.mismatch("groups", numbers.groups, numbers.output_channels);
}

}  // namespace

Status convolution(Operation &result, const Operands &operands, const ConvolutionOptions &options) {
  auto &numbers = result.emplace<Convolution>();
  const OperatorCode code = operands.op().code;
  numbers.kind = code == OperatorCode::depthwise_conv_2d ? Convolution::Kind::depthwise
                 : code == OperatorCode::transpose_conv  ? Convolution::Kind::transposed
                                                         : Convolution::Kind::convolution;
  const bool transposed = numbers.kind == Convolution::Kind::transposed;
  // TRANSPOSE_CONV has the output's shape first.
  const std::size_t input_place = transposed ? 2 : 0, bias_place = transposed ? 3 : 2;
  if (Status status = operands.counts(bias_place, bias_place + 1); !status) return status;
  const TensorView input = operands.input(input_place), weights = operands.input(1), output = operands.output();
  if (input.shape.rank != 4) return operands.mismatch("input's rank", input.shape.rank, 4);
  if (weights.shape.rank != 4) return operands.mismatch("weights' rank", weights.shape.rank, 4);
  if (output.shape.rank != 4) return operands.mismatch("output's rank", output.shape.rank, 4);
  const std::uint32_t channel_dimension = numbers.kind == Convolution::Kind::depthwise ? 3 : 0;
  if (Status status = read_quantisation(operands, numbers, input, weights, output, channel_dimension); !status) return status;
  if (Status status = check_symmetric(operands, weights.quantisation); !status) return status;
  if (Status status = check_window(operands, options); !status) return status;

  numbers.input = operands.op().inputs[input_place];
  numbers.weights = operands.op().inputs[1];
  numbers.output = operands.op().outputs[0];
  numbers.batch = input.shape[0];
  numbers.input_height = input.shape[1];
  numbers.input_width = input.shape[2];
  numbers.input_channels = input.shape[3];
  numbers.output_height = output.shape[1];
  numbers.output_width = output.shape[2];
  numbers.output_channels = output.shape[3];
  numbers.kernel_height = weights.shape[1];
  numbers.kernel_width = weights.shape[2];
  numbers.stride_height = options.stride_height;
  numbers.stride_width = options.stride_width;
  numbers.dilation_height = options.dilation_height;
  numbers.dilation_width = options.dilation_width;
  if (output.shape[0] != numbers.batch) return operands.mismatch("output's batch", output.shape[0], numbers.batch);
  if (Status status = check_channels(operands, numbers, weights.shape, options); !status) return status;

  // A transposed convolution is the convolution from its output to its input, backwards.
  const TensorView &from = transposed ? output : input, &to = transposed ? input : output;
  const Extent rows = window_extent(options.padding, from.shape[1], numbers.kernel_height, options.stride_height, options.dilation_height);
  const Extent columns = window_extent(options.padding, from.shape[2], numbers.kernel_width, options.stride_width, options.dilation_width);
  if (to.shape[1] != rows.output) return operands.mismatch(transposed ? "input's height" : "output's height", to.shape[1], rows.output);
  if (to.shape[2] != columns.output) return operands.mismatch(transposed ? "input's width" : "output's width", to.shape[2], columns.output);
  numbers.pads = {rows.before, columns.before, rows.after, columns.after};

  const Result<Clamp> clamp = operands.clamp(options.activation, output);
  if (!clamp) return clamp.status();
  numbers.clamp = clamp.value();
  if (Status status = check_bias_and_scales(operands, numbers, bias_place, numbers.output_channels); !status) return status;
  return {};
}

Status fully_connected(Operation &result, const Operands &operands, const FullyConnectedOptions &options) {
  auto &numbers = result.emplace<FullyConnected>();
  if (Status status = operands.counts(2, 3); !status) return status;
  if (options.weights_format != 0) return operands.unsupported("weights_format", options.weights_format);
  const TensorView input = operands.input(0), weights = operands.input(1), output = operands.output();
  if (weights.shape.rank != 2) return operands.mismatch("weights' rank", weights.shape.rank, 2);
  if (Status status = read_quantisation(operands, numbers, input, weights, output, 0); !status) return status;
  numbers.scales.single_precision = numbers.scales.count == 1;
  numbers.weights_zero = weights.quantisation.zero_point();
  if (weights.quantisation.per_channel()) {
    if (Status status = check_symmetric(operands, weights.quantisation); !status) return status;
  }
  numbers.input = operands.op().inputs[0];
  numbers.weights = operands.op().inputs[1];
  numbers.output = operands.op().outputs[0];
  numbers.columns = weights.shape[0];
  numbers.depth = weights.shape[1];
  const std::int32_t elements = input.shape.elements();
  if (elements % numbers.depth != 0) return operands.mismatch("input's elements", elements, numbers.depth);
  numbers.rows = elements / numbers.depth;
  const std::int64_t results = std::int64_t{numbers.rows} * numbers.columns;
  if (output.shape.elements() != results) return operands.mismatch("output's elements", output.shape.elements(), narrow(results));
  if (output.shape.from_last(0) != numbers.columns)
    return operands.mismatch("output's columns", output.shape.from_last(0), numbers.columns);
  const Result<Clamp> clamp = operands.clamp(options.activation, output);
  if (!clamp) return clamp.status();
  numbers.clamp = clamp.value();
  if (Status status = check_bias_and_scales(operands, numbers, 2, numbers.columns); !status) return status;
  return {};
}

}  // namespace cox::tflite::resolving
