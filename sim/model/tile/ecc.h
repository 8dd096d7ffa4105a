// SPDX-License-Identifier: MIT
// ECC for the operands of a tile instruction (docs/model.md, ECC).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/faults/memory_errors.h"

namespace cox::model {

/// The memory that an instruction touches in the device.
struct Touched {
  isa::tile::Footprint footprint;
  /// If footprint.accesses[i] is to the core's own L2, regions[i] is the region that it names, as defined when the instruction started.
  std::array<isa::tile::Region, 5> regions{};
  std::uint64_t window = 0;  ///< bus address of the DRAM window that the instruction accesses, if it accesses one
  unsigned core = 0, remote_core = 0;
};

/// Call when the instruction reads its sources. Corrects words with one flipped bit, access by access. Returns the address of the first
/// uncorrectable word that it finds.
[[nodiscard]] std::optional<std::uint64_t> read_sources(const Touched &touched, faults::MemoryErrors &memory);

/// Call when the instruction has written its destinations. Forgets the flipped bits of words that it has overwritten completely.
void write_destinations(const Touched &touched, faults::MemoryErrors &memory);

}  // namespace cox::model
