// SPDX-License-Identifier: MIT
// Functions that the device computes with a table (docs/isa/tile.md, Tables; docs/lowering.md, Tables).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/lower/network/network.h"

namespace cox::lower {

enum class TableFunction : std::uint8_t { sigmoid, tanh, gelu, silu };

/// The range of a table, and whether its outermost segments continue beyond it.
struct TableRange {
  double low = 0, high = 0;
  bool goes_on = false;
};

inline constexpr std::uint32_t kTableSegments = 256;
/// Bytes of a table in the weight image and in L2.
inline constexpr std::int64_t kTableBytes = 1088;
static_assert(kTableBytes >= (kTableSegments + 1) * 4 && kTableBytes % 64 == 0);

[[nodiscard]] TableRange range_of(TableFunction function);

/// Returns the function's values at the ends of all segments, computed in FP64 and rounded once.
[[nodiscard]] std::vector<float> entries_of(TableFunction function);

/// Returns the table function that a layer needs.
[[nodiscard]] std::optional<TableFunction> table_of(const Layer &layer);

/// Returns the table functions that a network needs, each once, in the order of their tables in memory.
[[nodiscard]] std::vector<TableFunction> tables_of(const Network &network);

}  // namespace cox::lower
