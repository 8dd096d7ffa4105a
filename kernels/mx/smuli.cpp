// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/smuli.h"

#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/kernels/mx/elementwise.h"

namespace cox::kernels::mx {

Status smuli(Stream &stream, const Tensor &input, float factor, const Tensor &output) {
  return append_one_tensor(stream, isa::mx::ElementwiseFunction::scale, input, output, isa::numbers::bfloat16_from_float(factor));
}

}  // namespace cox::kernels::mx
