// SPDX-License-Identifier: MIT
// The fast path's versions of the look-up functions in table.h. They have no branches, and return the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "coxswain/isa/tile/operation.h"

namespace cox::model::arithmetic {

struct Segments {
  const float *entries = nullptr;  ///< count + 1 entries
  std::uint32_t count = 0;         ///< at least 1
  float low = 0, per_unit = 0;
  bool extrapolate = false;
};

[[nodiscard]] inline Segments segments_of(const isa::tile::Table &table, const std::vector<float> &entries) {
  return {entries.data(), table.segments, table.low, table.per_unit, table.extrapolate};
}

struct SegmentPlace {
  std::int32_t segment = 0;
  float fraction = 0;
};

// Always inlined, because these functions are compiled for several instruction sets. If a function were not inlined, the linker would keep
// only one of its versions.

[[gnu::always_inline]] inline SegmentPlace place_in(const Segments &table, float value) {
  const float offset = value - table.low;
  const float place = offset * table.per_unit;
  const auto last = static_cast<float>(static_cast<std::int32_t>(table.count) - 1);
  float segment = __builtin_floorf(place);
  segment = segment > 0.0F ? segment : 0.0F;  // a NaN gives segment 0; `fraction` is then the NaN
  segment = segment < last ? segment : last;
  float fraction = place - segment;
  if (!table.extrapolate) {
    fraction = fraction < 0.0F ? 0.0F : fraction;
    fraction = fraction > 1.0F ? 1.0F : fraction;
  }
  return {static_cast<std::int32_t>(segment), fraction};
}

[[gnu::always_inline]] inline float value_at(const float *entries, const SegmentPlace &place) {
  const float *entry = entries + place.segment;
  const float difference = entry[1] - entry[0];
  const float rise = place.fraction * difference;
  return entry[0] + rise;
}

/// Evaluates the table's function at `value`.
[[gnu::always_inline]] inline float look_up(const Segments &table, float value) { return value_at(table.entries, place_in(table, value)); }

}  // namespace cox::model::arithmetic
