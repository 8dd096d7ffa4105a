// SPDX-License-Identifier: MIT
// Convolution, bias and activation of MX9 maps of any size (docs/kernels/mx.md, conv_act).
#pragma once

#include "coxswain/base/result.h"
#include "coxswain/isa/mx/table.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

using isa::mx::Activation;

struct ConvActArguments {
  Tensor input;
  std::uint64_t weights = 0;  ///< bus address, aligned to 4 bytes, of the result of pack_weights() for these channels and this kernel
  Tensor output;              ///< with split: the first half of the channel blocks
  Tensor split_output;        ///< with split: the second half; channels 0: no split
  std::uint32_t kernel = 1;   ///< 1 or 3
  std::uint32_t stride = 1;   ///< 1 or 2
  std::uint32_t padding = 0;  ///< 0 to 3 rows and columns on each side
  Activation activation = Activation::None;
  Scratch scratch;  ///< conv_act_scratch_bytes() bytes; may stay empty if that is 0
};

/// Returns the bytes of scratch that conv_act() needs for these shapes; addresses are ignored. It is 0 if maps are at most 1,024 high and
/// wide, there are at most 1,024 input channels, and padding is at most 1. Errors: the shape errors of conv_act().
Result<std::uint64_t> conv_act_scratch_bytes(const ConvActArguments &arguments);

/// Appends the convolution. It is one instruction if the shape fits one. Larger shapes are decomposed (docs/kernels/mx.md, decompositions):
/// - More than 1,024 output channels: one instruction for each 1,024.
/// - More than 1,024 input channels: partial sums, quantised to MX9 and added in order.
/// - Maps higher or wider than 1,024: pieces, which are copied to scratch and computed there.
/// - Padding of 2 or 3: a copy of the map in scratch with zeros around it.
/// Errors, after which the stream is unchanged: invalid_argument (`what` is the member, with `value` and `limit`), shape_mismatch,
/// misaligned_address, address_outside_window, tensor_overlap, no_room.
Status conv_act(Stream &stream, const ConvActArguments &arguments);

}  // namespace cox::kernels::mx
