// SPDX-License-Identifier: MIT
// A context: what the instructions of one task may touch, and what they have configured (docs/design.md, Contexts).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/mx/operation.h"
#include "isa/tile/configuration.h"
#include "isa/tile/enumerations.h"
#include "isa/window.h"
#include "sim/model/geometry.h"
#include "sim/model/tile/scrubber.h"

namespace cox::model {

/// DRAM that a base address register points at.
struct Window {
  std::uint64_t base = 0;  ///< bus address
  std::uint32_t size = 0;  ///< bytes; 0: closed
  bool readable = false, writable = false;
};

/// What a context has in one tile core.
struct Bank {
  isa::tile::Configuration configuration;
  std::array<float, isa::tile::kScalarRegisters> scalars{};
  /// Instructions of each class since the context's reset: the number of the next one.
  std::array<std::uint32_t, isa::tile::kClasses> ordinal{};
};

/// What a context has taken when it became valid.
struct Holding {
  std::uint32_t owner = 0;
  BufferRange blocks, units;
  std::uint32_t first_core = 0, last_core = 0;

  [[nodiscard]] bool overlaps(const Holding &other) const {
    return BufferRange{first_core, last_core}.overlaps({other.first_core, other.last_core}) &&
           (blocks.overlaps(other.blocks) || units.overlaps(other.units));
  }
};

struct Context {
  bool valid = false;
  bool quarantined = false;
  Cycle quarantined_at = kNever;                                        ///< when it last came to be
  std::uint32_t l2_first = 0, l2_last = 0;                              ///< blocks
  std::uint32_t wl0_first = 0, wl0_last = isa::tile::kWeightUnits - 1;  ///< units
  std::uint32_t first_core = 0, last_core = kMostCores - 1;             ///< of the device; the first is the task's core 0
  std::array<Window, isa::tile::kWindows> windows{};
  std::array<Bank, kMostCores> banks{};
  isa::mx::BaseRegisters mx_bases;
  std::uint32_t owner = 0;
  std::optional<Holding> holding;
  /// How often another owner took what it held: instructions that started before that have no effect any more.
  std::uint32_t dispossessions = 0;
  Cycle clear_at = 0;           ///< when what it may touch has been cleared of other owners' data
  std::uint32_t in_flight = 0;  ///< instructions, and streams of engines, that have started and not completed

  [[nodiscard]] Holding wanted() const { return {owner, {l2_first, l2_last}, {wl0_first, wl0_last}, first_core, last_core}; }
  void dispossess() {
    valid = false;
    holding.reset();
    ++dispossessions;
  }
  /// The earliest start of an instruction; one that has no effect need not wait.
  [[nodiscard]] Cycle start_at() const { return valid && !quarantined ? clear_at : 0; }

  void quarantine(Cycle now) {
    if (!quarantined) quarantined_at = now;
    quarantined = true;
  }
  /// The windows as engines check them: one that holds all of an access is enough.
  [[nodiscard]] std::array<isa::Window, isa::tile::kWindows> engine_windows() const {
    std::array<isa::Window, isa::tile::kWindows> result;
    for (unsigned i = 0; i < windows.size(); ++i) {
      result[i] = {windows[i].base, windows[i].size, windows[i].readable, windows[i].writable};
    }
    return result;
  }
};

}  // namespace cox::model
