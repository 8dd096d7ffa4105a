// SPDX-License-Identifier: MIT
// Concatenation of MX9 maps along channels (docs/kernels/mx.md, concat).
#pragma once

#include <span>

#include "base/status.h"
#include "kernels/mx/stream.h"
#include "kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// Copies the inputs, maps of one height and width, one behind the other to output. Channels of all inputs but the last are multiples
/// of 16. An input that lies already where it belongs (its producer wrote to Tensor::slice() of the output) costs nothing. No scratch.
/// Errors as conv_act()'s.
Status concat(Stream &stream, std::span<const Tensor> inputs, const Tensor &output);

}  // namespace cox::kernels::mx
