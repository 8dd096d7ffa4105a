// SPDX-License-Identifier: MIT
// Valid tasks, at random: all classes, functions and formats, small shapes, one to four cores that exchange, cuts that change inside a
// task.
#pragma once

#include <map>
#include <string>

#include "tests/firmware/random_tasks/graph.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

struct RandomTask {
  TaskText text;
  Graph graph;  ///< in which text.code came to be
  /// Windows' contents before the task runs.
  std::array<std::vector<std::uint8_t>, isa::tile::kWindows> contents;
};

/// L2 of the device that the tasks are for, of each core: so small that cuts meet its ends.
inline constexpr std::uint32_t kRandomL2Bytes = 1U << 20;

/// A task for 1 to `most_cores` cores. `functions` counts what its instructions do: opcodes, and for some a function or format beside it.
RandomTask make_random_task(Random &random, unsigned most_cores, std::map<std::string, unsigned> &functions);

}  // namespace cox::tests
