// SPDX-License-Identifier: MIT
// The numbers of the Unity engine's timing (docs/model.md, The Unity units). Timing never changes the results of programs without hazards.
#pragma once

#include <cstdint>

namespace cox::model::unity {

/// Device time in cycles.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = UINT64_MAX;

struct Timing {
  std::uint32_t macs_per_cycle = 256;  ///< INT8 products of a unit in a cycle: lanes, each of which computes one element of the result
  std::uint32_t lanes = 32;            ///< elements of all other operations in a cycle
  std::uint32_t function_lanes = 4;    ///< elements of divisions, roots, exponentials and powers in a cycle

  // All units share the bus to DRAM.
  std::uint32_t dram_latency = 60;          ///< cycles before the first byte
  std::uint32_t dram_bytes_per_cycle = 16;  ///< at least 1

  /// Cycles after which a container that still runs is stopped, whatever its header says.
  Cycle time_limit = 1'000'000'000;

  /// For tests: if not 0, each duration is longer by a pseudo-random number of cycles, at most `jitter_cycles`. The same seed gives the
  /// same cycles.
  std::uint64_t jitter_seed = 0;
  std::uint32_t jitter_cycles = 500;
};

}  // namespace cox::model::unity
