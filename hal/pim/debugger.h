// SPDX-License-Identifier: MIT
// A debugger of the PIM cores (PIM_* in docs/registers.md): halts, steps, breakpoints, registers, memories and counts. It does not disturb
// the engine's ring: a halted program stays in flight, so the time limit of its run may end it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/device.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/description.h"

namespace cox::hal::pim {

using Phase = registers::PimPhase;

/// What a core does.
struct CoreStatus {
  Phase phase = Phase::absent;
  std::uint32_t counter = 0;   ///< number of the next instruction; of the instruction itself while the core waits in it or has faulted
  unsigned open_messages = 0;  ///< whose data has not landed
  std::uint32_t other = 0;     ///< phases message and wait: the other core; phase barrier: the number of cores
  std::uint32_t id = 0;        ///< of the messages or the barrier
  FaultCode fault = FaultCode::none;  ///< phase faulted
  registers::EngineFaultDetail detail;

  /// True if software may write registers and memories.
  [[nodiscard]] bool stands() const {
    return phase == Phase::absent || phase == Phase::halted || phase == Phase::ended || phase == Phase::faulted;
  }
};

/// Only one caller may use the cores' registers at a time. In all masks bit i is core i. Errors of all functions with a core:
/// invalid_argument ("core") if it does not exist.
class Debugger {
 public:
  static constexpr unsigned kBreakpoints = registers::pim_core::breakpoint::kCount;  ///< of a core
  static constexpr unsigned kRegisters = registers::pim_core::reg::kCount;           ///< general ones, then special ones by number

  /// Reads number and configuration of the cores. Errors: those of check_engine(), read_cores() and read_configuration().
  Status open(const Geometry &geometry);
  [[nodiscard]] unsigned cores() const { return cores_; }
  [[nodiscard]] const isa::pim::Configuration &configuration() const { return configuration_; }

  /// Halts cores: each stops before its next instruction, also before the first one of a later program, until it is resumed. A core that
  /// waits for another one halts when it goes on. Error: invalid_argument ("cores") if a core does not exist.
  Status halt(std::uint64_t cores);
  Status resume(std::uint64_t cores);
  [[nodiscard]] std::uint64_t halted() const;
  /// Waits until all of `cores` are halted, at most `limit_us` microseconds; 0: only for some reads of a register. Error: timeout
  /// ("PIM_HALTED", `value` the cores that are not).
  Status wait_for_halt(std::uint64_t cores, std::uint32_t limit_us);
  /// Lets a halted core run one instruction, and waits until it is halted again, has ended or has faulted. Errors: not_ready ("core") if
  /// the core is not halted; timeout ("PIM_CORE.STATE", `value` the phase) after `limit_us`, for example if the core waits for another one.
  Status step(unsigned core, std::uint32_t limit_us);

  /// The core halts before `instruction`, below isa::pim::kMostInstructions, each time it comes there. Breakpoints hold until they are
  /// cleared. Errors: invalid_argument ("breakpoint", "instruction").
  Status set_breakpoint(unsigned core, unsigned breakpoint, std::uint32_t instruction);
  Status clear_breakpoint(unsigned core, unsigned breakpoint);

  [[nodiscard]] Result<CoreStatus> status(unsigned core) const;
  /// `number` is below kRegisters. Errors: invalid_argument ("register") if there is no such register; for a write also not_ready ("core")
  /// unless the core stands.
  [[nodiscard]] Result<std::uint32_t> read_register(unsigned core, unsigned number) const;
  Status write_register(unsigned core, unsigned number, std::uint32_t value);
  /// Reads and writes a local memory or the array. Errors, with nothing written: address_outside_buffer unless one of them has all bytes;
  /// for a write also not_ready ("core") unless the core stands.
  Status read_memory(unsigned core, std::uint32_t address, std::span<std::byte> bytes) const;
  Status write_memory(unsigned core, std::uint32_t address, std::span<const std::byte> bytes);
  [[nodiscard]] Result<std::uint64_t> read_count(unsigned core, isa::pim::Count count) const;

 private:
  [[nodiscard]] Status check_core(unsigned core) const;
  [[nodiscard]] Status check_cores(std::uint64_t cores) const;
  [[nodiscard]] Status check_stands(unsigned core) const;
  [[nodiscard]] Status check_breakpoint(unsigned core, unsigned breakpoint) const;
  [[nodiscard]] Status check_register(unsigned core, unsigned number) const;
  [[nodiscard]] Status check_memory(unsigned core, std::uint32_t address, std::size_t bytes, std::uint32_t &last_word) const;

  unsigned cores_ = 0;
  isa::pim::Configuration configuration_;
};

}  // namespace cox::hal::pim
