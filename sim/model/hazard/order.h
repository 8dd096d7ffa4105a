// SPDX-License-Identifier: MIT
// What an engine knows about the order of its own instructions (docs/hazards.md).
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/model/observer.h"

namespace cox::model::hazard {

/// Finds hazards between the instructions of one engine, and warns of them. A derived class knows the rules that order these instructions,
/// such as tokens or flags. HazardObserver passes the engine's events to it. Hazards between engines are found elsewhere
/// (sim/model/observers/engine_hazards.h).
class Order {
 public:
  Order() = default;
  Order(const Order &) = delete;
  Order &operator=(const Order &) = delete;
  virtual ~Order() = default;

  /// The name of the instruction in warnings about several engines.
  [[nodiscard]] virtual std::string name(const InstructionEvent &event) const = 0;
  virtual void on_start(const InstructionEvent & /*event*/) {}
  virtual void on_end(const InstructionEvent & /*event*/) {}
  virtual void on_context_reset(unsigned /*context*/) {}
  /// Core `core` of the engine was reset. If the engine has no cores, the whole engine was reset.
  virtual void on_engine_reset(unsigned /*core*/) {}
};

/// For an engine that runs its streams one instruction after another. Such an engine has no hazards between its own instructions.
class StreamOrder : public Order {
 public:
  [[nodiscard]] std::string name(const InstructionEvent &event) const override {
    return fmt::format("{} {} at {} of stream {}, context {}", registers::row_of(event.engine).name, event.name, event.position,
                       event.index, event.context);
  }
};

}  // namespace cox::model::hazard
