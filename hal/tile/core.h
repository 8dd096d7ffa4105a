// SPDX-License-Identifier: MIT
// Tile cores: reset, clocks, the counters of their queues, and the numbers of these queues.
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/hal/device.h"
#include "coxswain/isa/tile/header.h"

namespace cox::hal::tile {

/// Stops core `core`, empties its submission and completion queues, and waits until all of them are idle, for at most kResetPolls reads of
/// a status register. Initialise the queues again afterwards. Contexts keep their configuration and quarantine. Errors: invalid_argument if
/// there is no such core; timeout if a queue (`index`) is still busy.
Status reset_core(const Geometry &geometry, unsigned core);

/// Gives the cores of `cores` (bit c is core c) their clock, and takes it from the others. Clocks of engines stay as they are. Without
/// its clock a core stands still, but its registers answer. Only one caller may write at a time. Error: invalid_argument for a core that
/// does not exist.
Status set_core_clocks(const Geometry &geometry, std::uint32_t cores);
/// Number of cycles that a core had its clock since power-on. Only one caller may read at a time, as with device_cycles(). Error:
/// invalid_argument if there is no such core.
Result<std::uint64_t> clocked_cycles(const Geometry &geometry, unsigned core);

/// A submission queue by its core and class. Completions and faults give both as one number.
struct QueuePlace {
  unsigned core;
  isa::tile::Class queue;
};
/// Converts a queue number, which must be below registers::kFirstEngineQueueNumber, to core and class.
[[nodiscard]] constexpr QueuePlace place_of(unsigned queue_number) {
  return {queue_number / isa::tile::kClasses, static_cast<isa::tile::Class>(queue_number % isa::tile::kClasses)};
}

/// Counters of a submission queue since its core was reset.
struct QueueCounters {
  std::uint64_t instructions = 0;
  std::uint64_t busy_cycles = 0;
  std::uint64_t stalled_cycles = 0;  ///< cycles in which the oldest instruction could not start or waited for bandwidth
  std::uint64_t bytes = 0;           ///< moved to or from DRAM
};
/// Reads the counters of a queue. Only one caller may read at a time, as with device_cycles(). Error: invalid_argument if there is no such
/// core or class.
Result<QueueCounters> read_counters(const Geometry &geometry, unsigned core, isa::tile::Class queue);

}  // namespace cox::hal::tile
