// SPDX-License-Identifier: MIT
// The common block of the accelerator (docs/registers.md): identity, enable and reset, interrupts, faults, time.
#pragma once

#include <cstdint>
#include <optional>

#include "coxswain/base/result.h"
#include "coxswain/device/engine_descriptor.h"
#include "coxswain/device/npu_registers.h"

namespace cox::hal {

using registers::FaultCode;

/// Size and parts of the device, as the device reports them.
struct Geometry {
  unsigned cores = 0;                ///< 1 to 4
  unsigned contexts = 0;             ///< 1 to 16
  std::uint32_t l2_bytes = 0;        ///< of each core, at most 8 MiB
  std::uint32_t l2_block_bytes = 0;  ///< 1,024
  unsigned cut_regions = 0;          ///< number of L2 regions of each context: 16
  std::uint32_t wl0_units = 0;       ///< number of WL0 units, of 64 bytes each
  unsigned macs_per_cycle = 0;       ///< for INT8, of each core
  unsigned queue_size_log2_max = 0;  ///< 1 to 15
  unsigned clock_mhz = 0;            ///< cycles of device time in a microsecond, at least 1
  std::uint32_t engines = 0;         ///< bit i: the device has engine i, even if the table (device/engines.h) does not list it

  /// True if both the table (device/engines.h) and the device have the engine. An engine without a ring has cores instead, so the device
  /// has such an engine if it has cores.
  [[nodiscard]] constexpr bool has(registers::Engine engine) const {
    const registers::EngineRow *row = registers::find_engine(engine);
    if (row == nullptr) return false;
    return row->has_ring() ? (engines >> row->number() & 1) != 0 : cores != 0;
  }
};

/// Returns `unsupported` if has() is false. `what` of the status is the engine's name. If device/engines.h does not list the engine, `what`
/// is "engine", the value is the engine's number, and the limit is registers::engine::kCount, the number of engine rings that the register
/// map has room for.
[[nodiscard]] Status check_engine(const Geometry &geometry, registers::Engine engine);

/// Reads identity, version and geometry. Error: unknown_device, with the field and its value, for another identity, another major version,
/// a device without cores, or a geometry outside the ranges of `Geometry` and of the engines; unknown_device ("accelerator_present"), with
/// no register read, if board::accelerator_present() is false.
Result<Geometry> identify();

/// Starts or stops the execution of all queues. An instruction that has started runs to its end.
void set_enabled(bool enabled);

/// Number of reads of a status register after which a reset of a core or engine counts as failed.
inline constexpr unsigned kResetPolls = 1000;

/// Gives an engine its clock, or takes it away. Clocks of other engines and of cores stay as they are. Without its clock an engine stands
/// still, but its registers answer. Only one caller may write at a time. Error: that of check_engine().
Status set_engine_clock(const Geometry &geometry, registers::Engine engine, bool runs);
/// Number of one-bit errors that ECC has corrected since power-on.
[[nodiscard]] std::uint32_t corrected_errors();

/// Enables the interrupts of the completion queues of `completion_cores` (bit c is core c; line 0) and, if `fault`, of the fault record
/// (line 1). Disables all others, also those of engines. Error: invalid_argument for a core that does not exist.
Status enable_interrupts(const Geometry &geometry, std::uint32_t completion_cores, bool fault);

/// Pending interrupts, enabled or not.
struct InterruptStatus {
  std::uint32_t completion_cores;    ///< one bit for each core
  std::uint32_t completion_engines;  ///< bit i: engine i
  bool fault;
};
[[nodiscard]] InterruptStatus interrupt_status();

/// The first fault since the record was last cleared.
struct Fault {
  FaultCode code = FaultCode::none;
  unsigned queue_number = 0;  ///< as in completions; from registers::kFirstEngineQueueNumber on, a queue of an engine
  unsigned context = 0;
  std::uint32_t tag = 0;  ///< running index of the instruction in its queue
  /// From a core: FaultCode says for some codes what the detail is; for all other codes it is the opcode. From an engine:
  /// registers::EngineFaultDetail.
  std::uint32_t detail = 0;
  std::uint64_t time = 0;  ///< device cycles
};
/// Reads the fault record, if there is one.
[[nodiscard]] std::optional<Fault> read_fault();
/// Clears the fault record and lowers interrupt line 1. The faulty context stays quarantined (hal/context.h).
void clear_fault();

/// Device time in cycles since power-on. Only one caller may read at a time, because reading the low half latches the high half.
[[nodiscard]] std::uint64_t device_cycles();

}  // namespace cox::hal
