// SPDX-License-Identifier: MIT
// The PIM engine: takes programs from its ring one after another, and runs each on its cores (docs/model.md, The PIM cores).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model/device/program_engine.h"
#include "sim/model/options.h"
#include "sim/model/pim/configuration/settings.h"
#include "sim/model/pim/debug_bank.h"
#include "sim/model/pim/dram_port.h"
#include "sim/model/pim/events.h"
#include "sim/model/pim/machine/machine.h"

namespace cox::model::pim {

class Engine final : public ProgramEngine<Machine, DramPort> {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::pim;

  Engine(const Surroundings &surroundings, const Options &options);

  void power_on() override;

  [[nodiscard]] std::vector<EnergyPart> energy() const override;

  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const override { return bank_.read(name, index, value); }
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) override;

 private:
  Engine(const Surroundings &surroundings, const Options &options, const Settings &settings);

  void forget_program() override;
  [[nodiscard]] Fault open_program() override;
  [[nodiscard]] Cycle fetch_cycles() override;
  void start_program(Cycle now) override;
  void report_outcome() override;
  [[nodiscard]] Cycle clear_for_owner();

  Settings settings_;
  Events events_;
  DebugBank bank_;
  std::optional<std::uint32_t> owner_;  ///< owner whose data the memories hold
  std::optional<isa::pim::Program> program_;
  std::optional<EnergyUsed> energy_;  ///< of all programs that have ended
};

}  // namespace cox::model::pim
