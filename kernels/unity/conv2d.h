// SPDX-License-Identifier: MIT
// Convolutions, depthwise and transposed convolutions, and fully connected layers, with the arithmetic of TensorFlow Lite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/kernels/unity/arguments.h"

namespace cox::kernels::unity {

/// What follows the sums: clamp(requantised(sum + bias) + output_zero). One bias (INT32), one multiplier (INT32) and one shift (INT8) for
/// each output channel, at device addresses. The bias contains the input's zero point: fold_zero_point().
struct ChannelResults {
  std::uint64_t biases = 0, multipliers = 0, shifts = 0;
  std::int32_t output_zero = 0;
  Bounds bounds;
};

/// With K = kernel_height and so on, each image is enlarged (enlarge - 1 elements of `pad_value` between its elements), padded with
/// `pad_value`, and convolved with the weights less `weights_zero`.
struct Conv2dArguments {
  bool depthwise = false;  ///< weights [kernel_height][kernel_width][output_channels]; else [output_channels][..][..][channels / groups]
  std::uint64_t input = 0, weights = 0, output = 0;
  std::uint32_t batch = 1;
  std::uint32_t height = 1, width = 1, channels = 1;
  std::uint32_t output_height = 1, output_width = 1, output_channels = 1;
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1;      ///< 1 to 15
  std::uint32_t dilation_y = 1, dilation_x = 1;  ///< 1 to 127; depthwise only 1
  std::uint32_t enlarge_y = 1, enlarge_x = 1;    ///< 1 to 31; above 1: a transposed convolution, whose kernel is turned by 180 degrees
  std::uint32_t groups = 1;                      ///< not of depthwise convolutions
  std::uint32_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;  ///< at most 255
  std::int32_t pad_value = 0;                                              ///< the input's zero point
  std::int32_t weights_zero = 0;
  ChannelResults results;
};

/// Kernels, pads and options that only UDEF_CONV has: sides or pads above 15, dilation, groups, weights with a zero point.
[[nodiscard]] bool is_general(const Conv2dArguments &arguments);

/// Checks everything but addresses. Errors: invalid_argument, with the argument as `what`; shape_mismatch ("output_height",
/// "output_width", "groups", "output_channels"); unsupported ("enlarge_y", "depthwise") for a transposed or depthwise convolution that
/// is_general().
[[nodiscard]] Status check_conv2d(const Conv2dArguments &arguments);

/// Appends one instruction for each image. Errors: those of check_conv2d(); address_outside_window with the argument's name;
/// not_ready; no_room ("stream", "instructions").
Status conv2d(ContainerBuilder &builder, const Conv2dArguments &arguments);

/// A product of `rows` x `depth` inputs and `columns` x `depth` weights.
struct FullyConnectedArguments {
  std::uint64_t input = 0, weights = 0, output = 0;
  std::uint32_t rows = 1, depth = 1, columns = 1;
  std::int32_t weights_zero = 0;
  ChannelResults results;
};
/// Errors: those of check_conv2d(); unsupported ("depth") if it is above 4095 and no product of two numbers that are not.
[[nodiscard]] Status check_fully_connected(const FullyConnectedArguments &arguments);
Status fully_connected(ContainerBuilder &builder, const FullyConnectedArguments &arguments);

/// folded[o] = bias[o] - input_zero * (sum of the weights of output channel o - their count * weights_zero), modulo 2^32. `bias` is empty
/// or as long as `folded`. `by_channel`: the weights are [..][output channel], else [output channel][..].
void fold_zero_point(std::span<const std::int32_t> bias, std::span<const std::int8_t> weights, bool by_channel, std::int32_t input_zero,
                     std::int32_t weights_zero, std::span<std::int32_t> folded);

}  // namespace cox::kernels::unity
