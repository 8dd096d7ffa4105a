// SPDX-License-Identifier: MIT
// Concatenation of MX9 maps along channels (docs/kernels/mx.md, concat).
#pragma once

#include <span>

#include "base/status.h"
#include "kernels/mx/stream.h"
#include "kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// Appends copies of the inputs, maps of one height and width, one behind the other to output. All inputs except the last have a multiple
/// of 16 channels. An input that already lies in its place costs nothing; its producer wrote to Tensor::slice() of the output. No scratch.
/// Errors as conv_act()'s.
Status concat(Stream &stream, std::span<const Tensor> inputs, const Tensor &output);

}  // namespace cox::kernels::mx
