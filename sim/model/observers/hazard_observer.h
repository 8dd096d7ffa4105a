// SPDX-License-Identifier: MIT
// Passes all instructions that the device runs to the hazard detectors (docs/hazards.md). Each hazard gives one line in the host's log.
#pragma once

#include <memory>
#include <vector>

#include "sim/model/hazard/order.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"
#include "sim/model/observers/engine_hazards.h"

namespace cox::model {

/// The detectors take the order of instructions from programs and queues, not from the times at which they happened to run.
class HazardObserver final : public Observer {
 public:
  explicit HazardObserver(const Host &host);

  [[nodiscard]] bool wants_touches() const override { return true; }
  void on_start(const InstructionEvent &event) override;
  void on_end(const InstructionEvent &event) override;
  void on_context_reset(unsigned context, Cycle now) override;
  void on_engine_reset(registers::Engine engine, unsigned core, Cycle now) override;
  void on_interrupt(unsigned /*line*/, bool /*level*/, Cycle /*now*/) override {}

 private:
  struct Engine {
    registers::Engine id;
    std::unique_ptr<hazard::Order> order;
  };
  [[nodiscard]] hazard::Order &order_of(registers::Engine engine) const;

  std::vector<Engine> engines_;
  EngineHazards between_;
};

}  // namespace cox::model
