// SPDX-License-Identifier: MIT
// The Unity engine: takes containers from its ring one after another, and runs each on its units (docs/model.md, The Unity units).
#pragma once

#include <optional>

#include "sim/model/device/program_engine.h"
#include "sim/model/options.h"
#include "sim/model/unity/dram_port.h"
#include "sim/model/unity/events.h"
#include "sim/model/unity/geometry.h"
#include "sim/model/unity/machine/machine.h"
#include "sim/model/unity/peers.h"
#include "sim/model/unity/registers.h"

namespace cox::model::unity {

class Engine final : public ProgramEngine<Machine, DramPort> {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::unity;

  Engine(const Surroundings &surroundings, const Options &options);

  void power_on() override;
  /// The key tables are 0 after it: a container that was stopped leaves no keys to the next one.
  void reset(unsigned unit, Cycle now) override;
  void on_context_reset(unsigned context) override { registers_.reset_context(context); }
  void on_owner_change(unsigned context) override { registers_.reset_context(context); }

  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const override {
    return registers_.read(name, index, value);
  }
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) override;

 private:
  Engine(const Surroundings &surroundings, const Options &options, const Geometry &geometry);

  void forget_program() override;
  [[nodiscard]] Fault check_address(std::uint64_t address) const override;
  [[nodiscard]] Fault open_program() override;
  [[nodiscard]] Cycle fetch_cycles() override;
  void start_program(Cycle now) override;
  void report_outcome() override;

  [[nodiscard]] bool knows_fault() const override { return gate_.has_failed(); }
  [[nodiscard]] bool has_drained() const override { return gate_.has_drained(); }

  Geometry geometry_;
  PeerGate gate_;
  Events events_;
  Registers registers_;
  std::optional<isa::unity::Container> container_;
};

}  // namespace cox::model::unity
