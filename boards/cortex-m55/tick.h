// SPDX-License-Identifier: MIT
// The board's clock: SysTick, with BOARD_TICKS_PER_SECOND ticks. hal/board.h declares microseconds().
#pragma once

namespace cox::board::tick {

void start();
/// Stops the tick, so that it does not wake a core that has halted.
void stop();

}  // namespace cox::board::tick
