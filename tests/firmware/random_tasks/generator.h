// SPDX-License-Identifier: MIT
// Makes random valid tasks. They have all classes, functions and formats, small shapes, and one to four cores that exchange data. A task
// may define the same region of L2 several times (ct_bc).
#pragma once

#include <map>
#include <string>

#include "tests/firmware/random_tasks/graph.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

struct RandomTask {
  TaskText text;
  Graph graph;  ///< the graph in which text.code was built
  /// Contents of the windows before the task runs.
  std::array<std::vector<std::uint8_t>, isa::tile::kWindows> contents;
};

/// Bytes of L2 of each core of the device that runs the tasks. L2 is small so that regions reach its end.
inline constexpr std::uint32_t kRandomL2Bytes = 1U << 20;
inline constexpr std::uint32_t kRandomWl0Units = 12'288;
inline constexpr std::uint32_t kRandomWl0Bytes = kRandomWl0Units * isa::tile::kWeightUnitBytes;

/// Returns a random task for 1 to `most_cores` cores. `functions` counts the opcodes of its instructions, and for some opcodes also the
/// function or format.
RandomTask make_random_task(Random &random, unsigned most_cores, std::map<std::string, unsigned> &functions);

}  // namespace cox::tests
