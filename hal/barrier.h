// SPDX-License-Identifier: MIT
// Order between memory that the device shares and device registers. The target is weakly ordered, and compilers are everywhere.
#pragma once

#if !defined(COX_HAL_NATIVE)
#include "device/npu.h"
// The core header wants the device header before it.
#include "core_cm55.h"
#endif

namespace cox::hal {

/// What was read and written before is done before what follows. Needed between the last slot and its doorbell, between a
/// completion's phase bit and the rest of it, and between the last entry read and the HEAD that gives it back.
inline void memory_barrier() {
#if defined(COX_HAL_NATIVE)
  // The model runs in the same thread: only the compiler could reorder.
  __asm volatile("" ::: "memory");
#else
  __DMB();
#endif
}

}  // namespace cox::hal
