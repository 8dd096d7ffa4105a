// SPDX-License-Identifier: MIT
#include "coxswain/hal/pim/debugger.h"

#include <algorithm>
#include <cstring>

#include "coxswain/hal/board.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/pim/configuration.h"
#include "coxswain/hal/pim/geometry.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/pim/place.h"

namespace cox::hal::pim {

namespace fields = registers::pim_core;

namespace {

constexpr std::uint32_t kWordBytes = 4;
/// Reads of a register before the core sleeps between two reads. A step takes less, unless the core waits for DRAM or another core.
constexpr unsigned kPolls = 1000;

constexpr std::uint32_t low(std::uint64_t mask) { return static_cast<std::uint32_t>(mask); }
constexpr std::uint32_t high(std::uint64_t mask) { return static_cast<std::uint32_t>(mask >> 32); }

NPU_PIM_CORE_Type &registers_of(unsigned core) { return COX_NPU->PIM_CORE[core]; }

/// Writes a mask of cores; half a mask without cores is not written.
void write_mask(volatile std::uint32_t &low_half, volatile std::uint32_t &high_half, std::uint64_t cores) {
  if (low(cores) != 0) mmio::write(low_half, low(cores));
  if (high(cores) != 0) mmio::write(high_half, high(cores));
}
std::uint64_t read_mask(const volatile std::uint32_t &low_half, const volatile std::uint32_t &high_half) {
  return mmio::read_counter(low_half, high_half);
}

Phase phase_of(unsigned core) { return static_cast<Phase>(fields::state::kPhase.get(mmio::read(registers_of(core).STATE))); }

/// Returns whether condition() became true within `limit_us`; 0: within kPolls reads.
template <typename Condition>
bool wait_for(Condition condition, std::uint32_t limit_us) {
  for (unsigned poll = 0; poll < kPolls; ++poll) {
    if (condition()) return true;
  }
  if (limit_us == 0) return false;
  const std::uint64_t deadline = board::microseconds() + limit_us;
  while (board::microseconds() < deadline) {
    {
      const InterruptMask mask;
      board::wait_for_interrupt();
    }
    if (condition()) return true;
  }
  return false;
}

}  // namespace

Status Debugger::open(const Geometry &geometry) {
  cores_ = 0;
  if (Status status = check_engine(geometry, registers::Engine::pim); !status) return status;
  const Result<unsigned> cores = read_cores();
  if (!cores) return cores.status();
  if (Status status = read_configuration(configuration_); !status) return status;
  cores_ = cores.value();
  return {};
}

// Checks.

Status Debugger::check_core(unsigned core) const {
  return core < cores_ ? Status() : Status(ErrorCode::invalid_argument, "core", -1, core, cores_);
}

Status Debugger::check_cores(std::uint64_t cores) const {
  const std::uint64_t beyond = cores_ == isa::pim::kMostCores ? 0 : cores >> cores_;
  return beyond == 0 ? Status() : Status(ErrorCode::invalid_argument, "cores", -1, signed_of(cores), cores_);
}

Status Debugger::check_stands(unsigned core) const {
  CoreStatus state;
  state.phase = phase_of(core);
  return state.stands() ? Status() : Status(ErrorCode::not_ready, "core", -1, core);
}

Status Debugger::check_breakpoint(unsigned core, unsigned breakpoint) const {
  if (Status status = check_core(core); !status) return status;
  return breakpoint < kBreakpoints ? Status() : Status(ErrorCode::invalid_argument, "breakpoint", -1, breakpoint, kBreakpoints);
}

Status Debugger::check_register(unsigned core, unsigned number) const {
  if (Status status = check_core(core); !status) return status;
  if (number < isa::pim::kRegisters || (number < kRegisters && isa::pim::is_special(number - isa::pim::kRegisters))) return {};
  return {ErrorCode::invalid_argument, "register", -1, number, kRegisters};
}

/// `last_word` becomes the address of the last word that lies in the memory.
Status Debugger::check_memory(unsigned core, std::uint32_t address, std::size_t bytes, std::uint32_t &last_word) const {
  if (Status status = check_core(core); !status) return status;
  const isa::pim::Place place = isa::pim::place(configuration_, isa::pim::Reach::all, address, bytes);
  const bool is_array = place.is_array();
  if (!place.is_local() && !is_array) return {ErrorCode::address_outside_buffer, "address", -1, address};
  const std::uint64_t size = is_array ? configuration_.array.bytes() : configuration_.memories[place.space].bytes;
  const std::uint64_t first = is_array ? configuration_.array.first : configuration_.memories[place.space].first;
  if (size < kWordBytes) return {ErrorCode::unsupported, "address", -1, address};
  last_word = static_cast<std::uint32_t>(first + size - kWordBytes);
  return {};
}

// Halting.

Status Debugger::halt(std::uint64_t cores) {
  if (Status status = check_cores(cores); !status) return status;
  write_mask(COX_NPU->PIM_HALT_LO, COX_NPU->PIM_HALT_HI, cores);
  return {};
}

Status Debugger::resume(std::uint64_t cores) {
  if (Status status = check_cores(cores); !status) return status;
  write_mask(COX_NPU->PIM_RESUME_LO, COX_NPU->PIM_RESUME_HI, cores);
  return {};
}

std::uint64_t Debugger::halted() const { return read_mask(COX_NPU->PIM_HALTED_LO, COX_NPU->PIM_HALTED_HI); }

Status Debugger::wait_for_halt(std::uint64_t cores, std::uint32_t limit_us) {
  if (Status status = check_cores(cores); !status) return status;
  std::uint64_t missing = 0;
  const auto all_halted = [&] {
    missing = cores & ~halted();
    return missing == 0;
  };
  return wait_for(all_halted, limit_us) ? Status() : Status(ErrorCode::timeout, "PIM_HALTED", -1, signed_of(missing), limit_us);
}

Status Debugger::step(unsigned core, std::uint32_t limit_us) {
  if (Status status = check_core(core); !status) return status;
  if (phase_of(core) != Phase::halted) return {ErrorCode::not_ready, "core", -1, core};
  const std::uint64_t mask = std::uint64_t{1} << core;
  write_mask(COX_NPU->PIM_STEP_LO, COX_NPU->PIM_STEP_HI, mask);
  CoreStatus state;
  const auto stands = [&] {
    state.phase = phase_of(core);
    return state.stands();
  };
  if (wait_for(stands, limit_us)) return {};
  return {ErrorCode::timeout, "PIM_CORE.STATE", -1, static_cast<std::int64_t>(state.phase), limit_us};
}

Status Debugger::set_breakpoint(unsigned core, unsigned breakpoint, std::uint32_t instruction) {
  namespace position = fields::breakpoint::position;
  if (Status status = check_breakpoint(core, breakpoint); !status) return status;
  if (instruction >= isa::pim::kMostInstructions)
    return {ErrorCode::invalid_argument, "instruction", -1, instruction, isa::pim::kMostInstructions};
  mmio::write(registers_of(core).BREAKPOINT[breakpoint].POSITION, position::kInstruction.put(instruction) | position::kSet.put(1));
  return {};
}

Status Debugger::clear_breakpoint(unsigned core, unsigned breakpoint) {
  if (Status status = check_breakpoint(core, breakpoint); !status) return status;
  mmio::write(registers_of(core).BREAKPOINT[breakpoint].POSITION, 0);
  return {};
}

// A core's state.

Result<CoreStatus> Debugger::status(unsigned core) const {
  if (Status status = check_core(core); !status) return status;
  const NPU_PIM_CORE_Type &own = registers_of(core);
  const std::uint32_t state = mmio::read(own.STATE);
  CoreStatus result;
  result.phase = static_cast<Phase>(fields::state::kPhase.get(state));
  result.open_messages = fields::state::kOpenMessages.get(state);
  result.counter = mmio::read(own.COUNTER);
  if (result.phase == Phase::faulted) {
    result.fault = static_cast<FaultCode>(fields::state::kFault.get(state));
    result.detail = registers::EngineFaultDetail::unpack(mmio::read(own.FAULT_DETAIL));
  }
  if (result.phase == Phase::message || result.phase == Phase::wait || result.phase == Phase::barrier) {
    result.other = mmio::read(own.OTHER);
    result.id = mmio::read(own.MESSAGE_ID);
  }
  return result;
}

Result<std::uint32_t> Debugger::read_register(unsigned core, unsigned number) const {
  if (Status status = check_register(core, number); !status) return status;
  return mmio::read(registers_of(core).REG[number].VALUE);
}

Status Debugger::write_register(unsigned core, unsigned number, std::uint32_t value) {
  if (Status status = check_register(core, number); !status) return status;
  if (Status status = check_stands(core); !status) return status;
  mmio::write(registers_of(core).REG[number].VALUE, value);
  return {};
}

Status Debugger::read_memory(unsigned core, std::uint32_t address, std::span<std::byte> bytes) const {
  std::uint32_t last_word = 0;
  if (Status status = check_memory(core, address, bytes.size(), last_word); !status) return status;
  NPU_PIM_CORE_Type &own = registers_of(core);
  while (!bytes.empty()) {
    // The last bytes of a memory are read with the word that they end.
    const std::uint32_t at = std::min(address, last_word);
    const std::size_t count = std::min<std::size_t>(bytes.size(), kWordBytes - (address - at));
    mmio::write(own.ADDRESS, at);
    const std::uint32_t word = mmio::read(own.DATA);
    std::memcpy(bytes.data(), reinterpret_cast<const std::byte *>(&word) + (address - at), count);
    address += static_cast<std::uint32_t>(count);
    bytes = bytes.subspan(count);
  }
  return {};
}

Status Debugger::write_memory(unsigned core, std::uint32_t address, std::span<const std::byte> bytes) {
  std::uint32_t last_word = 0;
  if (Status status = check_memory(core, address, bytes.size(), last_word); !status) return status;
  if (Status status = check_stands(core); !status) return status;
  NPU_PIM_CORE_Type &own = registers_of(core);
  while (!bytes.empty()) {
    const std::uint32_t at = std::min(address, last_word);
    const std::size_t count = std::min<std::size_t>(bytes.size(), kWordBytes - (address - at));
    mmio::write(own.ADDRESS, at);
    std::uint32_t word = count == kWordBytes ? 0 : mmio::read(own.DATA);
    std::memcpy(reinterpret_cast<std::byte *>(&word) + (address - at), bytes.data(), count);
    mmio::write(own.DATA, word);
    address += static_cast<std::uint32_t>(count);
    bytes = bytes.subspan(count);
  }
  return {};
}

Result<std::uint64_t> Debugger::read_count(unsigned core, isa::pim::Count count) const {
  if (Status status = check_core(core); !status) return status;
  const NPU_PIM_CORE_COUNT_Type &own = registers_of(core).COUNT[static_cast<unsigned>(count)];
  return mmio::read_counter(own.LO, own.HI);
}

}  // namespace cox::hal::pim
