// SPDX-License-Identifier: MIT
// Which rows and columns of the source those of a resized map look at.
#pragma once

#include <cstdint>

#include "tools/lower/network/network.h"

namespace cox::lower {

/// Along one dimension: NUM, DEN and OFFSET (docs/arithmetic.md, Resize).
struct Fraction {
  std::int64_t numerator = 0, denominator = 1, offset = 0;
};

/// From an extent of `source` to one of `output`.
[[nodiscard]] Fraction fraction_of(const Layer &layer, std::int64_t source, std::int64_t output);

}  // namespace cox::lower
