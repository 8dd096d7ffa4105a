// SPDX-License-Identifier: MIT
// Time of the board: SysTick, BOARD_TICKS_PER_SECOND. hal/board.h has microseconds().
#pragma once

namespace cox::board::tick {

void start();
/// For a core that is to sleep for good.
void stop();

}  // namespace cox::board::tick
