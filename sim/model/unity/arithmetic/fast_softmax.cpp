// SPDX-License-Identifier: MIT
// SOFTMAX of FP32.
#include <vector>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/partial_sums.h"

namespace cox::model::unity::fast {

bool softmax(const isa::unity::Softmax &operation, Memory &memory, const Kernels &kernels) {
  if (operation.op != isa::unity::Opcode::SOFTMAX || operation.source.unit != isa::unity::Unit::fp32 || operation.inner != 1) return false;
  const auto *source = reinterpret_cast<const Float *>(read(memory, operation.source));
  auto *result = reinterpret_cast<Float *>(write(memory, operation.result));
  const std::uint64_t count = operation.extent;
  std::vector<double> exponentials(count);
  for (std::uint64_t o = 0; o < operation.outer; ++o, source += count, result += count) {
    const auto largest = static_cast<double>(kernels.real.extreme(source, count, true));
    PartialSums<double> sums;
    kernels.real.exponentials(source, count, largest, exponentials.data(), sums.data());
    kernels.real.scale(exponentials.data(), count, 1 / sums.total(), result);
  }
  return true;
}

}  // namespace cox::model::unity::fast
