// SPDX-License-Identifier: MIT
// Layers whose maps or intermediate results do not fit L2 at once. They run strip by strip (docs/lowering.md, Maps in DRAM).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/lower/plan/plan.h"

namespace cox::lower {

/// Part of a slot (StripLayout::slots): room for `rows` rows of `channels` channels of a map.
struct StripBuffer {
  std::size_t map = 0;
  std::uint32_t channels = 0, rows = 0;
  std::int64_t offset = 0;  ///< byte offset in the slot, the part of L2 that holds a strip
};

struct StripLayout {
  std::uint32_t rows = 1;      ///< rows of the output in each strip except the last; 1 if strips divide channels
  std::uint32_t channels = 0;  ///< channels of the input in each strip except the last; 0: strips divide rows
  unsigned slots = 1;          ///< slots that take turns: while the device works on one, it loads the next
  std::int64_t slot_bytes = 0;
  std::vector<StripBuffer> buffers;  ///< buffers for the maps in DRAM
  std::int64_t temporary = 0;        ///< byte offset of the intermediate map (intermediate_of)

  [[nodiscard]] std::int64_t bytes() const { return slots * slot_bytes; }
};

/// Returns the intermediate map that the layer needs in L2. For a layer norm with gamma and beta, this is the input as FP32. For a
/// concatenation, it is a transposed part of the output (transposed() in tools/lower/plan/joins.h).
[[nodiscard]] std::optional<FeatureMap> intermediate_of(const Network &network, const Layer &layer);

/// Returns strips that fit into plan.strip_bytes, if possible. A strip has at least one row. Strips of a global pool have all rows, but
/// only some channels. Returns nothing if all maps of the layer are in L2 and the layer has no intermediate map.
[[nodiscard]] std::optional<StripLayout> strips_of(const Network &network, const Plan &plan, std::size_t layer);

}  // namespace cox::lower
