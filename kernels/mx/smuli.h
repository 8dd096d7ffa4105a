// SPDX-License-Identifier: MIT
// Product of an MX9 tensor and a number (docs/kernels/mx.md, smuli).
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// output = input * factor, both of one shape; output may be the input. `factor` is rounded to BF16, half to even (isa/numbers/bfloat16.h).
/// Tensors may have any length. No scratch is needed. Errors: those of eladd().
Status smuli(Stream &stream, const Tensor &input, float factor, const Tensor &output);

}  // namespace cox::kernels::mx
