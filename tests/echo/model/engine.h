// SPDX-License-Identifier: MIT
// The model of the echo engine, which runs the streams of its ring one after another. It shows the least that an engine implements.
#pragma once

#include <vector>

#include "sim/model/device/serial_engine.h"
#include "sim/model/options.h"
#include "tests/echo/isa/echo.h"

namespace cox::model::echo {

class Engine final : public SerialEngine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::echo;
  static constexpr Cycle kSetupCycles = 32;    ///< of each instruction
  static constexpr Cycle kBytesPerCycle = 16;  ///< of the engine's own port

  Engine(const Surroundings &surroundings, const Options &options);

  [[nodiscard]] Cycle next_event(unsigned unit, Cycle enabled_at) const override;
  void step_ends(unsigned unit, Cycle now) override;
  void step_starts(unsigned unit, Cycle now, Cycle enabled_at) override;
  void pause(unsigned unit, Cycle now) override;
  void resume(unsigned unit, Cycle now, Cycle stood) override;
  void power_on() override {}

 private:
  void begin_instruction(Cycle now);
  /// Reads and checks the instruction at `position_`.
  [[nodiscard]] Fault fetch(Cycle now);
  void finish_instruction(Cycle now);
  [[nodiscard]] Fault take_effect(Cycle now);

  // The instruction that runs.
  isa::echo::Set::Fetched fetched_;
  isa::echo::Operation operation_;
  std::vector<Touch> touches_;
  Cycle end_ = kNever;
};

}  // namespace cox::model::echo
