// SPDX-License-Identifier: MIT
// Random convolutions for kernels/pim, and their results by a loop over the definition.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "coxswain/kernels/pim/conv2d.h"
#include "coxswain/kernels/pim/pack_weights.h"
#include "tests/kernels/pim/pim_bench.h"

namespace cox::tests::pim {

struct Conv2dProblem {
  kernels::pim::Conv2dArguments arguments;
  std::vector<std::int8_t> input, weights;  ///< HWC and OHWI
  std::vector<std::int32_t> biases, multipliers;
  std::vector<std::int8_t> shifts;
  /// The name of the local memory that has the input; the output is then in `output`. nullptr: both are in DRAM.
  const char *input_memory = nullptr;

  /// Fills the tensors with random numbers, and the arguments' output sides.
  void fill(std::mt19937 &random);
  [[nodiscard]] kernels::pim::Weights packed_weights() const;
  [[nodiscard]] std::vector<std::int32_t> sums() const;
  [[nodiscard]] std::vector<std::int8_t> results() const;

  /// Packs the weights, runs the convolution on the bench and compares. Returns the cycles.
  std::uint64_t expect_equal(Bench &bench);
  /// As expect_equal(), with this mapping.
  std::uint64_t expect_equal(Bench &bench, const kernels::pim::Mapping &mapping);
  /// Changes the weights to those that the array holds: pruned or projected.
  void make_sparse(const isa::pim::Configuration &configuration);
};

/// A mapping whose filters have the columns that they need, even if two columns for all would take less time.
kernels::pim::Mapping side_by_side(kernels::pim::Mapping mapping, const isa::pim::Array &array, std::span<const std::uint8_t> thresholds);

}  // namespace cox::tests::pim
