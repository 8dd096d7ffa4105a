// SPDX-License-Identifier: MIT
// What an instruction reads and writes, as the hazard detector sees it: bytes of memories, and the definitions of L2 regions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "isa/tile/operation.h"

namespace cox::model::hazard {

enum class Place : std::uint8_t {
  l2,
  wl0,
  dram,
  region,  ///< not bytes but what `ct_bc` defines: byte r stands for the definition of region r
};

/// `run` bytes from `first`, repeated count[i] times at stride[i].
struct Touch {
  Place place = Place::l2;
  std::uint8_t window = 0;  ///< DRAM alone: BAS. Windows do not overlap (the loader sees to it)
  bool write = false;
  std::int64_t first = 0;
  std::int64_t run = 0;
  std::array<std::int64_t, 3> count{1, 1, 1};
  std::array<std::int64_t, 3> stride{0, 0, 0};
  /// L2 alone: bytes at or past `wrap_end` are `wrap_bytes` lower (docs/isa/tile.md, L2). 0: no wrap.
  std::int64_t wrap_end = 0;
  std::int64_t wrap_bytes = 0;
};

/// An instruction with everything about it that does not depend on its dependency bits.
struct Step {
  isa::tile::MachineCode code{};
  std::vector<Touch> touches;
  isa::tile::Operation operation;
};

/// `configuration` is what holds when the instruction runs, the instruction itself included. Fields in range (isa/tile/check.h); otherwise
/// the Status of isa/tile/operation.h, or address_outside_cut where the region is none.
[[nodiscard]] Result<Step> make_step(const isa::tile::MachineCode &code, const isa::tile::Configuration &configuration);

}  // namespace cox::model::hazard
