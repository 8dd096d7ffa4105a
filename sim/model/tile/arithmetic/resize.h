// SPDX-License-Identifier: MIT
// The row or column of the source from which a resize takes an element (docs/arithmetic.md, Resize).
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/operation.h"

namespace cox::model::arithmetic {

struct Position {
  std::int64_t index = 0;  ///< row or column at or before the sampled position; may lie outside of the map
  float fraction = 0;      ///< distance from `index` to the sampled position, 0 to 1
};

/// Each output row (`axis` 0) or output column (`axis` 1) samples one position of the source. Returns this position for row or column
/// `number`.
[[nodiscard]] inline Position resize_position(const isa::tile::Vector &operation, unsigned axis, std::int64_t number) {
  const std::int64_t first = axis == 0 ? operation.first_row : operation.first_column;
  const std::int64_t unit = 2 * std::int64_t{operation.denominator[axis]};
  const std::int64_t place = 2 * (first + number) * operation.numerator[axis] + operation.offset[axis];
  std::int64_t index = place / unit;
  if (place % unit < 0) --index;
  return {index, static_cast<float>(place - index * unit) / static_cast<float>(unit)};
}

}  // namespace cox::model::arithmetic
