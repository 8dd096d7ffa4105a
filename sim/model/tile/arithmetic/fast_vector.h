// SPDX-License-Identifier: MIT
// The fast path of vector operations, a function for each family. `values` have passed the function when they reach the output.
#pragma once

#include "sim/model/tile/arithmetic/vector_tensor.h"

namespace cox::model::arithmetic::fast {

struct VectorCalculation {
  const isa::tile::Vector &operation;
  const Memories &memories;
  const VectorKernels &kernels;
  VectorScalars scalars;

  /// How elements of the tensor at STaddr, and of the one at STaddr1, become numbers.
  [[nodiscard]] Preparation source() const;
  [[nodiscard]] Preparation source1() const;
  /// Whole pixels of all channels of which a chunk has room for, at least one.
  [[nodiscard]] std::int64_t pixels_of_a_chunk() const;
};

void elementwise(const VectorCalculation &calculation);  ///< copy, arithmetic, compare, table
void pool(const VectorCalculation &calculation);
void resize(const VectorCalculation &calculation);
void reduce(const VectorCalculation &calculation);
void normalise(const VectorCalculation &calculation);  ///< softmax, layer norm

/// Sums of `runs` runs, each `length` values, one after another; each begins with what its sum holds.
void sum_runs(const float *values, std::int64_t runs, std::int64_t length, float *sums);
/// Adds value i to lane (first + i) mod 8.
void sum_lanes(const float *values, std::int64_t count, std::int64_t first, float *lanes);
/// Of the eight lanes, `step` apart.
[[nodiscard]] float sum_of_lanes(const float *lanes, std::int64_t step);

}  // namespace cox::model::arithmetic::fast
