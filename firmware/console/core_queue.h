// SPDX-License-Identifier: MIT
// Names of the cores' queues. add_core_queue() is defined in a folder below this one.
#pragma once

#include "coxswain/firmware/console/text.h"

namespace cox::firmware::console {

/// Appends the name of a core's queue, for example "LD of core 1". `queue` is below registers::kFirstEngineQueueNumber.
Text &add_core_queue(Text &text, unsigned queue);

}  // namespace cox::firmware::console
