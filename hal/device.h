// SPDX-License-Identifier: MIT
// The common block of the accelerator (docs/registers.md): identity, enable and reset, interrupts, faults, time and counters.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "device/engine_descriptor.h"
#include "device/npu_registers.h"
#include "isa/tile/header.h"

namespace cox::hal {

using registers::FaultCode;

/// What the device is made of, as it reports it.
struct Geometry {
  unsigned tile_cores = 0;           ///< 1 to 4
  unsigned contexts = 0;             ///< 1 to 16
  std::uint32_t l2_bytes = 0;        ///< of each tile core, at most 8 MiB
  std::uint32_t l2_block_bytes = 0;  ///< 1,024
  unsigned cut_regions = 0;          ///< L2 regions a context, 16
  std::uint32_t wl0_units = 0;       ///< of 64 bytes
  unsigned macs_per_cycle = 0;       ///< INT8, of a tile core
  unsigned queue_size_log2_max = 0;  ///< 1 to 15
  unsigned clock_mhz = 0;            ///< cycles of device time in a microsecond, at least 1
  std::uint32_t engines = 0;         ///< bit i: the device has engine i, also one that the table does not have

  /// True if the table has the engine (device/engines.h) and so has the device. An engine without a ring is the tile cores'.
  [[nodiscard]] constexpr bool has(registers::Engine engine) const {
    const registers::EngineRow *row = registers::find_engine(engine);
    if (row == nullptr) return false;
    return row->has_ring() ? (engines >> row->number() & 1) != 0 : tile_cores != 0;
  }
};

/// Refuses an engine that has() does not know: unsupported, with the engine's name, or with `engine`, its number and the number of rings if
/// the table has no such number.
[[nodiscard]] Status check_engine(const Geometry &geometry, registers::Engine engine);

/// Reads identity, version and geometry. unknown_device, naming the register and its value, where this firmware does not know what
/// it reads: another identity, another major version, no tile engine, or a geometry outside the ranges of `Geometry`.
Result<Geometry> identify();

/// Lets queues execute, or holds them. An instruction that has started goes on to its end.
void set_enabled(bool enabled);

/// Stops tile core `core`, throws away what its submission and completion queues hold, and waits, for at most
/// kResetPolls reads of a status register, until all of its queues are idle. The queues must be initialised again; contexts keep
/// their configuration and their quarantine. invalid_argument: no such core. timeout: a queue (`index`) is still busy.
Status reset_core(const Geometry &geometry, unsigned core);
inline constexpr unsigned kResetPolls = 1000;

/// Gives the tile cores of `cores` (bit c is core c) their clock and takes it from the others; engines' clocks stay as they are. Without
/// its clock a core does nothing, yet its registers answer. One writer at a time. invalid_argument: a core that does not exist.
Status set_core_clocks(const Geometry &geometry, std::uint32_t cores);
/// The same for an engine. Error: that of check_engine().
Status set_engine_clock(const Geometry &geometry, registers::Engine engine, bool runs);
/// Cycles that a tile core had its clock since power-on. As with device_cycles(), one reader at a time. invalid_argument: no such core.
Result<std::uint64_t> clocked_cycles(const Geometry &geometry, unsigned core);
/// Errors of one bit that ECC has corrected since power-on.
[[nodiscard]] std::uint32_t corrected_errors();

/// Enables interrupts, and disables those not named, engines' included: bit c of `completion_cores` is the completion queue of core c (line
/// 0), `fault` the fault record (line 1). invalid_argument: a core that does not exist.
Status enable_interrupts(const Geometry &geometry, std::uint32_t completion_cores, bool fault);

/// What is pending, enabled or not.
struct InterruptStatus {
  std::uint32_t completion_cores;    ///< a bit a core
  std::uint32_t completion_engines;  ///< bit i: engine i
  bool fault;
};
[[nodiscard]] InterruptStatus interrupt_status();

/// The first fault since the record was last cleared.
struct Fault {
  FaultCode code = FaultCode::none;
  unsigned queue_number = 0;  ///< as in completions: core * kClasses + class; from registers::kFirstEngineQueueNumber up an engine's
  unsigned core = 0;          ///< of a tile core's queue
  isa::tile::Class queue = isa::tile::Class::CT;
  unsigned context = 0;
  std::uint32_t tag = 0;     ///< running index of the instruction in its queue
  std::uint32_t detail = 0;  ///< the address, or the opcode
  std::uint64_t time = 0;    ///< device cycles
};
/// Nothing where no fault is recorded.
[[nodiscard]] std::optional<Fault> read_fault();
/// Empties the record and lowers interrupt line 1. The faulty context stays quarantined (hal/context.h).
void clear_fault();

/// Device time in cycles since power-on. Not to be interrupted by another reader: the high half is latched by reading the low one.
[[nodiscard]] std::uint64_t device_cycles();

/// What a submission queue did since its core was reset.
struct QueueCounters {
  std::uint64_t instructions = 0;
  std::uint64_t busy_cycles = 0;
  std::uint64_t stalled_cycles = 0;  ///< an instruction was at the head and could not start, or waited for bandwidth
  std::uint64_t bytes = 0;           ///< moved to or from DRAM
};
/// invalid_argument: no such core or class. As with device_cycles(), one reader at a time.
Result<QueueCounters> read_counters(const Geometry &geometry, unsigned core, isa::tile::Class queue);

}  // namespace cox::hal
