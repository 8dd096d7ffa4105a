// SPDX-License-Identifier: MIT
// The matrix unit's dispatcher: slots of a stream in program order, fetched and checked (docs/model.md, Faults of the matrix unit). When
// it does so and where the slots go is the engine's.
#pragma once

#include <cstdint>
#include <span>

#include "isa/cube/operation.h"
#include "sim/model/cube/flags.h"
#include "sim/model/cube/geometry.h"
#include "sim/model/cube/slot.h"
#include "sim/model/device/fault.h"
#include "sim/model/device/stream_port.h"

namespace cox::model::cube {

class Dispatcher {
 public:
  /// `port`: of the engine that it is a part of.
  Dispatcher(const StreamPort &port, const Geometry &geometry) : port_(port), geometry_(geometry) {}

  /// What a stream that is joined to none begins with: no flags, no configuration.
  void forget();
  /// The stream's first slot is next.
  void begin(const Stream &stream);
  /// Fetches and checks the next slot, in whose context these windows are open. `slot` has what is known of it even where it is refused;
  /// then nothing else has changed.
  [[nodiscard]] Fault next(std::span<const isa::Window> windows, Slot &slot, Cycle now);
  [[nodiscard]] bool at_end() const { return offset_ == bytes_; }

  /// Of the slots so far, in program order: flags that nobody takes.
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
