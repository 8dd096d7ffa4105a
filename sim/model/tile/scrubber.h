// SPDX-License-Identifier: MIT
// Tracks which owner used each part of a tile core's buffers last, and clears parts for the next owner (docs/model.md, Owners).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coxswain/isa/tile/configuration.h"
#include "sim/model/tile/geometry.h"

namespace cox::model {

using isa::tile::BufferRange;

/// Clears parts of the L2 and WL0 of one tile core.
class Scrubber {
 public:
  static constexpr unsigned kOwnerNumbers = 1U << registers::context::owner::kNumber.width;
  enum class Buffer : std::uint8_t { l2, wl0 };
  /// Sets bytes to zero.
  using Clear = std::function<void(Buffer buffer, std::uint64_t first, std::uint64_t bytes)>;

  explicit Scrubber(const TileGeometry &geometry) : block_users_(geometry.l2_blocks(), kNobody), unit_users_(geometry.wl0_units, kNobody) {}

  /// Forgets all users.
  void reset();
  /// Makes `owner` the user of these blocks of L2 and units of WL0, and clears those that another owner used last. Ignores blocks and
  /// units that do not exist. Returns the time from which all blocks and units of the owner on this core are clear. The instructions of the
  /// owner's context must not start earlier.
  [[nodiscard]] Cycle take(unsigned owner, BufferRange blocks, BufferRange units, Cycle now, std::uint32_t bytes_per_cycle,
                           const Clear &clear);

 private:
  static constexpr std::uint16_t kNobody = kOwnerNumbers;

  // The last user of each block and unit.
  std::vector<std::uint16_t> block_users_, unit_users_;
  Cycle free_at_ = 0;
  /// For each owner, the time from which all its blocks and units are clear.
  std::array<Cycle, kOwnerNumbers> clear_at_{};
};

}  // namespace cox::model
