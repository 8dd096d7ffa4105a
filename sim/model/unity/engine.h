// SPDX-License-Identifier: MIT
// The Unity engine: takes containers from its ring one after another, and runs each on its units (docs/model.md, The Unity units).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model/device/serial_engine.h"
#include "sim/model/options.h"
#include "sim/model/unity/dram_port.h"
#include "sim/model/unity/events.h"
#include "sim/model/unity/geometry.h"
#include "sim/model/unity/machine/machine.h"
#include "sim/model/unity/registers.h"

namespace cox::model::unity {

class Engine final : public SerialEngine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::unity;

  Engine(const Surroundings &surroundings, const Options &options);

  [[nodiscard]] Cycle next_event(unsigned unit, Cycle enabled_at) const override;
  void step_ends(unsigned unit, Cycle now) override;
  void step_starts(unsigned unit, Cycle now, Cycle enabled_at) override;
  void pause(unsigned unit, Cycle now) override;
  void resume(unsigned unit, Cycle now, Cycle stood) override;
  void slow_down(Cycle /*now*/, std::uint64_t factor) override { machine_.slow_down(factor); }

  void reset(unsigned unit, Cycle now) override;
  void power_on() override;
  void on_context_reset(unsigned context) override { registers_.reset_context(context); }
  void on_owner_change(unsigned context) override { registers_.reset_context(context); }

  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const override {
    return registers_.read(name, index, value);
  }
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) override;

 private:
  /// Phases of the container at the head of the ring.
  enum class Phase : std::uint8_t {
    fetch,  ///< the engine fetches the container until `fetched_at_`
    run,    ///< the units run
  };

  void begin_container(Cycle now);
  [[nodiscard]] Fault fetch_container(Cycle now);
  void start_units(Cycle now);
  void run_until(Cycle now);
  void end_container(Cycle now);
  [[nodiscard]] bool aborted() const { return executing() && context().quarantined; }

  Geometry geometry_;
  Machine machine_;
  DramPort dram_;
  Events events_;
  Registers registers_;

  Phase phase_ = Phase::fetch;
  Cycle fetched_at_ = 0;
  bool paused_ = false;           ///< the engine has no clock
  Cycle started_at_ = 0;          ///< when the engine took the container
  Cycle stood_ = 0;               ///< cycles in which a stopped clock or an injected fault held up the container
  std::vector<std::byte> bytes_;  ///< the container
  std::optional<isa::unity::Container> container_;
};

}  // namespace cox::model::unity
