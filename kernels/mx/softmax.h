// SPDX-License-Identifier: MIT
// Softmax of an MX9 tensor over its channels (docs/kernels/mx.md, softmax).
#pragma once

#include <cstddef>
#include <span>

#include "base/status.h"
#include "isa/numbers/mx9_block.h"
#include "kernels/mx/stream.h"
#include "kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// Softmax over the 16 elements of each block, by the engine: channels is a multiple of 16, each 16 of them a distribution of its own.
/// output may be the input. Any length. No scratch. Errors as eladd()'s.
Status softmax(Stream &stream, const Tensor &input, const Tensor &output);

/// Softmax over all `channels` of each pixel, any number of them, by the control core: maximum, exponentials
/// (isa/numbers/clamped_exponential.h) and their sum in the order of channels, quotients, all in FP32; then MX9. Elements past `channels`
/// become zero. Runs at once: the stream that made `input` has ended, and both are spans of the core's memory of blocks * plane blocks,
/// [channel block][pixel]. output may be the input. invalid_argument: channels or pixels 0, spans of another size. tensor_overlap: they
/// share memory otherwise. Nothing is written then.
Status softmax_channels(std::span<const isa::mx::Block> input, std::size_t channels, std::size_t pixels, std::span<isa::mx::Block> output);

}  // namespace cox::kernels::mx
