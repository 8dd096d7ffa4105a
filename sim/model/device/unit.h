// SPDX-License-Identifier: MIT
// A part of the device with a clock, a completion queue and a bit in ENGINE_RESET: a core, or an engine that has a ring.
#pragma once

#include <cstdint>

#include "sim/model/device/clock.h"
#include "sim/model/engine.h"

namespace cox::model {

struct Unit {
  unsigned number = 0;            ///< number of its completion queue
  Engine *engine = nullptr;       ///< the engine that the unit belongs to
  unsigned index = 0;             ///< number among the engine's units
  bool completion_level = false;  ///< true if the interrupt condition of its completion queue holds
  Clock clock{};
  std::uint64_t latched_cycles = 0;  ///< CORE_CLOCK at the last read of its low half

  [[nodiscard]] CompletionQueue &completions() const { return engine->completions(index); }
};

}  // namespace cox::model
