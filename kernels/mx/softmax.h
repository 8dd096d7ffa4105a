// SPDX-License-Identifier: MIT
// Softmax of an MX9 tensor over its channels (docs/kernels/mx.md, softmax).
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// Appends the softmax of each block over its 16 elements. The number of channels is a multiple of 16. output may be the input. No scratch
/// is needed. Errors: those of eladd().
Status softmax(Stream &stream, const Tensor &input, const Tensor &output);

/// Computes the softmax over all `channels` of each pixel on the control core; there may be any number of channels. It computes the
/// maximum, the exponentials (isa/numbers/clamped_exponential.h), their sum in the order of channels, and the quotients, all in FP32. The
/// result is then converted to MX9. Elements past `channels` become zero.
/// The function runs at once, so the stream that made `input` must have ended. Both spans are in the core's memory. They hold a block for
/// each channel block and pixel, in the order [channel block][pixel]. output may be the input. On an error nothing is written. Errors:
/// invalid_argument if channels or pixels is 0 or a span has the wrong size; tensor_overlap if the spans share memory but are not the same.
Status softmax_channels(std::span<const isa::mx::Block> input, std::size_t channels, std::size_t pixels, std::span<isa::mx::Block> output);

}  // namespace cox::kernels::mx
