// SPDX-License-Identifier: MIT
// The register bank of the PIM cores (docs/registers.md): configuration, debugger, counts.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/pim/description.h"
#include "sim/model/engine.h"
#include "sim/model/pim/machine/machine.h"

namespace cox::model::pim {

class DebugBank {
 public:
  using Index = model::Engine::Index;

  /// `machine` outlives this object.
  explicit DebugBank(Machine &machine) : machine_(machine), description_(isa::pim::describe(machine.configuration())) {}

  /// Clears breakpoints and what software has written. The caller resets the machine.
  void power_on();
  /// `waiting` are the cores that could not go on, bit i core i.
  void set_waiting(std::uint64_t waiting) { waiting_ = waiting; }
  /// The program to which positions belong; nullptr: none.
  void set_program(const isa::pim::Program *program) { program_ = program; }

  // As Engine::read() and Engine::write().
  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const;
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, const char *&reason);

 private:
  struct Core {
    std::array<std::uint32_t, registers::pim_core::breakpoint::kCount> breakpoints{};
    std::uint32_t address = 0;
    mutable std::uint32_t latched_count = 0;  ///< high half of the count that was read last
  };

  [[nodiscard]] bool is_of_core(registers::Name name) const;
  [[nodiscard]] std::uint32_t read_core(registers::Name name, unsigned core, std::uint32_t index) const;
  [[nodiscard]] const char *write_core(registers::Name name, unsigned core, std::uint32_t index, std::uint32_t value);
  /// Returns whether software may change the core.
  [[nodiscard]] bool stands(unsigned core) const;
  [[nodiscard]] std::span<std::byte> word(unsigned core) const;
  [[nodiscard]] std::uint32_t read_register(unsigned core, unsigned number) const;
  [[nodiscard]] const char *write_register(unsigned core, unsigned number, std::uint32_t value);
  [[nodiscard]] std::uint32_t state(unsigned core) const;
  [[nodiscard]] std::uint32_t fault_detail(unsigned core) const;
  [[nodiscard]] std::uint64_t count(unsigned core, unsigned number) const;
  void set_breakpoint(unsigned core, unsigned index, std::uint32_t value);
  [[nodiscard]] std::uint64_t halted() const;
  template <typename Act>
  void for_each_core(unsigned first, std::uint32_t mask, Act act);

  Machine &machine_;
  isa::pim::Description description_;
  std::uint32_t description_index_ = 0;
  std::uint64_t waiting_ = 0;
  const isa::pim::Program *program_ = nullptr;
  std::array<Core, isa::pim::kMostCores> cores_;
};

}  // namespace cox::model::pim
