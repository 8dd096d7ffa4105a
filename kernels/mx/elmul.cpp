// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/elmul.h"

#include "coxswain/kernels/mx/elementwise.h"

namespace cox::kernels::mx {

Status elmul(Stream &stream, const Tensor &input1, const Tensor &input2, const Tensor &output) {
  return append_two_tensors(stream, isa::mx::ElementwiseFunction::multiply, input1, input2, output);
}

}  // namespace cox::kernels::mx
