// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/fast_vector.h"

#include <algorithm>
#include <vector>

#include "sim/model/tile/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/table.h"

namespace cox::model::arithmetic::fast {

using isa::tile::Vector;
using isa::tile::VectorFunction;

Preparation VectorCalculation::source() const {
  // pool() multiplies the elements of an average pool itself, because it multiplies the padding too.
  const bool multiply = operation.multiply_elements && operation.function != VectorFunction::average_pool;
  return {operation.dequantise, operation.source_scale, operation.source_zero_point, operation.dequantisation_rounding, multiply,
          scalars.multiplier};
}

Preparation VectorCalculation::source1() const {
  return {operation.dequantise, operation.source1_scale, operation.source1_zero_point, operation.dequantisation_rounding, false, 1};
}

std::int64_t VectorCalculation::pixels_of_a_chunk() const { return std::max<std::int64_t>(1, kChunk / operation.channels); }

void elementwise(const VectorCalculation &c) {
  const Vector &op = c.operation;
  const Broadcast tensor(op.source, c.memories.source, op.dimensions, op.channels, op.height, op.width, c.source(), ScratchUse::source);
  const Broadcast tensor1 = op.two_tensors ? Broadcast(op.source1, c.memories.source1, op.dimensions1, op.channels, op.height, op.width,
                                                       c.source1(), ScratchUse::source1)
                                           : Broadcast();
  const Output output(op, c.memories, c.scalars, op.channels, op.height, op.width, tensor.source(), tensor1.source());
  const std::vector<float> entries =
      op.function == VectorFunction::table ? table_entries(op.table, c.memories.table) : std::vector<float>();
  const std::int64_t most = c.pixels_of_a_chunk();
  float *values = scratch_values(ScratchUse::state, most * op.channels);
  float *values1 = scratch_values(ScratchUse::values, most * op.channels);
  for (std::int64_t h = 0; h < op.height; ++h) {
    for (std::int64_t w = 0; w < op.width; w += most) {
      const std::int64_t count = std::min<std::int64_t>(most, op.width - w);
      const std::int64_t elements = count * op.channels;
      tensor.load(c.kernels, h, w, count, values);
      Operand operand{nullptr, c.scalars.operand};
      if (op.two_tensors) {
        tensor1.load(c.kernels, h, w, count, values1);
        operand.values = values1;
      }
      if (op.function == VectorFunction::arithmetic) {
        c.kernels.arithmetic(operand, op.group, elements, values);
      } else if (op.function == VectorFunction::compare) {
        c.kernels.compare(operand, op.compare, elements, values);
      } else if (!entries.empty()) {
        c.kernels.table(segments_of(op.table, entries), elements, values);
      }
      output.store(c.kernels, values, h, w, count);
    }
  }
  output.commit();
}

void vector(const Vector &operation, const Memories &memories, const VectorKernels &kernels) {
  if (operation.channels == 0 || operation.height == 0 || operation.width == 0) return;
  const VectorCalculation calculation{operation, memories, kernels, VectorScalars(operation, memories)};
  if (operation.is_pool()) return pool(calculation);
  if (operation.is_resize()) return resize(calculation);
  if (operation.is_reduction()) return reduce(calculation);
  if (operation.function == VectorFunction::softmax || operation.function == VectorFunction::layer_norm) return normalise(calculation);
  elementwise(calculation);
}

}  // namespace cox::model::arithmetic::fast
