// SPDX-License-Identifier: MIT
// What an engine knows of the order of its own instructions (docs/hazards.md).
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/model/observer.h"

namespace cox::model::hazard {

/// An engine's source of order: tokens, flags, or whatever its programs say. It sees the events of its engine, finds the hazards between
/// instructions of that engine and warns of them. Hazards between engines are found without it.
class Order {
 public:
  Order() = default;
  Order(const Order &) = delete;
  Order &operator=(const Order &) = delete;
  virtual ~Order() = default;

  /// How warnings about several engines name the instruction.
  [[nodiscard]] virtual std::string name(const InstructionEvent &event) const = 0;
  virtual void on_start(const InstructionEvent & /*event*/) {}
  virtual void on_end(const InstructionEvent & /*event*/) {}
  virtual void on_context_reset(unsigned /*context*/) {}
  /// The engine, or its core with that number, was reset.
  virtual void on_engine_reset(unsigned /*core*/) {}
};

/// Of an engine that runs its streams one instruction after another: there is nothing to find between those.
class StreamOrder : public Order {
 public:
  [[nodiscard]] std::string name(const InstructionEvent &event) const override {
    return fmt::format("{} {} at {} of stream {}, context {}", registers::row_of(event.engine).name, event.name, event.position,
                       event.index, event.context);
  }
};

}  // namespace cox::model::hazard
