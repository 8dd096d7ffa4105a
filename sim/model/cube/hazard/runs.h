// SPDX-License-Identifier: MIT
// Splits an access into as few runs of bytes as its pattern allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "coxswain/isa/cube/operation.h"

namespace cox::model::cube {

/// Returns an access to the same bytes in fewer runs: it joins runs that touch or repeat each other.
constexpr isa::cube::Access merged(isa::cube::Access access) {
  // Level 0 is tried twice, because joining level 1 makes runs longer, which may then touch at level 0.
  for (const unsigned level : {0U, 1U, 0U}) {
    if (access.count[level] > 1 && access.stride[level] > access.run) continue;
    access.run += (access.count[level] - 1) * access.stride[level];
    access.count[level] = 1;
  }
  return access;
}

/// Calls `visit(first, bytes)` for each run. Each run begins at a different byte.
template <typename Visit>
void for_each_run(const isa::cube::Access &access, const Visit &visit) {
  const isa::cube::Access pattern = merged(access);
  std::uint64_t rows = pattern.count[1], period = rows, longer = 0;
  if (pattern.count[0] > 1 && pattern.count[1] > 1) {
    // Level 0 has the runs of a row, level 1 has the rows. If a later row begins where a run of this row begins, or one run stride
    // after the last run, both are visited as one long row. No run is then visited twice.
    const std::uint64_t common = std::gcd(pattern.stride[0], pattern.stride[1]);
    const bool meet = pattern.count[0] >= pattern.stride[1] / common;
    if (meet) period = std::min(rows, pattern.stride[0] / common), longer = pattern.stride[1] / common;
  }
  for (std::uint64_t row = 0; row < period; ++row) {
    const std::uint64_t count = pattern.count[0] + longer * ((rows - 1 - row) / period);
    for (std::uint64_t i = 0; i < count; ++i) visit(pattern.start + row * pattern.stride[1] + i * pattern.stride[0], pattern.run);
  }
}

}  // namespace cox::model::cube
