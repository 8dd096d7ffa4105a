// SPDX-License-Identifier: MIT
// Rows and columns of the source that a resized map reads.
#pragma once

#include <cstdint>

#include "tools/lower/network/network.h"

namespace cox::lower {

/// NUM, DEN and OFFSET of one dimension (docs/arithmetic.md, Resize).
struct Fraction {
  std::int64_t numerator = 0, denominator = 1, offset = 0;
};

/// Returns NUM, DEN and OFFSET of one dimension for a resize from `source` to `output` pixels.
[[nodiscard]] Fraction fraction_of(const Layer &layer, std::int64_t source, std::int64_t output);

}  // namespace cox::lower
