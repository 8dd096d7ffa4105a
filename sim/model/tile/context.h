// SPDX-License-Identifier: MIT
// The state of a context in the tile cores: its buffers, and the configuration that its instructions have made (docs/design.md, Contexts).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/enumerations.h"
#include "sim/model/tile/geometry.h"
#include "sim/model/tile/scrubber.h"

namespace cox::model {

/// The state of a context in one tile core.
struct Bank {
  isa::tile::Configuration configuration;
  std::array<float, isa::tile::kScalarRegisters> scalars{};
  /// For each class, the number that its next instruction gets, counted from the context's reset.
  std::array<std::uint32_t, isa::tile::kClasses> ordinal{};
};

/// The memories and cores that a context took when it became valid.
struct Holding {
  std::uint32_t owner = 0;
  BufferRange blocks, units;
  std::uint32_t first_core = 0, last_core = 0;

  [[nodiscard]] bool overlaps(const Holding &other) const {
    return BufferRange{first_core, last_core}.overlaps({other.first_core, other.last_core}) &&
           (blocks.overlaps(other.blocks) || units.overlaps(other.units));
  }
};

struct TileContext {
  std::uint32_t l2_first = 0, l2_last = 0;                                                                           ///< range of blocks
  std::uint32_t wl0_first = 0, wl0_last = registers::context::wl0::kLast.get(registers::context::wl0::kResetValue);  ///< range of units
  std::uint32_t first_core = 0, last_core = kMostCores - 1;  ///< numbers of cores of the device; first_core is the task's core 0
  std::array<Bank, kMostCores> banks{};
  std::optional<Holding> holding;
  Cycle clear_at = 0;  ///< time when other owners' data has been cleared from the memories of the context

  [[nodiscard]] Holding wanted(std::uint32_t owner) const {
    return {owner, {l2_first, l2_last}, {wl0_first, wl0_last}, first_core, last_core};
  }
};

}  // namespace cox::model
