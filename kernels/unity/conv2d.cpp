// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/conv2d.h"

#include <algorithm>

#include "coxswain/kernels/unity/convolution_instructions.h"

namespace cox::kernels::unity {

namespace {

constexpr std::uint32_t kMostRate = 127, kMostEnlarge = 31;

/// Error: shape_mismatch (`what`). The other numbers have been checked, so 32 bits hold the products.
Status check_output(const char *what, std::uint32_t size, std::uint32_t enlarge, std::uint32_t pads, std::uint32_t kernel,
                    std::uint32_t rate, std::uint32_t stride, std::uint32_t output) {
  const std::uint32_t padded = (size - 1) * enlarge + 1 + pads, window = (kernel - 1) * rate + 1;
  const std::uint32_t expected = window > padded ? 0 : (padded - window) / stride + 1;
  if (expected == output) return {};
  return {ErrorCode::shape_mismatch, what, -1, output, expected};
}

Status check_addresses(const ContainerBuilder &builder, const Conv2dArguments &a) {
  const std::uint64_t input = std::uint64_t{a.batch} * a.height * a.width * a.channels;
  const std::uint64_t output = std::uint64_t{a.batch} * a.output_height * a.output_width * a.output_channels;
  const std::uint64_t inputs = a.depthwise ? 1 : a.channels / a.groups;
  const std::uint64_t weights = std::uint64_t{a.output_channels} * a.kernel_height * a.kernel_width * inputs;
  const struct {
    const char *name;
    std::uint64_t address, bytes;
    bool write;
  } kAccesses[] = {{"input", a.input, input, false},
                   {"weights", a.weights, weights, false},
                   {"biases", a.results.biases, 4ULL * a.output_channels, false},
                   {"multipliers", a.results.multipliers, 4ULL * a.output_channels, false},
                   {"shifts", a.results.shifts, a.output_channels, false},
                   {"output", a.output, output, true}};
  for (const auto &access : kAccesses) {
    if (const Status status = builder.check_bytes(access.address, access.bytes, access.write, access.name); !status) return status;
  }
  return {};
}

/// Splits a depth into two numbers of at most kMostSide, the first as small as possible. Returns 0 if there are no such numbers.
std::uint32_t columns_of_depth(std::uint32_t depth) {
  for (std::uint32_t columns = (depth + kMostSide - 1) / kMostSide; columns <= std::min(depth, kMostSide); ++columns) {
    if (depth % columns == 0) return columns;
  }
  return 0;
}

/// The layer as a convolution of one line for each row of inputs.
Conv2dArguments convolution_of(const FullyConnectedArguments &a, std::uint32_t rows, std::uint32_t columns) {
  const std::uint32_t width = std::max<std::uint32_t>(columns_of_depth(a.depth), 1);
  return {.input = a.input,
          .weights = a.weights,
          .output = a.output,
          .height = rows,
          .width = width,
          .channels = a.depth / width,
          .output_height = rows,
          .output_channels = columns,
          .kernel_width = width,
          .weights_zero = a.weights_zero,
          .results = a.results};
}

}  // namespace

bool is_general(const Conv2dArguments &a) {
  // No bit above those of the limits, which are one less than a power of two.
  static_assert((kMostKernel & (kMostKernel + 1)) == 0 && kMostPad == kMostKernel);
  const std::uint32_t sides = a.kernel_height | a.kernel_width | a.pad_top | a.pad_left | a.pad_bottom | a.pad_right;
  return sides > kMostKernel || a.dilation_y != 1 || a.dilation_x != 1 || a.groups != 1 || a.weights_zero != 0;
}

Status check_conv2d(const Conv2dArguments &a) {
  using A = Conv2dArguments;
  static constexpr NumberLimits kNumbers[] = {{"height", offsetof(A, height), kMostSide},
                                              {"width", offsetof(A, width), kMostSide},
                                              {"channels", offsetof(A, channels), kMostSide},
                                              {"output_channels", offsetof(A, output_channels), kMostSide},
                                              {"kernel_height", offsetof(A, kernel_height), kMostSide},
                                              {"kernel_width", offsetof(A, kernel_width), kMostSide},
                                              {"groups", offsetof(A, groups), kMostSide},
                                              {"batch", offsetof(A, batch), UINT32_MAX},
                                              {"stride_y", offsetof(A, stride_y), kMostStride},
                                              {"stride_x", offsetof(A, stride_x), kMostStride},
                                              {"dilation_y", offsetof(A, dilation_y), kMostRate},
                                              {"dilation_x", offsetof(A, dilation_x), kMostRate},
                                              {"enlarge_y", offsetof(A, enlarge_y), kMostEnlarge},
                                              {"enlarge_x", offsetof(A, enlarge_x), kMostEnlarge},
                                              {"pad_top", offsetof(A, pad_top), kMostGeneralPad, 0},
                                              {"pad_left", offsetof(A, pad_left), kMostGeneralPad, 0},
                                              {"pad_bottom", offsetof(A, pad_bottom), kMostGeneralPad, 0},
                                              {"pad_right", offsetof(A, pad_right), kMostGeneralPad, 0}};
  if (const Status status = check_numbers(&a, kNumbers); !status) return status;
  if (is_general(a) && a.depthwise) return {ErrorCode::unsupported, "depthwise"};
  if (is_transposed(a) && (a.depthwise || is_general(a))) return {ErrorCode::unsupported, "enlarge_y"};
  const std::uint32_t divisor = a.depthwise ? a.channels : a.groups;
  if (a.channels % a.groups != 0) return {ErrorCode::shape_mismatch, "groups", -1, a.groups, a.channels};
  if (a.output_channels % divisor != 0) return {ErrorCode::shape_mismatch, "output_channels", -1, a.output_channels, divisor};
  if (const Status status = check_output("output_height", a.height, a.enlarge_y, a.pad_top + a.pad_bottom, a.kernel_height, a.dilation_y,
                                         a.stride_y, a.output_height);
      !status)
    return status;
  if (const Status status = check_output("output_width", a.width, a.enlarge_x, a.pad_left + a.pad_right, a.kernel_width, a.dilation_x,
                                         a.stride_x, a.output_width);
      !status)
    return status;
  if (const Status status = check_int8("pad_value", a.pad_value); !status) return status;
  if (const Status status = check_int8("weights_zero", a.weights_zero); !status) return status;
  if (const Status status = check_int8("output_zero", a.results.output_zero); !status) return status;
  return check_bounds(a.results.bounds);
}

Status conv2d(ContainerBuilder &builder, const Conv2dArguments &arguments) {
  if (const Status status = check_conv2d(arguments); !status) return status;
  if (const Status status = check_addresses(builder, arguments); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  append_convolution(builder, arguments);
  return builder.end_kernel();
}

Status check_fully_connected(const FullyConnectedArguments &a) {
  using Numbers = FullyConnectedArguments;
  static constexpr NumberLimits kLimits[] = {{"rows", offsetof(Numbers, rows), UINT32_MAX},
                                             {"depth", offsetof(Numbers, depth), UINT32_MAX},
                                             {"columns", offsetof(Numbers, columns), UINT32_MAX}};
  if (const Status status = check_numbers(&a, kLimits); !status) return status;
  if (columns_of_depth(a.depth) == 0) return {ErrorCode::unsupported, "depth", -1, a.depth, kMostSide};
  return check_conv2d(convolution_of(a, 1, std::min(a.columns, kMostSide)));
}

Status fully_connected(ContainerBuilder &builder, const FullyConnectedArguments &arguments) {
  if (const Status status = check_fully_connected(arguments); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  // Results of an instruction have no gaps, so that several lines can only have all their columns at once.
  const std::uint32_t most_rows = arguments.columns > kMostSide ? 1 : kMostSide;
  for (std::uint32_t row = 0; row < arguments.rows; row += most_rows) {
    for (std::uint32_t column = 0; column < arguments.columns; column += kMostSide) {
      Conv2dArguments part =
          convolution_of(arguments, std::min(arguments.rows - row, most_rows), std::min(arguments.columns - column, kMostSide));
      part.input += std::uint64_t{row} * arguments.depth;
      part.weights += std::uint64_t{column} * arguments.depth;
      part.output += std::uint64_t{row} * arguments.columns + column;
      part.results.biases += 4ULL * column;
      part.results.multipliers += 4ULL * column;
      part.results.shifts += column;
      if (const Status status = check_addresses(builder, part); !status) builder.fail(status);
      append_convolution(builder, part);
    }
  }
  return builder.end_kernel();
}

void fold_zero_point(std::span<const std::int32_t> bias, std::span<const std::int8_t> weights, bool by_channel, std::int32_t input_zero,
                     std::int32_t weights_zero, std::span<std::int32_t> folded) {
  const std::size_t channels = folded.size(), count = weights.size() / channels;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    std::int64_t sum = -static_cast<std::int64_t>(count) * weights_zero;
    for (std::size_t i = 0; i < count; ++i) sum += by_channel ? weights[i * channels + channel] : weights[channel * count + i];
    const std::int64_t start = bias.empty() ? 0 : bias[channel];
    folded[channel] = static_cast<std::int32_t>(start - input_zero * sum);
  }
}

}  // namespace cox::kernels::unity
