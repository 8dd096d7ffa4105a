// SPDX-License-Identifier: MIT
// board::wait_for_completion() without a call, for the inner loops of the firmware.
#pragma once

#include <cstdint>

#include "coxswain/hal/board.h"
#if !defined(COX_HAL_NATIVE)
#include "coxswain/hal/soc.h"
#endif

namespace cox::hal {

/// As board::wait_for_completion().
inline void sleep_until_completion() {
#if defined(COX_HAL_NATIVE)
  board::wait_for_completion();
#else
  // An interrupt stays pending after its line went low, so clear the pending state. If the line is high now, the interrupt becomes pending
  // again at once and ends the sleep.
  cox_npu_completion_register = reinterpret_cast<std::uintptr_t>(cox_npu_completion_bit);
  __asm volatile("dsb 0xf\n\twfi" ::: "memory");
#endif
}

}  // namespace cox::hal
