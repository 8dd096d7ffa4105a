// SPDX-License-Identifier: MIT
// Names of the queues of tile cores.
#pragma once

#include "firmware/console/text.h"

namespace cox::firmware::console::tile {

/// Appends "LD of core 1" for a queue number below registers::kFirstEngineQueueNumber.
Text &add_queue(Text &text, unsigned queue);

}  // namespace cox::firmware::console::tile
