// SPDX-License-Identifier: MIT
// The flag that keeps the main program awake.
#pragma once

namespace cox::firmware::schedule {

/// Interrupt handlers raise the flag when they have news for the main program. The main program clears it, then looks for news, then
/// sleeps (Scheduler::sleep()). A raised flag ends the sleep or prevents it, so that no news waits for a tick.
class WakeFlag {
 public:
  static void raise() { raised_ = true; }
  static void clear() { raised_ = false; }
  [[nodiscard]] static bool is_raised() { return raised_; }

 private:
  static inline volatile bool raised_ = false;
};

}  // namespace cox::firmware::schedule
