// SPDX-License-Identifier: MIT
// Watches for events that the device does not report: lost doorbells, lost completions, cores that were reset from outside, errors that ECC
// corrected (docs/scheduler.md, When something goes wrong).
#pragma once

#include <cstdint>

#include "coxswain/firmware/schedule/run_table.h"

namespace cox::firmware::schedule {

/// Shortest time, in microseconds, between two looks.
inline constexpr std::uint32_t kLookInterval = 1000;

class Watch {
 public:
  Watch(Dispatcher &dispatcher, RunTable &runs) : dispatcher_(dispatcher), runs_(runs) {}

  /// Begins to count corrected errors.
  void initialise();
  /// Reads the device's registers, unless the last look was less than kLookInterval ago. Call after initialise(), at each tick and, while
  /// completions keep the control core busy, about every kBusyLookInterval. `now` is in microseconds; interrupts are masked.
  void look(std::uint64_t now);

  [[nodiscard]] std::uint32_t lost_doorbells() const { return lost_doorbells_; }
  [[nodiscard]] std::uint32_t corrected_errors() const { return corrected_errors_; }

 private:
  void look_at_core(unsigned core);
  [[nodiscard]] bool is_quiet(const TaskRun &run) const;

  Dispatcher &dispatcher_;
  RunTable &runs_;
  std::uint64_t last_look_ = 0;         ///< in microseconds
  std::uint32_t corrected_before_ = 0;  ///< the device's counter of corrected errors at the last look
  std::uint32_t corrected_errors_ = 0;
  std::uint32_t lost_doorbells_ = 0;
};

}  // namespace cox::firmware::schedule
