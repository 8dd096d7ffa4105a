// SPDX-License-Identifier: MIT
#include "hal/device.h"

#include "device/engine_bits.h"
#include "device/engine_descriptor.h"
#include "device/npu.h"
#include "hal/barrier.h"
#include "hal/mmio.h"
#include "isa/cube/layout.h"

namespace cox::hal {
namespace {

// The instruction set and the registers describe the same queues.
static_assert(registers::core::sq::kCount == isa::tile::kClasses);
static_assert(registers::core::kCount <= 4 && registers::engine_reset::kCore.width >= registers::core::kCount);
static_assert(registers::cq::kCount >= registers::core::kCount);

constexpr std::uint32_t kMajorVersion = 1;
constexpr std::uint32_t kL2BlockBytes = 1024;  // ct_bc counts in blocks of it (docs/isa/tile.md, L2)
constexpr std::uint32_t kMaximumL2Mib = 8;     // as far as ct_bc can count
constexpr std::uint32_t kCutRegions = 16;      // four for each value of ct_bc's BCS

Status unknown(const char *what, std::uint32_t value, std::uint32_t known) {
  return Status(ErrorCode::unknown_device, what, -1, value, known);
}

bool is_core(const Geometry &geometry, unsigned core) { return core < geometry.tile_cores && core < registers::core::kCount; }

/// Kernels are compiled for buffers of these sizes (isa/cube/layout.h), so no others are known.
Status read_cube(Geometry &geometry) {
  const std::uint32_t geometry4 = mmio::read(NPU->GEOMETRY4);
  const std::uint32_t geometry5 = mmio::read(NPU->GEOMETRY5);
  const std::uint32_t geometry6 = mmio::read(NPU->GEOMETRY6);
  geometry.cube_l1_bytes = registers::geometry4::kCubeL1Kib.get(geometry4) << 10;
  geometry.cube_l0c_bytes = registers::geometry4::kCubeL0cKib.get(geometry4) << 10;
  geometry.cube_l0a_bytes = registers::geometry5::kCubeL0aKib.get(geometry5) << 10;
  geometry.cube_l0b_bytes = registers::geometry5::kCubeL0bKib.get(geometry5) << 10;
  geometry.cube_macs_per_cycle = registers::geometry6::kCubeMacsPerCycle.get(geometry6);
  geometry.cube_bias_table_bytes = registers::geometry6::kCubeBiasTableBytes.get(geometry6);
  if (geometry.cube_l1_bytes != isa::cube::kL1Bytes)
    return unknown("GEOMETRY4.CUBE_L1_KIB", geometry.cube_l1_bytes >> 10, isa::cube::kL1Bytes >> 10);
  if (geometry.cube_l0c_bytes != isa::cube::kL0CBytes)
    return unknown("GEOMETRY4.CUBE_L0C_KIB", geometry.cube_l0c_bytes >> 10, isa::cube::kL0CBytes >> 10);
  if (geometry.cube_l0a_bytes != isa::cube::kL0ABytes)
    return unknown("GEOMETRY5.CUBE_L0A_KIB", geometry.cube_l0a_bytes >> 10, isa::cube::kL0ABytes >> 10);
  if (geometry.cube_l0b_bytes != isa::cube::kL0BBytes)
    return unknown("GEOMETRY5.CUBE_L0B_KIB", geometry.cube_l0b_bytes >> 10, isa::cube::kL0BBytes >> 10);
  if (geometry.cube_macs_per_cycle < 1)
    return unknown("GEOMETRY6.CUBE_MACS_PER_CYCLE", 0, registers::geometry6::kCubeMacsPerCycle.maximum());
  if (geometry.cube_bias_table_bytes != isa::cube::kBiasTableBytes)
    return unknown("GEOMETRY6.CUBE_BIAS_TABLE_BYTES", geometry.cube_bias_table_bytes, isa::cube::kBiasTableBytes);
  return Status();
}

}  // namespace

Result<Geometry> identify() {
  const std::uint32_t id = mmio::read(NPU->ID);
  if (id != registers::id::kResetValue) return unknown("ID", id, registers::id::kResetValue);
  const std::uint32_t version = registers::version::kMajor.get(mmio::read(NPU->VERSION));
  if (version != kMajorVersion) return unknown("VERSION.MAJOR", version, kMajorVersion);
  const std::uint32_t capabilities = mmio::read(NPU->CAPABILITIES);
  if (registers::capabilities::kTile.get(capabilities) == 0) return unknown("CAPABILITIES.TILE", 0, 1);

  const std::uint32_t geometry0 = mmio::read(NPU->GEOMETRY0);
  const std::uint32_t geometry1 = mmio::read(NPU->GEOMETRY1);
  const std::uint32_t geometry2 = mmio::read(NPU->GEOMETRY2);
  const std::uint32_t clock = mmio::read(NPU->CLOCK);

  Geometry geometry;
  geometry.tile_cores = registers::geometry0::kTileCores.get(geometry0);
  if (geometry.tile_cores < 1 || geometry.tile_cores > registers::core::kCount)
    return unknown("GEOMETRY0.TILE_CORES", geometry.tile_cores, registers::core::kCount);
  geometry.contexts = registers::geometry0::kContexts.get(geometry0);
  if (geometry.contexts < 1 || geometry.contexts > registers::context::kCount)
    return unknown("GEOMETRY0.CONTEXTS", geometry.contexts, registers::context::kCount);
  const std::uint32_t l2_mib = registers::geometry0::kL2Mib.get(geometry0);
  if (l2_mib < 1 || l2_mib > kMaximumL2Mib) return unknown("GEOMETRY0.L2_MIB", l2_mib, kMaximumL2Mib);
  geometry.l2_bytes = l2_mib << 20;
  geometry.cut_regions = registers::geometry0::kCutRegions.get(geometry0);
  if (geometry.cut_regions != kCutRegions) return unknown("GEOMETRY0.CUT_REGIONS", geometry.cut_regions, kCutRegions);
  geometry.wl0_units = registers::geometry1::kWl0Units.get(geometry1);
  if (geometry.wl0_units < 1) return unknown("GEOMETRY1.WL0_UNITS", 0, registers::geometry1::kWl0Units.maximum());
  geometry.l2_block_bytes = registers::geometry1::kL2BlockBytes.get(geometry1);
  if (geometry.l2_block_bytes != kL2BlockBytes) return unknown("GEOMETRY1.L2_BLOCK_BYTES", geometry.l2_block_bytes, kL2BlockBytes);
  geometry.macs_per_cycle = registers::geometry2::kMacsPerCycle.get(geometry2);
  geometry.queue_size_log2_max = registers::geometry2::kQueueSizeLog2Max.get(geometry2);
  if (geometry.queue_size_log2_max < 1) return unknown("GEOMETRY2.QUEUE_SIZE_LOG2_MAX", 0, 1);
  geometry.clock_mhz = registers::clock::kMhz.get(clock);
  if (geometry.clock_mhz < 1) return unknown("CLOCK.MHZ", 0, 1);
  const std::uint32_t engines = registers::capabilities::kEngine.get(capabilities);
  geometry.mx = (engines >> static_cast<unsigned>(registers::Engine::mx) & 1) != 0;
  if (geometry.mx) {
    const std::uint32_t geometry3 = mmio::read(NPU->GEOMETRY3);
    geometry.mx_macs_per_cycle = registers::geometry3::kMxMacsPerCycle.get(geometry3);
    if (geometry.mx_macs_per_cycle < 1) return unknown("GEOMETRY3.MX_MACS_PER_CYCLE", 0, registers::geometry3::kMxMacsPerCycle.maximum());
    geometry.mx_buffer_bytes = registers::geometry3::kMxBufferKib.get(geometry3) << 10;
  }
  geometry.cube = (engines >> static_cast<unsigned>(registers::Engine::cube) & 1) != 0;
  if (geometry.cube) {
    if (const Status status = read_cube(geometry); !status) return status;
  }
  return geometry;
}

void set_enabled(bool enabled) { mmio::write(NPU->CONTROL, registers::control::kEnable.put(enabled ? 1 : 0)); }

Status reset_core(const Geometry &geometry, unsigned core) {
  if (!is_core(geometry, core)) return Status(ErrorCode::invalid_argument, "core", -1, core, geometry.tile_cores);
  mmio::write(NPU->ENGINE_RESET, registers::engine_reset::kCore.put(1U << core));
  unsigned queue = 0;
  for (unsigned poll = 0; poll < kResetPolls; ++poll) {
    const std::uint32_t status = mmio::read(NPU->CORE[core].SQ[queue].STATUS);
    if (status != 0) continue;
    if (++queue == isa::tile::kClasses) return Status();
  }
  return Status(ErrorCode::timeout, "SQ.STATUS", static_cast<std::int32_t>(queue), kResetPolls, kResetPolls);
}

Status set_core_clocks(const Geometry &geometry, std::uint32_t cores) {
  const std::uint32_t existing = (1U << geometry.tile_cores) - 1;
  if ((cores & ~existing) != 0) return Status(ErrorCode::invalid_argument, "cores", -1, cores, existing);
  const std::uint32_t engines = mmio::read(NPU->CLOCK_ENABLE) & registers::clock_enable::kEngine.mask();
  mmio::write(NPU->CLOCK_ENABLE, engines | registers::clock_enable::kCore.put(cores));
  return Status();
}

Status set_engine_clock(const Geometry &geometry, registers::Engine engine, bool runs) {
  if (!geometry.has(engine)) return Status(ErrorCode::unsupported, registers::engine_name(engine));
  const std::uint32_t own = registers::clock_enable::kEngine.put(1U << static_cast<unsigned>(engine));
  const std::uint32_t others = mmio::read(NPU->CLOCK_ENABLE) & ~own;
  mmio::write(NPU->CLOCK_ENABLE, runs ? others | own : others);
  return Status();
}

Result<std::uint64_t> clocked_cycles(const Geometry &geometry, unsigned core) {
  if (!is_core(geometry, core)) return Status(ErrorCode::invalid_argument, "core", -1, core, geometry.tile_cores);
  return mmio::read_counter(NPU->CORE_CLOCK[core].CYCLES_LO, NPU->CORE_CLOCK[core].CYCLES_HI);
}

std::uint32_t corrected_errors() { return mmio::read(NPU->ECC_CORRECTED); }

Status enable_interrupts(const Geometry &geometry, std::uint32_t completion_cores, bool fault) {
  const std::uint32_t existing = (1U << geometry.tile_cores) - 1;
  if ((completion_cores & ~existing) != 0) return Status(ErrorCode::invalid_argument, "completion_cores", -1, completion_cores, existing);
  mmio::write(NPU->INT_ENABLE, registers::int_enable::kCompletion.put(completion_cores) | registers::int_enable::kFault.put(fault ? 1 : 0));
  return Status();
}

InterruptStatus interrupt_status() {
  const std::uint32_t status = mmio::read(NPU->INT_STATUS);
  return InterruptStatus{registers::int_status::kCompletion.get(status), registers::engine_completions::get(status),
                         registers::int_status::kFault.get(status) != 0};
}

std::optional<Fault> read_fault() {
  const std::uint32_t status = mmio::read(NPU->FAULT_STATUS);
  if (registers::fault_status::kValid.get(status) == 0) return std::nullopt;
  const std::uint32_t queue = registers::fault_status::kQueue.get(status);
  Fault fault;
  fault.code = static_cast<FaultCode>(registers::fault_status::kCode.get(status));
  fault.queue_number = queue;
  if (queue < registers::kFirstEngineQueueNumber) {
    fault.core = queue / isa::tile::kClasses;
    fault.queue = static_cast<isa::tile::Class>(queue % isa::tile::kClasses);
  }
  fault.context = registers::fault_status::kContext.get(status);
  fault.tag = mmio::read(NPU->FAULT_TAG);
  fault.detail = mmio::read(NPU->FAULT_DETAIL);
  fault.time = mmio::read_counter(NPU->FAULT_TIME_LO, NPU->FAULT_TIME_HI);
  return fault;
}

void clear_fault() { mmio::write(NPU->INT_STATUS, registers::int_status::kFault.put(1)); }

std::uint64_t device_cycles() { return mmio::read_counter(NPU->CYCLE_LO, NPU->CYCLE_HI); }

Result<QueueCounters> read_counters(const Geometry &geometry, unsigned core, isa::tile::Class queue) {
  if (!is_core(geometry, core)) return Status(ErrorCode::invalid_argument, "core", -1, core, geometry.tile_cores);
  const auto index = static_cast<unsigned>(queue);
  if (index >= isa::tile::kClasses) return Status(ErrorCode::invalid_argument, "queue", -1, index, isa::tile::kClasses);
  const NPU_CORE_SQ_Type &registers = NPU->CORE[core].SQ[index];
  QueueCounters counters;
  counters.instructions = mmio::read_counter(registers.INSTRUCTIONS_LO, registers.INSTRUCTIONS_HI);
  counters.busy_cycles = mmio::read_counter(registers.BUSY_LO, registers.BUSY_HI);
  counters.stalled_cycles = mmio::read_counter(registers.STALLED_LO, registers.STALLED_HI);
  counters.bytes = mmio::read_counter(registers.BYTES_LO, registers.BYTES_HI);
  return counters;
}

}  // namespace cox::hal
