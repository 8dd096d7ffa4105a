// SPDX-License-Identifier: MIT
// A context: its owner, its windows to DRAM, and how many of its instructions are in flight (docs/design.md, Contexts). Further state for a
// context is in the engines.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "coxswain/isa/window.h"
#include "sim/model/geometry.h"

namespace cox::model {

/// The part of DRAM that instructions reach through one base address register (BAS).
struct Window {
  std::uint64_t base = 0;  ///< bus address
  std::uint32_t size = 0;  ///< bytes; 0: closed
  bool readable = false, writable = false;
};

struct Context {
  bool valid = false;
  bool quarantined = false;
  Cycle quarantined_at = kNever;  ///< when the context was last quarantined
  std::array<Window, kWindows> windows{};
  std::uint32_t owner = 0;
  /// The owner that the context had when it last became valid. Empty if another owner has taken the context's memories since.
  std::optional<std::uint32_t> holder;
  /// How often another owner has taken the context's memories. An instruction has no effect if this number has changed since it started.
  std::uint32_t dispossessions = 0;
  std::uint32_t in_flight = 0;  ///< number of instructions, and of streams of engines, that have started and not completed

  void dispossess() {
    valid = false;
    holder.reset();
    ++dispossessions;
  }
  void quarantine(Cycle now) {
    if (!quarantined) quarantined_at = now;
    quarantined = true;
  }
  /// Returns the windows as isa::Window, the type that the checks of engines take.
  [[nodiscard]] std::array<isa::Window, kWindows> engine_windows() const {
    std::array<isa::Window, kWindows> result;
    for (unsigned i = 0; i < windows.size(); ++i) {
      result[i] = {windows[i].base, windows[i].size, windows[i].readable, windows[i].writable};
    }
    return result;
  }
};

}  // namespace cox::model
