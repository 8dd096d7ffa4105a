// SPDX-License-Identifier: MIT
// Numbers of the device that all engines share. Each engine derives its own geometry from this one (docs/model.md, Geometry).
#pragma once

#include <cstdint>

#include "coxswain/device/npu_registers.h"

namespace cox::model {

/// Device time: cycles since power-on, at 1 GHz.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = UINT64_MAX;

// Limits of the register file.
inline constexpr unsigned kMostCores = registers::core::kCount;
inline constexpr unsigned kMostContexts = registers::context::kCount;
inline constexpr unsigned kWindows = registers::context::window::kCount;
inline constexpr std::uint32_t kSlotBytes = 32;
inline constexpr std::uint32_t kCompletionBytes = 16;

struct Geometry {
  std::uint32_t contexts = 16;                       ///< 1 to 16
  std::uint32_t queue_size_log2_max = 12;            ///< 1 to 12
  std::uint32_t doorbell_latency = 50;               ///< cycles from the doorbell to the earliest start
  std::uint32_t interrupt_latency = 24;              ///< cycles from the end of an instruction to the interrupt line
  std::uint32_t dram_bytes_per_1024_cycles = 17589;  ///< of all movers together: 17.18 bytes a cycle
  std::uint32_t dma_setup_cycles = 60;               ///< the DMA engine reads a descriptor, and the first bytes are on their way
  std::uint32_t dma_bytes_per_cycle = 8;             ///< largest speed of a channel of the DMA engine
};

}  // namespace cox::model
