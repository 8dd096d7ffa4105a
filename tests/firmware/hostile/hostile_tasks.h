// SPDX-License-Identifier: MIT
// Tasks that mean harm, by name (docs/testing.md).
#pragma once

#include <functional>
#include <vector>

#include "base/status.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

/// L2 blocks, and units of WL0, of the neighbour who runs beside: a hostile task that is well-behaved has blocks 0 to 7 and none of WL0.
inline constexpr unsigned kNeighbourFirstBlock = 16, kNeighbourLastBlock = 19;
inline constexpr unsigned kNeighbourFirstUnit = 100, kNeighbourLastUnit = 115;

enum class Fate : std::uint8_t {
  refused,  ///< by the loader
  no_room,  ///< loads, and is not started beside the neighbour
  runs,     ///< starts, and ends with `error`
};

struct HostileTask {
  const char *name;
  const char *aim;
  Fate fate;
  ErrorCode error;  ///< of the refusal, or of the run's end
  /// Sent to the device without asking the verifier it must fault there.
  bool direct;
  std::function<void(TaskText &)> change;          ///< of hostile_base()
  std::function<void(Image &)> change_image = {};  ///< of its bytes, behind that
};

/// A copy within window 0 (256 bytes, writable), through blocks 0 to 7; window 1 has 64 bytes to read.
TaskText hostile_base();

std::vector<HostileTask> hostile_tasks();

}  // namespace cox::tests
