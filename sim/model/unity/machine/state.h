// SPDX-License-Identifier: MIT
// What Unity units do, have done, and how a container ended.
#pragma once

#include <cstdint>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/sync.h"
#include "sim/model/unity/machine/timing.h"

namespace cox::model::unity {

/// A unit that waits for keys.
struct Waiting {
  unsigned unit = 0;
  std::uint32_t position = 0;  ///< packed isa::unity::Position of the instruction
  isa::unity::Key key;
  unsigned wanted = 0;
  std::uint16_t held = 0;  ///< keys in the entry

  bool operator==(const Waiting &) const = default;
};

/// How a container ended.
struct Outcome {
  /// The first fault by time, then by unit; deadlock if units wait for keys that cannot come. An entry of the container that cannot be set
  /// up has position 0.
  Status status;
  std::uint32_t position = 0;    ///< packed isa::unity::Position of the fault; of a deadlock: of the first unit that waits
  Cycle time = 0;                ///< of the fault, or of the end
  std::vector<Waiting> waiting;  ///< units that waited then, by number
};

/// What a unit has done since the container's start.
struct Counters {
  std::uint64_t instructions = 0;  ///< that have ended, END and EXIT not counted
  std::uint64_t busy = 0;          ///< cycles in which its lanes worked
  std::uint64_t waited = 0;        ///< cycles in which it waited for keys
  std::uint64_t macs = 0;
  std::uint64_t bytes = 0;  ///< to and from DRAM, operand tables included
};

}  // namespace cox::model::unity
