// SPDX-License-Identifier: MIT
// The fast path of vector operations, with a function for each family. Each function computes its values and passes them to the output.
#pragma once

#include "sim/model/tile/arithmetic/vector_tensor.h"

namespace cox::model::arithmetic::fast {

struct VectorCalculation {
  const isa::tile::Vector &operation;
  const Memories &memories;
  const VectorKernels &kernels;
  VectorScalars scalars;

  /// How elements of the tensors at STaddr (source) and STaddr1 (source1) become numbers.
  [[nodiscard]] Preparation source() const;
  [[nodiscard]] Preparation source1() const;
  /// Number of pixels, each with all its channels, that fit into a chunk; at least 1.
  [[nodiscard]] std::int64_t pixels_of_a_chunk() const;
};

void elementwise(const VectorCalculation &calculation);  ///< for copy, arithmetic, compare and table
void pool(const VectorCalculation &calculation);
void resize(const VectorCalculation &calculation);
void reduce(const VectorCalculation &calculation);
void normalise(const VectorCalculation &calculation);  ///< softmax, layer norm

/// `values` has `runs` runs of `length` values. Adds the values of run i to sums[i], one after another.
void sum_runs(const float *values, std::int64_t runs, std::int64_t length, float *sums);
/// Adds value i to lane (first + i) mod 8 of `lanes`.
void sum_lanes(const float *values, std::int64_t count, std::int64_t first, float *lanes);
/// The sum of the eight lanes, which are `step` apart.
[[nodiscard]] float sum_of_lanes(const float *lanes, std::int64_t step);

}  // namespace cox::model::arithmetic::fast
