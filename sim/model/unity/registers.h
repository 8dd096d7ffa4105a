// SPDX-License-Identifier: MIT
// The register bank of the Unity engine (docs/registers.md): keys, contexts, what units wait for, counts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/engine.h"
#include "sim/model/unity/machine/machine.h"

namespace cox::model::unity {

class Registers {
 public:
  using Index = model::Engine::Index;

  /// What a context has configured.
  struct Context {
    std::uint64_t page = 0;
    unsigned key_tables = registers::unity_context::keys::kResetValue;
  };

  /// `machine` outlives this object.
  explicit Registers(Machine &machine) : machine_(machine) {}

  /// Clears what software has written. The caller resets the machine.
  void power_on();
  void reset_context(unsigned context) { contexts_[context] = {}; }
  [[nodiscard]] const Context &context(unsigned number) const { return contexts_[number]; }
  /// Units that waited when a container ended with a fault; empty when a container begins.
  void set_waiting(std::vector<Waiting> waiting) { waiting_ = std::move(waiting); }

  // As Engine::read() and Engine::write().
  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const;
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason);

 private:
  [[nodiscard]] isa::unity::Key key() const { return {static_cast<std::uint8_t>(key_ >> 8 & 3), static_cast<std::uint8_t>(key_)}; }
  /// Those of the container that runs, or of the last one.
  [[nodiscard]] std::vector<Waiting> waiting() const { return machine_.done() ? waiting_ : machine_.waiting(); }
  [[nodiscard]] std::uint32_t waiting_units() const;
  [[nodiscard]] std::uint32_t read_unit(registers::Name name, unsigned unit) const;

  Machine &machine_;
  std::uint32_t key_ = 0;
  std::vector<Waiting> waiting_;
  std::array<Context, registers::unity_context::kCount> contexts_{};
};

}  // namespace cox::model::unity
