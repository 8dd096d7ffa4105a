// SPDX-License-Identifier: MIT
// The watchdog's functions for start-up code and exit(). hal/board.h has those for the firmware.
#pragma once

namespace cox::board::watchdog {

/// Records the cause of the reset. Called once, before any call of reset_cause().
void note_reset();
/// Called when the program ends, because an ended program does not feed the watchdog.
void stop();

}  // namespace cox::board::watchdog
