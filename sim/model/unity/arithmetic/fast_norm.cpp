// SPDX-License-Identifier: MIT
// LAYER_NORM of FP32.
#include <cmath>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/partial_sums.h"

namespace cox::model::unity::fast {

bool norm(const isa::unity::Norm &operation, Memory &memory, const Kernels &kernels) {
  const bool neighbours = operation.channels_last || operation.spatial == 1;
  if (operation.op != isa::unity::Opcode::LAYER_NORM || operation.source.unit != isa::unity::Unit::fp32 || !neighbours) return false;
  const auto *source = reinterpret_cast<const Float *>(read(memory, operation.source));
  const auto *weight = reinterpret_cast<const Float *>(read_optional(memory, operation.weight));
  const auto *bias = reinterpret_cast<const Float *>(read_optional(memory, operation.bias));
  auto *result = reinterpret_cast<Float *>(write(memory, operation.result));
  const std::uint64_t count = operation.channels;
  const auto divisor = static_cast<double>(count);
  for (std::uint64_t i = 0; i < operation.batches * operation.spatial; ++i, source += count, result += count) {
    PartialSums<double> sums, squares;
    kernels.real.sum(source, count, sums.data());
    const double mean = sums.total() / divisor;
    kernels.real.sum_squares(source, count, mean, squares.data());
    const double variance = squares.total() / divisor;
    const double factor = 1 / std::sqrt(variance + static_cast<double>(operation.epsilon));
    kernels.real.normalise(source, count, mean, factor, weight, bias, result);
  }
  return true;
}

}  // namespace cox::model::unity::fast
