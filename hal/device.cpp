// SPDX-License-Identifier: MIT
#include "coxswain/hal/device.h"

#include "coxswain/device/engine_bits.h"
#include "coxswain/device/engine_descriptor.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/identify.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::board {

[[gnu::weak]] bool accelerator_present() { return true; }

}  // namespace cox::board

namespace cox::hal {
namespace {

constexpr std::uint32_t kMajorVersion = 1;

/// Calls identify() of each engine that the device has, in the order of device/engines.h. The function is in the engine's own namespace.
Status identify_engines(const GeometryRegisters &common, Geometry &geometry, std::uint32_t capabilities) {
#define COX_HAL_IDENTIFY_layers(id)                                                       \
  if ((capabilities >> registers::row_of(registers::Engine::id).capability() & 1) != 0) { \
    if (Status status = id::identify(common, geometry); !status.ok()) return status;      \
  }
#define COX_HAL_IDENTIFY_tests(id)
#define COX_HAL_IDENTIFY(id, number, name, full_name, submission, home, ...) COX_HAL_IDENTIFY_##home(id)
  COX_ENGINES(COX_HAL_IDENTIFY)
#undef COX_HAL_IDENTIFY
#undef COX_HAL_IDENTIFY_layers
#undef COX_HAL_IDENTIFY_tests
  return Status();
}

/// Refuses a device without cores. In the table (device/engines.h), an engine that has no ring has cores instead. The firmware needs the
/// cores, because its scheduler runs tasks on them.
Status check_cores(std::uint32_t capabilities) {
#define COX_HAL_NEED(id, number, name, ...)                                                                       \
  if constexpr (constexpr registers::EngineRow row = registers::row_of(registers::Engine::id); !row.has_ring()) { \
    if ((capabilities >> row.capability() & 1) == 0) return unknown_device("CAPABILITIES." name, 0, 1);           \
  }
  COX_ENGINES(COX_HAL_NEED)
#undef COX_HAL_NEED
  return Status();
}

/// Does the work of identify().
Status read_geometry(Geometry &geometry) {
  const std::uint32_t id = mmio::read(COX_NPU->ID);
  if (id != registers::id::kResetValue) return unknown_device("ID", id, registers::id::kResetValue);
  const std::uint32_t version = registers::version::kMajor.get(mmio::read(COX_NPU->VERSION));
  if (version != kMajorVersion) return unknown_device("VERSION.MAJOR", version, kMajorVersion);
  const std::uint32_t capabilities = mmio::read(COX_NPU->CAPABILITIES);
  if (Status status = check_cores(capabilities); !status.ok()) return status;

  GeometryRegisters common{};
  common.geometry0 = mmio::read(COX_NPU->GEOMETRY0);
  common.geometry1 = mmio::read(COX_NPU->GEOMETRY1);
  common.geometry2 = mmio::read(COX_NPU->GEOMETRY2);
  const std::uint32_t clock = mmio::read(COX_NPU->CLOCK);

  geometry.engines = registers::capabilities::kEngine.get(capabilities);
  geometry.contexts = registers::geometry0::kContexts.get(common.geometry0);
  if (geometry.contexts < 1 || geometry.contexts > registers::context::kCount)
    return unknown_device("GEOMETRY0.CONTEXTS", geometry.contexts, registers::context::kCount);
  geometry.queue_size_log2_max = registers::geometry2::kQueueSizeLog2Max.get(common.geometry2);
  if (geometry.queue_size_log2_max < 1) return unknown_device("GEOMETRY2.QUEUE_SIZE_LOG2_MAX", 0, 1);
  geometry.clock_mhz = registers::clock::kMhz.get(clock);
  if (geometry.clock_mhz < 1) return unknown_device("CLOCK.MHZ", 0, 1);
  return identify_engines(common, geometry, capabilities);
}

}  // namespace

Status unknown_device(const char *what, std::uint32_t value, std::uint32_t known) {
  return Status(ErrorCode::unknown_device, what, -1, value, known);
}

Status check_engine(const Geometry &geometry, registers::Engine engine) {
  const auto number = static_cast<unsigned>(engine);
  if (geometry.has(engine)) return Status();
  const registers::EngineRow *row = registers::find_engine(engine);
  if (row == nullptr) return Status(ErrorCode::unsupported, "engine", -1, number, registers::engine::kCount);
  return Status(ErrorCode::unsupported, row->full_name);
}

Result<Geometry> identify() {
  if (!board::accelerator_present()) return Status(ErrorCode::unknown_device, "accelerator_present");
  Geometry geometry;
  if (Status status = read_geometry(geometry); !status.ok()) return status;
  return geometry;
}

void set_enabled(bool enabled) { mmio::write(COX_NPU->CONTROL, registers::control::kEnable.put(enabled ? 1 : 0)); }

Status set_engine_clock(const Geometry &geometry, registers::Engine engine, bool runs) {
  if (Status status = check_engine(geometry, engine); !status.ok()) return status;
  const std::uint32_t own = registers::clock_enable::kEngine.put(1U << static_cast<unsigned>(engine));
  const std::uint32_t others = mmio::read(COX_NPU->CLOCK_ENABLE) & ~own;
  mmio::write(COX_NPU->CLOCK_ENABLE, runs ? others | own : others);
  return Status();
}

std::uint32_t corrected_errors() { return mmio::read(COX_NPU->ECC_CORRECTED); }

Status enable_interrupts(const Geometry &geometry, std::uint32_t completion_cores, bool fault) {
  const std::uint32_t existing = (1U << geometry.cores) - 1;
  if ((completion_cores & ~existing) != 0) return Status(ErrorCode::invalid_argument, "completion_cores", -1, completion_cores, existing);
  mmio::write(COX_NPU->INT_ENABLE,
              registers::int_enable::kCompletion.put(completion_cores) | registers::int_enable::kFault.put(fault ? 1 : 0));
  return Status();
}

InterruptStatus interrupt_status() {
  const std::uint32_t status = mmio::read(COX_NPU->INT_STATUS);
  return InterruptStatus{registers::int_status::kCompletion.get(status), registers::engine_completions::get(status),
                         registers::int_status::kFault.get(status) != 0};
}

std::optional<Fault> read_fault() {
  const std::uint32_t status = mmio::read(COX_NPU->FAULT_STATUS);
  if (registers::fault_status::kValid.get(status) == 0) return std::nullopt;
  Fault fault;
  fault.code = static_cast<FaultCode>(registers::fault_status::kCode.get(status));
  fault.queue_number = registers::fault_status::kQueue.get(status);
  fault.context = registers::fault_status::kContext.get(status);
  fault.tag = mmio::read(COX_NPU->FAULT_TAG);
  fault.detail = mmio::read(COX_NPU->FAULT_DETAIL);
  fault.time = mmio::read_counter(COX_NPU->FAULT_TIME_LO, COX_NPU->FAULT_TIME_HI);
  return fault;
}

void clear_fault() { mmio::write(COX_NPU->INT_STATUS, registers::int_status::kFault.put(1)); }

std::uint64_t device_cycles() { return mmio::read_counter(COX_NPU->CYCLE_LO, COX_NPU->CYCLE_HI); }

}  // namespace cox::hal
