// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/sigmoid.h"

#include "coxswain/kernels/mx/elementwise.h"

namespace cox::kernels::mx {

Status sigmoid(Stream &stream, const Tensor &input, const Tensor &output) {
  return append_one_tensor(stream, isa::mx::ElementwiseFunction::sigmoid, input, output);
}

}  // namespace cox::kernels::mx
