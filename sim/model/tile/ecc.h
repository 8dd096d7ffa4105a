// SPDX-License-Identifier: MIT
// The operands of a tile instruction and ECC (docs/model.md, ECC).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/tile/operation.h"
#include "sim/model/faults/memory_errors.h"

namespace cox::model {

/// What an instruction touches, in the device.
struct Touched {
  isa::tile::Footprint footprint;
  std::array<isa::tile::Region, 5> regions{};  ///< of each access in L2, as it was when the instruction started
  std::uint64_t window = 0;                    ///< bus address of the one in DRAM
  unsigned core = 0, remote_core = 0;
};

/// It reads its sources: the address of the first word that cannot be corrected, of the first access that has one.
[[nodiscard]] std::optional<std::uint64_t> read_sources(const Touched &touched, faults::MemoryErrors &memory);

/// It has written its destinations.
void write_destinations(const Touched &touched, faults::MemoryErrors &memory);

}  // namespace cox::model
