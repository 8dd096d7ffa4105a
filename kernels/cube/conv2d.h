// SPDX-License-Identifier: MIT
// Convolution of maps of any size on the matrix unit (docs/kernels/cube.md, conv2d), with im2col on the fly, bias, factors, residual and
// activation.
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/isa/cube/table.h"
#include "coxswain/kernels/cube/matrix.h"
#include "coxswain/kernels/cube/stream.h"

namespace cox::kernels::cube {

using isa::cube::ScaleMode;

/// Maps have the layout [image][row][column][channel] without gaps (NHWC).
struct Conv2dArguments {
  Type type = Type::int8;  ///< of map and weights; with int4, each group has an even number of channels

  std::uint64_t input = 0;  ///< bus address
  std::uint32_t batch = 1, height = 1, width = 1, channels = 1;

  std::uint64_t weights = 0;  ///< bus address of [output channel][kernel row][kernel column][channel of the group], without gaps
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1;
  std::uint32_t dilation_y = 1, dilation_x = 1;
  std::uint32_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  std::int32_t pad_value = 0;  ///< value of the padding, only for int8: the input's zero point
  std::uint32_t groups = 1;    ///< number of groups of input and output channels

  std::uint64_t output = 0;                           ///< bus address
  std::uint32_t output_height = 1, output_width = 1;  ///< must equal conv2d_output_side()
  std::uint32_t output_channels = 1;                  ///< at most kMostOutputChannels
  OutputType output_type = OutputType::int8;          ///< int32: only for int8 and int4, without factors and residual

  std::uint64_t bias = 0;  ///< bus address of one bias for each output channel: INT32 for int8 and int4, else FP32; 0: none
  ScaleMode scale_mode = ScaleMode::none;
  float scale = 1;             ///< the factor, with ScaleMode::tensor
  std::uint64_t scales = 0;    ///< with ScaleMode::channel: bus address of one FP32 factor for each output channel
  std::uint64_t residual = 0;  ///< bus address of a map of the output's shape and type, which is multiplied by `beta` and added; 0: none
  float beta = 1;
  Activation activation = Activation::None;
  float activation_parameter = 0;  ///< LeakyReLU: the slope below 0; Clip: the upper limit
  std::int32_t zero_point = 0;     ///< of the output, only for int8
};

/// The largest number of output channels. L1 then has room for their biases and factors beside everything else.
inline constexpr std::uint32_t kMostOutputChannels = 16384;

/// Returns the number of positions of a kernel along one side of a map. Returns 0 if the side is too short for the kernel or the number
/// exceeds 32 bits.
constexpr std::uint32_t conv2d_output_side(std::uint32_t side, std::uint32_t before, std::uint32_t after, std::uint32_t kernel,
                                           std::uint32_t dilation, std::uint32_t stride) {
  const std::uint64_t padded = std::uint64_t{side} + before + after;
  const std::uint64_t reach = std::uint64_t{kernel - 1} * dilation + 1;
  if (padded < reach || stride == 0) return 0;
  const std::uint64_t places = (padded - reach) / stride + 1;
  return places >> 32 == 0 ? static_cast<std::uint32_t>(places) : 0;
}

/// Returns the number of slots that conv2d() appends. Errors: those of conv2d(), except those of windows and room.
Result<std::uint64_t> conv2d_slots(const Conv2dArguments &arguments);

/// Appends the convolution. isa/cube/operation.h, Output, defines what is done to the sums and in which order; docs/kernels/cube.md defines
/// the bits of the sums. Sides, strides, dilations, padding and kernel may have any size for which each tensor has less than 4 GiB.
/// Errors; `what` is the argument. The stream is unchanged, unless one of its segments was fed already.
/// - invalid_argument: a size, stride or dilation of 0; groups that do not divide the channels; more output channels than
///   kMostOutputChannels; an odd number of int4 channels in a group; a pad_value or zero_point outside the range of int8; a pad_value other
///   than 0 if the inputs are not int8; a zero_point other than 0 if the outputs are not int8; an unknown type or mode; int32 results of
///   floating-point sums; int32 results with factors, a residual or an activation other than ReLU.
/// - shape_mismatch: an output side ("output_height", "output_width"; `limit` is conv2d_output_side()).
/// - address_outside_window: a tensor of 4 GiB or more, or one that no window of the stream contains and permits.
/// - tensor_overlap: an output that shares bytes with an input.
/// - no_room, and the errors of the stream's feed.
Status conv2d(Stream &stream, const Conv2dArguments &arguments);

}  // namespace cox::kernels::cube
