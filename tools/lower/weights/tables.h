// SPDX-License-Identifier: MIT
// Functions that the device computes by a table (docs/isa/tile.md, Tables; docs/lowering.md, Tables).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/lower/network/network.h"

namespace cox::lower {

enum class TableFunction : std::uint8_t { sigmoid, tanh, gelu, silu };

/// Where the table begins and ends, and whether its outermost segments go on beyond.
struct TableRange {
  double low = 0, high = 0;
  bool goes_on = false;
};

inline constexpr std::uint32_t kTableSegments = 256;
/// Of the place of a table in the weight image and in L2.
inline constexpr std::int64_t kTableBytes = 1088;
static_assert(kTableBytes >= (kTableSegments + 1) * 4 && kTableBytes % 64 == 0);

[[nodiscard]] TableRange range_of(TableFunction function);

/// The function at the ends of all segments: computed in FP64, rounded once.
[[nodiscard]] std::vector<float> entries_of(TableFunction function);

/// The one that a layer needs.
[[nodiscard]] std::optional<TableFunction> table_of(const Layer &layer);

/// Those that a network needs, each once; in this order their tables lie one behind the other.
[[nodiscard]] std::vector<TableFunction> tables_of(const Network &network);

}  // namespace cox::lower
