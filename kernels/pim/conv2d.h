// SPDX-License-Identifier: MIT
// Convolution of maps on PIM cores, depthwise and grouped ones included (docs/kernels/pim.md, conv2d).
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/kernels/pim/mapping.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

enum class ResultType : std::uint8_t { int8, int32 };

/// How several cores share a layer.
enum class Split : std::uint8_t {
  pixels,   ///< each core has all weights and computes some rows (or, if there are fewer rows than cores, some columns)
  outputs,  ///< each core has the weights of some passes
};

/// Maps have the layout [row][column][channel] of int8 without gaps (HWC). Addresses are device addresses (ProgramBuilder::address_of()):
/// in DRAM, or in a local memory that the kernels leave to the caller (docs/kernels/pim.md, Memories).
struct Conv2dArguments {
  std::uint32_t input = 0;
  std::uint32_t height = 1, width = 1, channels = 1;
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1;
  std::uint32_t dilation_y = 1, dilation_x = 1;
  std::uint32_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  std::int32_t pad_value = 0;  ///< -128 to 127: the input's zero point
  std::uint32_t groups = 1;    ///< groups of input and output channels

  std::uint32_t output = 0;
  std::uint32_t output_height = 1, output_width = 1;  ///< must equal conv2d_output_side()
  std::uint32_t output_channels = 1;
  ResultType output_type = ResultType::int8;
  bool relu = false;            ///< before the zero point is added
  std::int32_t zero_point = 0;  ///< of int8 results

  WeightForm form = WeightForm::dense;
  std::uint32_t weight_bits = 8;  ///< dense, value_sparse: of a weight in two's complement: 1, 2, 4 or 8
  std::uint32_t threshold = 1;    ///< bit_sparse: columns of a filter
  /// bit_sparse: the threshold of each output channel, or empty: all have `threshold`. choose_mapping() and pack_weights() read it.
  std::span<const std::uint8_t> thresholds = {};
  std::uint32_t window_inputs = 0;  ///< value_sparse: inputs of a window
  bool has_bias = true;

  std::uint32_t weights = 0;    ///< packed weights (kernels/pim/pack_weights.h)
  bool resident = false;        ///< the array has the weights already (load_weights()); only tables are read from `weights`
  std::uint32_t first_row = 0;  ///< of the array, for the weights
  /// The local memories have biases, factors, masks and meta data already: the kernel before this one on these cores was the same one,
  /// and the layer has one pass (for Split::outputs, one for each core).
  bool tables_resident = false;

  std::uint32_t first_core = 0, cores = 1;  ///< cores that compute the layer
  Split split = Split::pixels;
};

[[nodiscard]] constexpr bool is_padded(const Conv2dArguments &arguments) {
  return arguments.pad_top != 0 || arguments.pad_left != 0 || arguments.pad_bottom != 0 || arguments.pad_right != 0;
}

/// Returns the number of positions of a kernel along one side of a map, or 0 if the side is too short for the kernel.
constexpr std::uint32_t conv2d_output_side(std::uint32_t side, std::uint32_t before, std::uint32_t after, std::uint32_t kernel,
                                           std::uint32_t dilation, std::uint32_t stride) {
  const std::uint64_t padded = std::uint64_t{side} + before + after;
  const std::uint64_t reach = std::uint64_t{kernel - 1} * dilation + 1;
  if (padded < reach || stride == 0) return 0;
  return static_cast<std::uint32_t>((padded - reach) / stride + 1);
}

/// Returns the layer that choose_mapping() and pack_weights() need. Weights have the layout [output channel][kernel row][kernel column]
/// [channel of the group] (OHWI): Weights{.output_stride = kernel_height * kernel_width * channels / groups}. A layer with as many groups
/// as input and output channels is depthwise: Weights{.depthwise = true}. Errors: those of conv2d() that concern sizes.
[[nodiscard]] Result<LayerShape> conv2d_layer(const Conv2dArguments &arguments);
/// True if conv2d_layer() makes blocks of channels for a depthwise layer.
[[nodiscard]] constexpr bool is_depthwise(const Conv2dArguments &arguments) {
  return arguments.groups > 1 && arguments.groups == arguments.channels && arguments.channels == arguments.output_channels;
}

/// Appends a convolution: result = sat(MUL(sum of input * weight + bias, multiplier, shift) + zero_point), or the sums for int32 results,
/// which are exact modulo 2^32. Multipliers and shifts are those of the packed weights. `mapping` is choose_mapping()'s for
/// conv2d_layer(). If several cores compute, a barrier of them ends the kernel. Errors, after which the program is unchanged; `what` is the
/// argument:
/// - not_ready before ProgramBuilder::init().
/// - invalid_argument: a size, stride or dilation of 0; groups that do not divide the channels; a pad_value or zero_point out of range;
///   cores that the program does not have ("cores"); Split::outputs with fewer passes than cores ("cores"); rows that the array does not
///   have ("first_row"); several passes of a core with `tables_resident`; an input in a local memory of the kernels ("input"), and an
///   output there ("output").
/// - shape_mismatch: an output side, or a mapping for another layer ("mapping").
/// - address_outside_window, address_outside_buffer: "input", "output", "weights".
/// - tensor_overlap: an output that shares bytes with the input ("output").
/// - no_room: "stream", "registers", or a row of the map that is too long for the memory of inputs ("input") or results ("output").
/// - unsupported: a memory that the configuration lacks.
Status conv2d(ProgramBuilder &builder, const Conv2dArguments &arguments, const Mapping &mapping);

/// Appends the copy of packed weights to the array's rows from `first_row` on, pass after pass. Errors: as conv2d().
Status load_weights(ProgramBuilder &builder, const Conv2dArguments &arguments, const Mapping &mapping);

}  // namespace cox::kernels::pim
