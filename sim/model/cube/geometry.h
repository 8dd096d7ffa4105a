// SPDX-License-Identifier: MIT
// Latencies, bandwidths and queue length of the matrix unit (docs/model.md, Geometry). The sizes of its buffers are in isa/cube/layout.h.
#pragma once

#include <cstdint>

#include "sim/model/geometry.h"
#include "sim/model/parameter.h"

namespace cox::model::cube {

struct Geometry : model::Geometry {
  std::uint32_t cube_dispatch_cycles = 2;         ///< cycles from the dispatch of a slot to that of the next, at least 1
  std::uint32_t cube_queue_slots = 64;            ///< number of slots that can wait for a pipe, 1 to 1024
  std::uint32_t cube_issue_cycles = 4;            ///< cycles that every slot spends in its pipe before its work begins
  std::uint32_t cube_dram_bytes_per_cycle = 128;  ///< bandwidth of the unit's own port, 1 to 1024
  std::uint32_t cube_dram_latency = 200;          ///< cycles from the end of a load's transfer until its bytes are in L1
  std::uint32_t cube_l1_bytes_per_cycle = 256;    ///< bytes that MTE1 moves in a cycle, 1 to 4096
  std::uint32_t cube_out_bytes_per_cycle = 256;   ///< bytes of accumulators that FIX reads in a cycle, 1 to 4096
  std::uint32_t cube_clear_cycles = 4096;         ///< cycles for clearing the buffers before a stream of another context or owner
};

inline constexpr ParameterField<Geometry> kParameters[] = {
    {{"cube_dispatch_cycles", 1, kMostCycles}, &Geometry::cube_dispatch_cycles},
    {{"cube_queue_slots", 1, 1024}, &Geometry::cube_queue_slots},
    {{"cube_issue_cycles", 0, kMostCycles}, &Geometry::cube_issue_cycles},
    {{"cube_dram_bytes_per_cycle", 1, 1024}, &Geometry::cube_dram_bytes_per_cycle},
    {{"cube_dram_latency", 0, kMostCycles}, &Geometry::cube_dram_latency},
    {{"cube_l1_bytes_per_cycle", 1, 4096}, &Geometry::cube_l1_bytes_per_cycle},
    {{"cube_out_bytes_per_cycle", 1, 4096}, &Geometry::cube_out_bytes_per_cycle},
    {{"cube_clear_cycles", 0, kMostCycles}, &Geometry::cube_clear_cycles},
};

}  // namespace cox::model::cube
