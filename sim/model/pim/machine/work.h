// SPDX-License-Identifier: MIT
// What an operation costs: the unit that runs it, the memories that it uses, cycles, bytes and products (docs/pim.md, Timing).
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/pim/operation.h"
#include "sim/model/pim/machine/counters.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

/// A set of the memories of a core: bit i is local memory i, and bit kArrayBit is the array.
using MemorySet = std::uint32_t;
inline constexpr unsigned kArrayBit = isa::pim::kMostMemories;
inline constexpr unsigned kUsedMemories = kArrayBit + 1;
[[nodiscard]] constexpr MemorySet memory_bit(isa::pim::Place place) {
  if (place.is_local()) return MemorySet{1} << place.space;
  return place.is_array() ? MemorySet{1} << kArrayBit : 0;
}

struct Work {
  Unit unit = Unit::scalar;
  Cycle cycles = 1;     ///< from issue to end. For a compute: of the tables. For DRAM: without latency and transfer
  bool drains = false;  ///< waits until all earlier instructions of the core have ended
  MemorySet reads = 0, writes = 0;
  std::array<std::uint64_t, kUsedMemories> read{}, written{};  ///< bytes

  // pim-compute: `steps` times `step_reads` cycles to read, beside `step_cycles` to compute; then `pipeline`.
  std::uint32_t steps = 0;
  Cycle step_reads = 0, step_cycles = 0, pipeline = 0;
  std::uint64_t macs = 0, mac_bits = 0;

  std::uint64_t elements = 0;                     ///< of the output of SIMD; results of pim-output and pim-transfer
  std::uint64_t dram_read = 0, dram_written = 0;  ///< bytes

  [[nodiscard]] std::uint64_t dram_bytes() const { return dram_read + dram_written; }
};

/// The work of an operation that resolve() returned. Reads masks and tables.
[[nodiscard]] Work work_of(const isa::pim::Operation &operation, const isa::pim::Configuration &configuration, const Timing &timing,
                           const isa::pim::LocalMemory &memory);

}  // namespace cox::model::pim
