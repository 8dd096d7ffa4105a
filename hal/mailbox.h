// SPDX-License-Identifier: MIT
// The mailbox (docs/host.md): the host rings the control core when it has submitted jobs, and the control core rings the host when jobs
// have ended. Registers: device/mailbox.h. On a board without a mailbox the functions do nothing.
#pragma once

#include "coxswain/hal/board.h"

namespace cox::hal::mailbox {

/// Connects the interrupt of the host's rings. The handler first clears the ring, then calls `rung`. A ring after the call therefore
/// interrupts again, and no ring is lost if the program looks for jobs after `rung`. `rung` must not be null.
void connect(board::InterruptHandler rung);

/// Rings the host, if connect() was called. All that was written before is in memory, or in the cache, before the ring.
void ring_host();

}  // namespace cox::hal::mailbox
