// SPDX-License-Identifier: MIT
// Projection of INT8 weights to those that one or two columns of a bit-sparse array can hold (docs/kernels/pim.md, Bit-sparse weights).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/numbers/csd.h"

namespace cox::kernels::pim {

/// What a projection changes.
struct ProjectionError {
  std::uint32_t weights = 0;         ///< number of weights
  std::uint32_t changed = 0;         ///< weights that change
  std::uint32_t largest = 0;         ///< largest magnitude of a change
  std::uint64_t squares = 0;         ///< sum of the squares of the changes
  std::uint64_t weight_squares = 0;  ///< sum of the squares of the weights

  /// Mean square of the changes in units of 2^-16.
  [[nodiscard]] constexpr std::uint64_t mean_square() const { return weights == 0 ? 0 : (squares << 16) / weights; }
  constexpr void add(std::int32_t weight, std::int32_t projected) {
    const std::int32_t change = projected - weight;
    const auto magnitude = static_cast<std::uint32_t>(change < 0 ? -change : change);
    ++weights;
    changed += magnitude != 0 ? 1 : 0;
    if (magnitude > largest) largest = magnitude;
    squares += std::uint64_t{magnitude} * magnitude;
    weight_squares += static_cast<std::uint64_t>(std::int64_t{weight} * weight);
  }
  /// Adds what the projection of other weights changes.
  constexpr void add(const ProjectionError &other) {
    weights += other.weights;
    changed += other.changed;
    if (other.largest > largest) largest = other.largest;
    squares += other.squares;
    weight_squares += other.weight_squares;
  }
};

/// Returns what the projection to `threshold` columns, 1 or 2, would change.
[[nodiscard]] constexpr ProjectionError projection_error(std::span<const std::int8_t> weights, std::uint32_t threshold) {
  ProjectionError error;
  for (const std::int8_t weight : weights) error.add(weight, isa::numbers::nearest_weight(weight, threshold));
  return error;
}

/// Returns column `column` of a weight's projection to `threshold` columns.
[[nodiscard]] constexpr isa::numbers::SignedPair column_of(std::int32_t weight, std::uint32_t threshold, std::uint32_t column) {
  return threshold == 1 ? isa::numbers::one_column(weight) : isa::numbers::two_columns(weight)[column];
}

}  // namespace cox::kernels::pim
