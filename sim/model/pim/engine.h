// SPDX-License-Identifier: MIT
// The PIM engine: takes programs from its ring one after another, and runs each on its cores (docs/model.md, The PIM cores).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model/device/serial_engine.h"
#include "sim/model/options.h"
#include "sim/model/pim/configuration/settings.h"
#include "sim/model/pim/debug_bank.h"
#include "sim/model/pim/dram_port.h"
#include "sim/model/pim/events.h"
#include "sim/model/pim/machine/machine.h"

namespace cox::model::pim {

class Engine final : public SerialEngine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::pim;

  Engine(const Surroundings &surroundings, const Options &options);

  [[nodiscard]] Cycle next_event(unsigned unit, Cycle enabled_at) const override;
  void step_ends(unsigned unit, Cycle now) override;
  void step_starts(unsigned unit, Cycle now, Cycle enabled_at) override;
  void pause(unsigned unit, Cycle now) override;
  void resume(unsigned unit, Cycle now, Cycle stood) override;
  void slow_down(Cycle /*now*/, std::uint64_t factor) override { machine_.slow_down(factor); }

  void reset(unsigned unit, Cycle now) override;
  void power_on() override;

  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const override { return bank_.read(name, index, value); }
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) override;

 private:
  /// Phases of the program at the head of the ring.
  enum class Phase : std::uint8_t {
    fetch,  ///< the engine clears memories of another owner, and fetches the program until `fetched_at_`
    run,    ///< the cores run
  };

  void begin_program(Cycle now);
  [[nodiscard]] Cycle clear_for_owner();
  void start_cores(Cycle now);
  [[nodiscard]] Fault fetch_program(Cycle now);
  void end_program(Cycle now);
  void run_until(Cycle now);
  [[nodiscard]] bool aborted() const { return executing() && context().quarantined; }

  Settings settings_;
  Machine machine_;
  DramPort dram_;
  Events events_;
  DebugBank bank_;

  std::optional<std::uint32_t> owner_;  ///< owner whose data the memories hold
  Phase phase_ = Phase::fetch;
  Cycle fetched_at_ = 0;
  bool paused_ = false;           ///< the engine has no clock
  Cycle started_at_ = 0;          ///< when the engine took the program
  Cycle stood_ = 0;               ///< cycles in which a stopped clock or an injected fault held up the program
  std::vector<std::byte> bytes_;  ///< the program
  std::optional<isa::pim::Program> program_;
};

}  // namespace cox::model::pim
