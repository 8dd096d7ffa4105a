// SPDX-License-Identifier: MIT
// A context: whose it is, what its instructions may touch in DRAM, and what of it is in flight (docs/design.md, Contexts). What else an
// engine keeps of a context is the engine's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/window.h"
#include "sim/model/geometry.h"

namespace cox::model {

/// DRAM that a base address register points at.
struct Window {
  std::uint64_t base = 0;  ///< bus address
  std::uint32_t size = 0;  ///< bytes; 0: closed
  bool readable = false, writable = false;
};

struct Context {
  bool valid = false;
  bool quarantined = false;
  Cycle quarantined_at = kNever;  ///< when it last came to be
  std::array<Window, kWindows> windows{};
  std::uint32_t owner = 0;
  /// The owner that last made it valid, until another owner takes its memories.
  std::optional<std::uint32_t> holder;
  /// How often another owner took its memories: instructions that started before that have no effect any more.
  std::uint32_t dispossessions = 0;
  std::uint32_t in_flight = 0;  ///< instructions, and streams of engines, that have started and not completed

  void dispossess() {
    valid = false;
    holder.reset();
    ++dispossessions;
  }
  void quarantine(Cycle now) {
    if (!quarantined) quarantined_at = now;
    quarantined = true;
  }
  /// The windows as engines check them: one that holds all of an access is enough.
  [[nodiscard]] std::array<isa::Window, kWindows> engine_windows() const {
    std::array<isa::Window, kWindows> result;
    for (unsigned i = 0; i < windows.size(); ++i) {
      result[i] = {windows[i].base, windows[i].size, windows[i].readable, windows[i].writable};
    }
    return result;
  }
};

}  // namespace cox::model
