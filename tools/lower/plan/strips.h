// SPDX-License-Identifier: MIT
// Layers of which not all lies in L2 at once, maps or what is computed on the way: they are done strip by strip (docs/lowering.md, Maps in
// DRAM).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/lower/plan/plan.h"

namespace cox::lower {

/// Of each slot: `rows` rows of `channels` channels of a map.
struct StripBuffer {
  std::size_t map = 0;
  std::uint32_t channels = 0, rows = 0;
  std::int64_t offset = 0;  ///< bytes, from the slot's beginning
};

struct StripLayout {
  std::uint32_t rows = 1;      ///< of the output, of each strip but the last; 1 where strips are of channels
  std::uint32_t channels = 0;  ///< of the input, of each strip but the last; 0: strips are of rows
  unsigned slots = 1;          ///< that take turns: while one is worked on, the next is loaded
  std::int64_t slot_bytes = 0;
  std::vector<StripBuffer> buffers;  ///< of the maps in DRAM
  std::int64_t temporary = 0;        ///< bytes, from the slot's beginning: the input as FP32, of a layer norm with gamma and beta

  [[nodiscard]] std::int64_t bytes() const { return slots * slot_bytes; }
};

/// As many rows as plan.strip_bytes hold, and one at least; of a global pool, which wants all rows, as many channels. None where all of
/// the layer's maps lie in L2, and nothing else is wanted there.
[[nodiscard]] std::optional<StripLayout> strips_of(const Network &network, const Plan &plan, std::size_t layer);

}  // namespace cox::lower
