// SPDX-License-Identifier: MIT
// ECC for the operands of a tile instruction (docs/model.md, ECC).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/tile/operation.h"
#include "sim/model/faults/memory_errors.h"

namespace cox::model {

/// The memory that an instruction touches in the device.
struct Touched {
  isa::tile::Footprint footprint;
  std::array<isa::tile::Region, 5> regions{};  ///< for each access in L2, its region at the start of the instruction
  std::uint64_t window = 0;                    ///< bus address of the window in which the access to DRAM lies
  unsigned core = 0, remote_core = 0;
};

/// Called when the instruction reads its sources. Returns the address of the first word that ECC cannot correct, in the first access with
/// such a word.
[[nodiscard]] std::optional<std::uint64_t> read_sources(const Touched &touched, faults::MemoryErrors &memory);

/// Called when the instruction has written its destinations.
void write_destinations(const Touched &touched, faults::MemoryErrors &memory);

}  // namespace cox::model
