// SPDX-License-Identifier: MIT
// Named tasks of a hostile submitter (docs/testing.md).
#pragma once

#include <functional>
#include <vector>

#include "coxswain/base/status.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

/// L2 blocks and WL0 units of the neighbour, a task that runs beside the hostile task. hostile_base() uses only L2 blocks 0 to 7.
inline constexpr unsigned kNeighbourFirstBlock = 16, kNeighbourLastBlock = 19;
inline constexpr unsigned kNeighbourFirstUnit = 100, kNeighbourLastUnit = 115;

enum class Fate : std::uint8_t {
  refused,  ///< the loader refuses the task
  no_room,  ///< the task loads, but does not start beside the neighbour
  runs,     ///< the task starts and ends with `error`
};

struct HostileTask {
  const char *name;
  const char *aim;
  Fate fate;
  ErrorCode error;  ///< error of the refusal, or of the end of the run
  /// True: the task must also fault on the device when it is sent there without the verifier.
  bool direct;
  std::function<void(TaskText &)> change;          ///< changes hostile_base()
  std::function<void(Image &)> change_image = {};  ///< changes the bytes of the resulting image
};

/// A copy within window 0 (256 bytes, writable) through L2 blocks 0 to 7. Window 1 has 64 readable bytes.
TaskText hostile_base();

std::vector<HostileTask> hostile_tasks();

}  // namespace cox::tests
