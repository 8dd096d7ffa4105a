// SPDX-License-Identifier: MIT
// The PIM engine in the model: it takes programs from its ring one after another (docs/model.md, The PIM engine).
#pragma once

#include "sim/model/device/serial_engine.h"
#include "sim/model/options.h"
#include "sim/model/pim/geometry.h"

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
  void power_on() override;
  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const override;

 private:
  Geometry geometry_;
};

}  // namespace cox::model::pim
