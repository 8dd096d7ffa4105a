// SPDX-License-Identifier: MIT
// The common part of the element-wise kernels: tensors of one shape with any number of blocks. Internal to the kernels.
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/isa/mx/operation.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// output = function(input), both of one shape. Only the function `scale` uses `immediate`. Errors: those of eladd().
Status append_one_tensor(Stream &stream, isa::mx::ElementwiseFunction function, const Tensor &input, const Tensor &output,
                         std::uint16_t immediate = 0);

/// output = function(input1, input2), all of one shape.
Status append_two_tensors(Stream &stream, isa::mx::ElementwiseFunction function, const Tensor &input1, const Tensor &input2,
                          const Tensor &output);

}  // namespace cox::kernels::mx
