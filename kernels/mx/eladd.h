// SPDX-License-Identifier: MIT
// Sum of two MX9 tensors, element by element (docs/kernels/mx.md, eladd).
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// output = input1 + input2, all of one shape; output may be one of the inputs. Tensors may have any length: each 2^18 blocks take one
/// instruction. No scratch is needed. Errors, after which the stream is unchanged: shape_mismatch, misaligned_address,
/// address_outside_window, tensor_overlap, no_room.
Status eladd(Stream &stream, const Tensor &input1, const Tensor &input2, const Tensor &output);

}  // namespace cox::kernels::mx
