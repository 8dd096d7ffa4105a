// SPDX-License-Identifier: MIT
// Concatenation of MX9 maps along channels (docs/kernels/mx.md, concat).
#pragma once

#include <span>

#include "coxswain/base/status.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// Appends the instructions that copy the inputs to output, one behind the other. All maps have the same height and width, and all inputs
/// except the last have a multiple of 16 channels. An input whose producer wrote directly to its Tensor::slice() of the output costs
/// nothing. No scratch is needed. Errors: those of conv_act().
Status concat(Stream &stream, std::span<const Tensor> inputs, const Tensor &output);

}  // namespace cox::kernels::mx
