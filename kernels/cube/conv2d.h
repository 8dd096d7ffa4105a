// SPDX-License-Identifier: MIT
// Convolution of maps of any size on the matrix unit (docs/kernels/cube.md, conv2d): im2col on the fly, bias, factors, residual,
// activation.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "isa/cube/table.h"
#include "kernels/cube/matrix.h"
#include "kernels/cube/stream.h"

namespace cox::kernels::cube {

using isa::cube::ScaleMode;

/// Maps lie as [image][row][column][channel] without gaps: NHWC.
struct Conv2dArguments {
  Type type = Type::int8;  ///< of map and weights; int4: an even number of channels in each group

  std::uint64_t input = 0;  ///< bus address
  std::uint32_t batch = 1, height = 1, width = 1, channels = 1;

  std::uint64_t weights = 0;  ///< bus address of [output channel][kernel row][kernel column][channel of the group], without gaps
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1;
  std::uint32_t dilation_y = 1, dilation_x = 1;
  std::uint32_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  std::int32_t pad_value = 0;  ///< what stands around the map, int8 alone: the input's zero point
  std::uint32_t groups = 1;    ///< which input and output channels are divided into

  std::uint64_t output = 0;                           ///< bus address
  std::uint32_t output_height = 1, output_width = 1;  ///< as conv2d_output_side() says
  std::uint32_t output_channels = 1;                  ///< at most kMostOutputChannels
  OutputType output_type = OutputType::int8;          ///< int32: int8 and int4 alone, without factors and residual

  std::uint64_t bias = 0;  ///< bus address of a bias an output channel, FP32 or, of int8 and int4, INT32; 0: none
  ScaleMode scale_mode = ScaleMode::none;
  float scale = 1;             ///< with ScaleMode::tensor
  std::uint64_t scales = 0;    ///< with ScaleMode::channel: bus address of an FP32 factor an output channel
  std::uint64_t residual = 0;  ///< bus address of a map of the output's shape and type, of which `beta` times is added; 0: none
  float beta = 1;
  Activation activation = Activation::None;
  float activation_parameter = 0;  ///< LeakyReLU: the slope below 0; Clip: the upper limit
  std::int32_t zero_point = 0;     ///< of the output, int8 alone
};

/// Output channels whose biases and factors L1 holds beside everything else.
inline constexpr std::uint32_t kMostOutputChannels = 16384;

/// Places of a kernel on one side of a map. 0: it does not fit there once, or more often than 32 bits count.
constexpr std::uint32_t conv2d_output_side(std::uint32_t side, std::uint32_t before, std::uint32_t after, std::uint32_t kernel,
                                           std::uint32_t dilation, std::uint32_t stride) {
  const std::uint64_t padded = std::uint64_t{side} + before + after;
  const std::uint64_t reach = std::uint64_t{kernel - 1} * dilation + 1;
  if (padded < reach || stride == 0) return 0;
  const std::uint64_t places = (padded - reach) / stride + 1;
  return places >> 32 == 0 ? static_cast<std::uint32_t>(places) : 0;
}

/// Slots that conv2d() appends. Errors as conv2d()'s, windows and room excepted.
Result<std::uint64_t> conv2d_slots(const Conv2dArguments &arguments);

/// Appends the convolution. What is done to sums, and in which order: isa/cube/operation.h, Output; bits and bounds: docs/kernels/cube.md.
/// Sides, strides, dilations, padding and kernel have no limit of their own; each tensor has less than 4 GiB.
/// invalid_argument: a size, stride or dilation of 0, groups that do not divide the channels, more output channels than
/// kMostOutputChannels, an odd number of int4 channels in a group, pad_value or zero_point beyond int8 or where the type has none, a type
/// or mode that does not exist, int32 results of floating-point sums or with factors, a residual or another activation than ReLU.
/// shape_mismatch: an output side ("output_height", "output_width"; `limit` what conv2d_output_side() says).
/// address_outside_window: a tensor of 4 GiB or more, or one that no window of the stream holds and permits. tensor_overlap: an output that
/// shares bytes with what is read. no_room, and what the stream's feed says. `what` is the argument. The stream is as it was, unless a
/// segment of it was fed already.
Status conv2d(Stream &stream, const Conv2dArguments &arguments);

}  // namespace cox::kernels::cube
