// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/isa/numbers/clamped_exponential.h"
#include "sim/model/mx/arithmetic/block_memory.h"
#include "sim/model/mx/arithmetic/reference.h"

namespace cox::model::mx::reference {
namespace {

using isa::mx::kBlockElements;

void softmax(Values &x) {
  const float largest = *std::max_element(x.begin(), x.end());
  float sum = 0.0F;
  for (float &value : x) {
    value = isa::numbers::clamped_exponential(value - largest);
    sum = sum + value;
  }
  for (float &value : x) value = value / sum;
}

}  // namespace

void elementwise(const isa::mx::Elementwise &op, const Operands &operands) {
  const float immediate = isa::numbers::bfloat16_to_float(op.immediate);
  for (std::uint64_t block = 0; block < op.blocks; ++block) {
    Values x = load_values(operands.input1, block);
    Values y{};
    if (operands.input2 != nullptr) y = load_values(operands.input2, block);
    switch (op.function) {
      case isa::mx::ElementwiseFunction::add:
        for (std::uint32_t i = 0; i < kBlockElements; ++i) x[i] = x[i] + y[i];
        break;
      case isa::mx::ElementwiseFunction::multiply:
        for (std::uint32_t i = 0; i < kBlockElements; ++i) x[i] = x[i] * y[i];
        break;
      case isa::mx::ElementwiseFunction::scale:
        for (float &value : x) value = value * immediate;
        break;
      case isa::mx::ElementwiseFunction::sigmoid:
        for (float &value : x) value = isa::numbers::sigmoid(value);
        break;
      case isa::mx::ElementwiseFunction::softmax: softmax(x); break;
    }
    store_values(x, operands.output1, block);
  }
}

}  // namespace cox::model::mx::reference
