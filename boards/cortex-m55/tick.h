// SPDX-License-Identifier: MIT
// The board's clock: SysTick, which ticks BOARD_TICKS_PER_SECOND times a second. hal/board.h declares microseconds().
#pragma once

namespace cox::board::tick {

/// Returns false if SystemCoreClock does not fit the timer.
[[nodiscard]] bool start();
/// Stops the tick, so that it does not wake a core that has halted.
void stop();

}  // namespace cox::board::tick
