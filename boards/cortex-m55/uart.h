// SPDX-License-Identifier: MIT
// The console: a CMSDK APB UART (Arm DDI 0479, 4.3). hal/board.h has the two console functions for firmware.
#pragma once

namespace cox::board::uart {

/// Enables transmitter, receiver and the receive interrupt.
void start();

}  // namespace cox::board::uart
