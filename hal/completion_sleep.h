// SPDX-License-Identifier: MIT
// board::wait_for_completion() without a call, for the inner loops of the firmware.
#pragma once

#include "coxswain/hal/barrier.h"
#include "coxswain/hal/board.h"

namespace cox::hal {

/// As board::wait_for_completion().
inline void sleep_until_completion() {
#if defined(COX_HAL_NATIVE)
  board::wait_for_completion();
#else
  // An interrupt stays pending after its line went low, so clear the pending state. If the line is high now, the interrupt becomes pending
  // again at once and ends the sleep.
  constexpr unsigned kInterrupt = NPU_COMPLETION_IRQ;
  NVIC->ICPR[kInterrupt / 32] = 1U << kInterrupt % 32;
  __DSB();
  __WFI();
#endif
}

}  // namespace cox::hal
