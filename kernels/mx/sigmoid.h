// SPDX-License-Identifier: MIT
// Sigmoid of an MX9 tensor (docs/kernels/mx.md, sigmoid).
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// output = 1 / (1 + exp(-input)), both of one shape; output may be the input. Tensors may have any length. No scratch is needed. Errors:
/// those of eladd().
Status sigmoid(Stream &stream, const Tensor &input, const Tensor &output);

}  // namespace cox::kernels::mx
