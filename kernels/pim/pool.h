// SPDX-License-Identifier: MIT
// Pooling of maps with the SIMD unit (docs/kernels/pim.md, Pooling).
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

enum class PoolMode : std::uint8_t {
  maximum,
  average,  ///< sums divided by the number of elements, halves away from 0, as TensorFlow Lite rounds
};

/// Maps have the layout [row][column][channel] of int8 without gaps. A global average has a kernel of the map's size.
struct PoolArguments {
  PoolMode mode = PoolMode::maximum;
  std::uint32_t input = 0;
  std::uint32_t height = 1, width = 1, channels = 1;
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1;
  std::uint32_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;  ///< only of maximum: the padding never wins
  std::uint32_t output = 0;
  std::uint32_t output_height = 1, output_width = 1;  ///< must equal conv2d_output_side()
  std::uint32_t first_core = 0, cores = 1;            ///< each core computes some rows
};

/// Appends the pooling. Addresses are those of conv2d(). Errors, after which the program is unchanged: not_ready before
/// ProgramBuilder::init(); invalid_argument: a size or stride of 0, padding of an average or as large as the kernel, a kernel of more than
/// 65,536 elements ("kernel_height"), cores that the program lacks ("cores"), an address in a local memory of the kernels ("input",
/// "output"); shape_mismatch ("output_height", "output_width"); address_outside_window, address_outside_buffer; tensor_overlap ("output");
/// no_room ("stream", or "width" if the kernel's rows do not fit the memories); unsupported for a memory that the configuration lacks.
Status pool(ProgramBuilder &builder, const PoolArguments &arguments);

}  // namespace cox::kernels::pim
