// SPDX-License-Identifier: MIT
// The watchdog, for start-up code; for everybody else hal/board.h has it.
#pragma once

namespace cox::board::watchdog {

/// Once, before anything else asks reset_cause().
void note_reset();
/// Called when the program ends: nothing feeds the watchdog from here on.
void stop();

}  // namespace cox::board::watchdog
