// SPDX-License-Identifier: MIT
// The matrix unit's dispatcher: fetches and checks the slots of a stream in program order (docs/model.md, Faults of the matrix unit). The
// engine decides when the dispatcher fetches a slot, and passes the slot to its pipe.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/isa/cube/operation.h"
#include "sim/model/cube/flags.h"
#include "sim/model/cube/geometry.h"
#include "sim/model/cube/slot.h"
#include "sim/model/device/fault.h"
#include "sim/model/device/stream_port.h"

namespace cox::model::cube {

class Dispatcher {
 public:
  Dispatcher(const StreamPort &port, const Geometry &geometry) : port_(port), geometry_(geometry) {}

  /// Forgets flags and configuration. Called before a stream that does not continue the one before it.
  void forget();
  /// Begins a stream: the next call of next() fetches its first slot.
  void begin(const Stream &stream);
  /// Fetches and checks the next slot; `windows` are the windows of its context. If the dispatcher refuses the slot, `slot` holds
  /// only what was decoded by then, and nothing else has changed.
  [[nodiscard]] Fault next(std::span<const isa::Window> windows, Slot &slot, Cycle now);
  [[nodiscard]] bool at_end() const { return offset_ == bytes_; }

  /// Returns whether the slots so far, in program order, have set flags that no slot has taken.
  [[nodiscard]] bool flags_left() const { return flags_.any(); }

 private:
  [[nodiscard]] Fault fetch(Slot &slot, Cycle now) const;
  [[nodiscard]] Fault admit(std::span<const isa::Window> windows, Slot &slot);
  [[nodiscard]] Fault check_flags(const Slot &slot) const;

  const StreamPort &port_;
  const Geometry &geometry_;
  std::uint64_t address_ = 0;
  std::uint32_t bytes_ = 0, offset_ = 0, stream_ = 0;
  std::uint64_t sequence_ = 0;
  isa::cube::Configuration configuration_;
  FlagCounters flags_;
};

}  // namespace cox::model::cube
