// SPDX-License-Identifier: MIT
// The clock of a core or of an engine. It runs while firmware enables it and no fault has stopped it (docs/model.md, Clocks).
#pragma once

#include <cstdint>

#include "sim/model/geometry.h"

namespace cox::model {

class Clock {
 public:
  [[nodiscard]] bool running() const { return enabled_ && !failed_; }
  /// The time when the clock last started or stopped.
  [[nodiscard]] Cycle since() const { return since_; }
  /// Number of cycles that the clock has run since power-on.
  [[nodiscard]] std::uint64_t cycles(Cycle now) const { return ran_ + (running() ? now - since_ : 0); }

  // enable() and fail() return true if the call starts or stops the clock.
  [[nodiscard]] bool enable(bool enabled, Cycle now) { return change(enabled, failed_, now); }
  [[nodiscard]] bool fail(bool failed, Cycle now) { return change(enabled_, failed, now); }
  /// Called at power-on: the count of cycles restarts at 0.
  void forget(Cycle now) {
    ran_ = 0;
    since_ = now;
  }

 private:
  bool change(bool enabled, bool failed, Cycle now) {
    const bool before = running();
    const std::uint64_t ran = cycles(now);
    enabled_ = enabled;
    failed_ = failed;
    if (running() == before) return false;
    ran_ = ran;
    since_ = now;
    return true;
  }

  bool enabled_ = true;
  bool failed_ = false;
  Cycle since_ = 0;
  std::uint64_t ran_ = 0;
};

}  // namespace cox::model
