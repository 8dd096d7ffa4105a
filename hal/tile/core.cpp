// SPDX-License-Identifier: MIT
#include "coxswain/hal/tile/core.h"

#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::hal::tile {
namespace {

// Checks that the instruction set and the registers agree about the cores and their queues.
static_assert(registers::core::sq::kCount == isa::tile::kClasses && registers::core::kCount == isa::tile::kMostCores);
static_assert(registers::core::kCount <= 4 && registers::engine_reset::kCore.width >= registers::core::kCount);
static_assert(registers::cq::kCount >= registers::core::kCount);

bool is_core(const Geometry &geometry, unsigned core) { return core < geometry.cores && core < registers::core::kCount; }

}  // namespace

Status reset_core(const Geometry &geometry, unsigned core) {
  if (!is_core(geometry, core)) return Status(ErrorCode::invalid_argument, "core", -1, core, geometry.cores);
  mmio::write(COX_NPU->ENGINE_RESET, registers::engine_reset::kCore.put(1U << core));
  unsigned queue = 0;
  for (unsigned poll = 0; poll < kResetPolls; ++poll) {
    const std::uint32_t status = mmio::read(COX_NPU->CORE[core].SQ[queue].STATUS);
    if (status != 0) continue;
    if (++queue == isa::tile::kClasses) return Status();
  }
  return Status(ErrorCode::timeout, "SQ.STATUS", static_cast<std::int32_t>(queue), kResetPolls, kResetPolls);
}

Status set_core_clocks(const Geometry &geometry, std::uint32_t cores) {
  const std::uint32_t existing = (1U << geometry.cores) - 1;
  if ((cores & ~existing) != 0) return Status(ErrorCode::invalid_argument, "cores", -1, cores, existing);
  const std::uint32_t engines = mmio::read(COX_NPU->CLOCK_ENABLE) & registers::clock_enable::kEngine.mask();
  mmio::write(COX_NPU->CLOCK_ENABLE, engines | registers::clock_enable::kCore.put(cores));
  return Status();
}

Result<std::uint64_t> clocked_cycles(const Geometry &geometry, unsigned core) {
  if (!is_core(geometry, core)) return Status(ErrorCode::invalid_argument, "core", -1, core, geometry.cores);
  return mmio::read_counter(COX_NPU->CORE_CLOCK[core].CYCLES_LO, COX_NPU->CORE_CLOCK[core].CYCLES_HI);
}

Result<QueueCounters> read_counters(const Geometry &geometry, unsigned core, isa::tile::Class queue) {
  if (!is_core(geometry, core)) return Status(ErrorCode::invalid_argument, "core", -1, core, geometry.cores);
  const auto index = static_cast<unsigned>(queue);
  if (index >= isa::tile::kClasses) return Status(ErrorCode::invalid_argument, "queue", -1, index, isa::tile::kClasses);
  const NPU_CORE_SQ_Type &registers = COX_NPU->CORE[core].SQ[index];
  QueueCounters counters;
  counters.instructions = mmio::read_counter(registers.INSTRUCTIONS_LO, registers.INSTRUCTIONS_HI);
  counters.busy_cycles = mmio::read_counter(registers.BUSY_LO, registers.BUSY_HI);
  counters.stalled_cycles = mmio::read_counter(registers.STALLED_LO, registers.STALLED_HI);
  counters.bytes = mmio::read_counter(registers.BYTES_LO, registers.BYTES_HI);
  return counters;
}

}  // namespace cox::hal::tile
