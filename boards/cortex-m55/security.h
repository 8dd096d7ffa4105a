// SPDX-License-Identifier: MIT
// The secure image of a board that is divided between the core's security states (docs/trustzone.md). boards/partition.py writes its map.
#pragma once

namespace cox::board::security {

/// Gives the non-secure part its memories, devices and interrupts: the regions of the SAU, the board's own controllers
/// (board_open_nonsecure()), the interrupts' states, the FPU, and faults other than SecureFault. Until then, everything is secure.
void divide();

/// Begins the non-secure image at the vector table in its code memory. If that image is absent, prints a message and ends the program.
[[noreturn]] void start_nonsecure();

}  // namespace cox::board::security

extern "C" {

/// Hook for a board with controllers outside the core that keep non-secure accesses out. Default: nothing.
void board_open_nonsecure(void);

}  // extern "C"
