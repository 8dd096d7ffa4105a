// SPDX-License-Identifier: MIT
#include "sim/model/pim/debug_bank.h"

#include <algorithm>
#include <cstring>

#include "sim/model/pim/fault.h"

namespace cox::model::pim {

using registers::Name;

namespace bank = registers::pim_core;

namespace {

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

// The phases of the machine are those of the register.
static_assert(static_cast<unsigned>(Phase::absent) == static_cast<unsigned>(registers::PimPhase::absent));
static_assert(static_cast<unsigned>(Phase::running) == static_cast<unsigned>(registers::PimPhase::running));
static_assert(static_cast<unsigned>(Phase::message) == static_cast<unsigned>(registers::PimPhase::message));
static_assert(static_cast<unsigned>(Phase::wait) == static_cast<unsigned>(registers::PimPhase::wait));
static_assert(static_cast<unsigned>(Phase::barrier) == static_cast<unsigned>(registers::PimPhase::barrier));
static_assert(static_cast<unsigned>(Phase::halted) == static_cast<unsigned>(registers::PimPhase::halted));
static_assert(static_cast<unsigned>(Phase::ended) == static_cast<unsigned>(registers::PimPhase::ended));
static_assert(static_cast<unsigned>(Phase::faulted) == static_cast<unsigned>(registers::PimPhase::faulted));

/// The counts in the order of isa::pim::Count.
isa::pim::Counts flat(const Counters &counters) {
  isa::pim::Counts counts{};
  std::size_t next = 0;
  const auto put = [&](auto... values) { ((counts[next++] = values), ...); };
  put(counters.instructions, counters.cycles);
  for (const std::uint64_t cycles : counters.busy) put(cycles);
  for (const std::uint64_t cycles : counters.stalled) put(cycles);
  put(counters.macs, counters.messages_sent, counters.bytes_sent, counters.messages_received, counters.bytes_received, counters.dram_read,
      counters.dram_written);
  const EnergyUsed &energy = counters.energy;
  put(energy.compute, energy.memory, energy.dram, energy.network, energy.simd, energy.instructions, energy.leakage);
  return counts;
}
using isa::pim::Count;
static_assert(static_cast<unsigned>(Count::stalled_unit) == static_cast<unsigned>(Count::busy_scalar) + kUnits);
static_assert(static_cast<unsigned>(Count::macs) == static_cast<unsigned>(Count::stalled_unit) + kStalls);
static_assert(static_cast<unsigned>(Count::energy_leakage) + 1 == isa::pim::kCounts && isa::pim::kCounts <= bank::count::kCount);

}  // namespace

void DebugBank::power_on() {
  description_index_ = 0;
  waiting_ = 0;
  program_ = nullptr;
  cores_ = {};
  machine_.clear_breakpoints();
  for (unsigned core = 0; core < machine_.cores(); ++core) machine_.resume(core);
}

bool DebugBank::is_of_core(Name name) const { return name >= Name::pim_core_state && name <= Name::pim_core_count_hi; }

bool DebugBank::read(Name name, Index index, std::uint32_t &value) const {
  switch (name) {
    case Name::pim_cores: value = machine_.cores(); return true;
    case Name::pim_configuration_index: value = description_index_; return true;
    case Name::pim_configuration_word: value = description_index_ < description_.size() ? description_[description_index_] : 0; return true;
    case Name::pim_waiting_lo: value = low(waiting_); return true;
    case Name::pim_waiting_hi: value = high(waiting_); return true;
    case Name::pim_halted_lo: value = low(halted()); return true;
    case Name::pim_halted_hi: value = high(halted()); return true;
    default: break;
  }
  if (!is_of_core(name)) return false;
  value = index[0] < machine_.cores() ? read_core(name, index[0], index[1]) : 0;
  return true;
}

template <typename Act>
void DebugBank::for_each_core(unsigned first, std::uint32_t mask, Act act) {
  for (unsigned i = 0; i < 32 && first + i < machine_.cores(); ++i) {
    if ((mask >> i & 1) != 0) act(first + i);
  }
}

bool DebugBank::write(Name name, Index index, std::uint32_t value, const char *&reason) {
  const auto halt = [this](unsigned core) { machine_.halt(core); };
  const auto resume = [this](unsigned core) { machine_.resume(core); };
  const auto step = [this](unsigned core) {
    if (machine_.state(core).phase == Phase::halted) machine_.step_instruction(core);
  };
  switch (name) {
    case Name::pim_configuration_index: description_index_ = value; return true;
    case Name::pim_halt_lo: for_each_core(0, value, halt); return true;
    case Name::pim_halt_hi: for_each_core(32, value, halt); return true;
    case Name::pim_resume_lo: for_each_core(0, value, resume); return true;
    case Name::pim_resume_hi: for_each_core(32, value, resume); return true;
    case Name::pim_step_lo: for_each_core(0, value, step); return true;
    case Name::pim_step_hi: for_each_core(32, value, step); return true;
    default: break;
  }
  if (!is_of_core(name)) return false;
  reason = index[0] < machine_.cores() ? write_core(name, index[0], index[1], value) : "the device has no such core";
  return true;
}

std::uint32_t DebugBank::read_core(Name name, unsigned core, std::uint32_t index) const {
  switch (name) {
    case Name::pim_core_state: return state(core);
    case Name::pim_core_counter: return machine_.state(core).counter;
    case Name::pim_core_fault_detail: return fault_detail(core);
    case Name::pim_core_other: return machine_.state(core).other;
    case Name::pim_core_message_id: return machine_.state(core).id;
    case Name::pim_core_address: return cores_[core].address;
    case Name::pim_core_data: {
      std::uint32_t data = 0;
      if (const std::span<std::byte> bytes = word(core); !bytes.empty()) std::memcpy(&data, bytes.data(), sizeof data);
      return data;
    }
    case Name::pim_core_breakpoint_position: return cores_[core].breakpoints[index];
    case Name::pim_core_reg_value: return read_register(core, index);
    case Name::pim_core_count_lo: {
      const std::uint64_t value = count(core, index);
      cores_[core].latched_count = high(value);
      return low(value);
    }
    case Name::pim_core_count_hi: return cores_[core].latched_count;
    default: return 0;
  }
}

const char *DebugBank::write_core(Name name, unsigned core, std::uint32_t index, std::uint32_t value) {
  switch (name) {
    case Name::pim_core_address: cores_[core].address = value; return nullptr;
    case Name::pim_core_breakpoint_position: set_breakpoint(core, index, value); return nullptr;
    case Name::pim_core_reg_value: return write_register(core, index, value);
    case Name::pim_core_data: {
      if (!stands(core)) return "the core runs";
      const std::span<std::byte> bytes = word(core);
      if (bytes.empty()) return "the address is outside of the core's memories";
      std::memcpy(bytes.data(), &value, sizeof value);
      return nullptr;
    }
    default: return "the register is read-only";
  }
}

bool DebugBank::stands(unsigned core) const {
  const Phase phase = machine_.state(core).phase;
  return phase == Phase::absent || phase == Phase::halted || phase == Phase::ended || phase == Phase::faulted;
}

std::span<std::byte> DebugBank::word(unsigned core) const {
  const isa::pim::Place place =
      isa::pim::place(machine_.configuration(), isa::pim::Reach::all, cores_[core].address, sizeof(std::uint32_t));
  if (!place.is_local() && !place.is_array()) return {};
  return machine_.memory(core, place.space).subspan(place.offset, sizeof(std::uint32_t));
}

std::uint32_t DebugBank::read_register(unsigned core, unsigned number) const {
  const isa::pim::Registers &registers = std::as_const(machine_).registers(core);
  if (number < isa::pim::kRegisters) return registers.general[number];
  number -= isa::pim::kRegisters;
  return isa::pim::is_special(number) ? registers.read(machine_.configuration(), static_cast<isa::pim::Special>(number)) : 0;
}

const char *DebugBank::write_register(unsigned core, unsigned number, std::uint32_t value) {
  if (!stands(core)) return "the core runs";
  isa::pim::Registers &registers = machine_.registers(core);
  if (number < isa::pim::kRegisters) {
    registers.general[number] = value;
    return nullptr;
  }
  number -= isa::pim::kRegisters;
  if (!isa::pim::is_special(number)) return "there is no such special register";
  registers.write(machine_.configuration(), static_cast<isa::pim::Special>(number), value);
  return nullptr;
}

std::uint32_t DebugBank::state(unsigned core) const {
  const CoreState state = machine_.state(core);
  const bool faulted = state.phase == Phase::faulted;
  const FaultCode fault = faulted ? fault_of(state.fault, {core, state.counter}, program_).code : FaultCode::none;
  return bank::state::kPhase.put(static_cast<std::uint32_t>(state.phase)) | bank::state::kFault.put(static_cast<std::uint32_t>(fault)) |
         bank::state::kOpenMessages.put(std::min(state.open_messages, bank::state::kOpenMessages.maximum()));
}

std::uint32_t DebugBank::fault_detail(unsigned core) const {
  const CoreState state = machine_.state(core);
  return state.phase == Phase::faulted ? fault_of(state.fault, {core, state.counter}, program_).detail : 0;
}

std::uint64_t DebugBank::count(unsigned core, unsigned number) const {
  return number < isa::pim::kCounts ? flat(machine_.counters(core))[number] : 0;
}

/// Breakpoints may name one instruction twice, so the machine's ones are set again after each change.
void DebugBank::set_breakpoint(unsigned core, unsigned index, std::uint32_t value) {
  namespace fields = bank::breakpoint::position;
  auto &own = cores_[core].breakpoints;
  const std::uint32_t before = own[index];
  own[index] = value;
  if (fields::kSet.get(before) != 0) machine_.set_breakpoint(core, fields::kInstruction.get(before), false);
  for (const std::uint32_t breakpoint : own) {
    if (fields::kSet.get(breakpoint) != 0) machine_.set_breakpoint(core, fields::kInstruction.get(breakpoint), true);
  }
}

std::uint64_t DebugBank::halted() const {
  std::uint64_t halted = 0;
  for (unsigned core = 0; core < machine_.cores(); ++core) {
    if (machine_.state(core).phase == Phase::halted) halted |= std::uint64_t{1} << core;
  }
  return halted;
}

}  // namespace cox::model::pim
