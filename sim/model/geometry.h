// SPDX-License-Identifier: MIT
// Everything about the accelerator that is a number: what there is of it, and how long it takes (docs/model.md, Geometry).
#pragma once

#include <cstdint>

#include "device/npu_registers.h"
#include "isa/tile/configuration.h"

namespace cox::model {

/// Device time: cycles since power-on, at 1 GHz.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = UINT64_MAX;

// The register file has room for no more.
inline constexpr unsigned kMostCores = registers::core::kCount;
inline constexpr unsigned kMostContexts = registers::context::kCount;
static_assert(registers::context::window::kCount == isa::tile::kWindows);
inline constexpr std::uint32_t kSlotBytes = sizeof(isa::tile::MachineCode);
inline constexpr std::uint32_t kCompletionBytes = 16;

/// INT8 channels and kernels that one of the grid's elements takes in a cycle: 8 by 8 multiply-accumulates.
inline constexpr std::uint32_t kElementLanes = 8;

/// Multiply-accumulates of a lane of the MX engine in a cycle: 16 output channels by the 16 elements of a block.
inline constexpr std::uint32_t kLaneMacs = 16 * 16;

struct Geometry {
  // What there is. The registers report these.
  std::uint32_t tile_cores = 1;            ///< 1 to 4
  std::uint32_t contexts = 16;             ///< 1 to 16
  std::uint32_t l2_mib = 8;                ///< of a core, 1 to 8
  std::uint32_t pe_columns = 8;            ///< of the grid of processing elements: X, 1 to 8
  std::uint32_t pe_rows = 8;               ///< Y, 1 to 8
  std::uint32_t queue_size_log2_max = 12;  ///< 1 to 12

  // Latencies, in cycles.
  std::uint32_t doorbell_latency = 50;   ///< from the doorbell to the earliest start
  std::uint32_t interrupt_latency = 24;  ///< from the end to the interrupt line

  // Durations. The defaults are fitted to published traces of a taped-out chip (docs/model.md, Time).
  std::uint32_t configuration_cycles = 21;           ///< a `*_cfg`
  std::uint32_t control_cycles = 35;                 ///< a `ct_*`
  std::uint32_t load_setup_cycles = 21;              ///< LD and LW, before the first byte
  std::uint32_t store_setup_cycles = 30;             ///< ST, before the first byte
  std::uint32_t dram_bytes_per_1024_cycles = 17589;  ///< of all movers together: 17.18 bytes a cycle
  std::uint32_t l2_bytes_per_cycle = 256;            ///< `lw_mov` from L2, and `dt_cal` that copies
  std::uint32_t scrub_bytes_per_cycle = 256;         ///< clearing L2 and WL0 of a core for another owner
  std::uint32_t link_bytes_per_cycle = 64;           ///< between the L2 buffers of two cores
  std::uint32_t vector_setup_cycles = 38;            ///< a `vp_self` or `vp_pool`
  std::uint32_t vector_bytes_per_cycle = 32;         ///< of the wider of the formats of a pixel
  std::uint32_t pe_setup_cycles = 600;               ///< a `pe_conv`, filling and draining the grid
  std::uint32_t pe_outputs_per_1024_cycles = 27300;  ///< results that leave the grid: 26.7 a cycle
  std::uint32_t pe_weight_cycles_per_byte = 2;       ///< of an element's own weights, where they cannot be broadcast to a row of elements

  // The MX engine.
  std::uint32_t mx_lanes = 4;          ///< each 16 by 16 multiply-accumulates, or a block of an element-wise result, a cycle; 1 to 16
  std::uint32_t mx_buffer_kib = 512;   ///< reported alone: operands are fetched once an instruction whatever it is
  std::uint32_t mx_setup_cycles = 64;  ///< an instruction, before its first byte
  std::uint32_t mx_dram_bytes_per_cycle = 16;  ///< of the engine's own port, 1 to 1024

  // The matrix unit. What there is of it is in isa/cube/layout.h.
  std::uint32_t cube_dispatch_cycles = 2;         ///< from a slot to the next, 1 at least
  std::uint32_t cube_queue_slots = 64;            ///< that wait for a pipe, 1 to 1024
  std::uint32_t cube_issue_cycles = 4;            ///< of every slot in its pipe, before its work
  std::uint32_t cube_dram_bytes_per_cycle = 128;  ///< of the unit's own port, 1 to 1024
  std::uint32_t cube_dram_latency = 200;          ///< from the end of a load's transfer until its bytes are in L1
  std::uint32_t cube_l1_bytes_per_cycle = 256;    ///< MTE1, 1 to 4096
  std::uint32_t cube_out_bytes_per_cycle = 256;   ///< accumulators that FIX reads, 1 to 4096
  std::uint32_t cube_clear_cycles = 4096;         ///< before a stream of another context

  [[nodiscard]] std::uint32_t mx_macs_per_cycle() const { return mx_lanes * kLaneMacs; }
  [[nodiscard]] std::uint32_t macs_per_cycle() const { return pe_columns * pe_rows * kElementLanes * kElementLanes; }
  [[nodiscard]] std::uint64_t l2_bytes() const { return std::uint64_t{l2_mib} << 20; }
};

}  // namespace cox::model
