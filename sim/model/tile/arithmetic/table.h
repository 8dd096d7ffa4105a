// SPDX-License-Identifier: MIT
// A function that is given by a table, with straight lines between the entries (docs/arithmetic.md, Tables).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/memory.h"

namespace cox::model::arithmetic {

/// Evaluates the table's function at `value`. `entries` has table.segments + 1 values. Built without contraction: each operation rounds on
/// its own.
[[nodiscard]] inline float look_up(const isa::tile::Table &table, const float *entries, float value) {
  const float offset = value - table.low;
  const float place = offset * table.per_unit;
  if (std::isnan(place)) return place;
  const auto last = static_cast<float>(table.segments - 1);
  float segment = std::floor(place);
  if (segment < 0) segment = 0;
  if (segment > last) segment = last;
  float fraction = place - segment;
  if (!table.extrapolate) {
    if (fraction < 0) fraction = 0;
    if (fraction > 1) fraction = 1;
  }
  const float *entry = entries + static_cast<std::uint32_t>(segment);
  const float difference = entry[1] - entry[0];
  const float rise = fraction * difference;
  return entry[0] + rise;
}

/// Reads all entries; the result is empty if there is no table.
[[nodiscard]] inline std::vector<float> table_entries(const isa::tile::Table &table, const Memory &memory) {
  if (table.segments == 0) return {};
  std::vector<float> entries(std::size_t{table.segments} + 1);
  memory.read(table.base, entries.data(), static_cast<std::int64_t>(entries.size() * sizeof(float)));
  return entries;
}

}  // namespace cox::model::arithmetic
