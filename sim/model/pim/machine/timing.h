// SPDX-License-Identifier: MIT
// The numbers of the PIM engine's timing (docs/pim.md, Timing). Widths of local memories are in isa::pim::Configuration. Timing never
// changes the results of programs without races.
#pragma once

#include <cstdint>

namespace cox::model::pim {

/// Device time in cycles.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = UINT64_MAX;

struct Timing {
  std::uint32_t decode_cycles = 1;  ///< from the start of a core to the issue of its first instruction

  // pim-compute.
  std::uint32_t compute_pipeline = 5;             ///< cycles from the last bit of the inputs to the output registers
  std::uint32_t bit_sparse_pipeline = 6;          ///< the same with bit_sparse
  std::uint32_t value_sparse_group_pipeline = 1;  ///< additional cycles for each group with value_sparse

  std::uint32_t simd_lanes = 32;  ///< elements in a cycle; at least 1

  // DRAM. All cores share one bus.
  std::uint32_t dram_latency = 60;           ///< cycles before the first byte
  std::uint32_t dram_bytes_per_cycle = 16;   ///< at least 1
  std::uint32_t array_latency = 2;           ///< of a trans between the array and a local memory: cycles before the first byte
  std::uint32_t array_bytes_per_cycle = 16;  ///< of a trans between the array and a local memory; at least 1

  // Network: a mesh whose cores are numbered row by row.
  std::uint32_t mesh_width = 8;        ///< cores in a row; at least 1
  std::uint32_t hop_cycles = 2;        ///< from a core to its neighbour
  std::uint32_t handshake_cycles = 4;  ///< from the moment when both sides are there to the first flit
  std::uint32_t flit_bytes = 16;       ///< of a message in a cycle; at least 1

  /// Cycles after which a program that still runs is stopped with time_limit, whatever its header says.
  Cycle time_limit = 1'000'000'000;

  /// For tests: if not 0, each duration is longer by a pseudo-random number of cycles, at most `jitter_cycles`. The same seed gives the
  /// same cycles.
  std::uint64_t jitter_seed = 0;
  std::uint32_t jitter_cycles = 50;
};

}  // namespace cox::model::pim
