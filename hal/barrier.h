// SPDX-License-Identifier: MIT
// Keeps accesses to device registers and to memory shared with the device in order: the target is weakly ordered, and compilers reorder
// too. Headers of the HAL have their few instructions of the core themselves: CMSIS-Core would need the program's device header before it.
#pragma once

#if defined(COX_HAL_NATIVE)
#include "coxswain/hal/native_bus.h"
#endif

namespace cox::hal {

/// Keeps all earlier reads and writes before all later ones. It does not wait for them to complete. Examples of places that need it:
/// - between the write of the last slot and the write of its doorbell;
/// - between the read of a completion's phase bit and the reads of the rest of the completion;
/// - between the read of the last entry and the write of HEAD that gives the entry back.
inline void memory_barrier() {
#if defined(COX_HAL_NATIVE)
  // The model runs in the same thread, so only the compiler could reorder.
  __asm volatile("" ::: "memory");
  native::barrier();
#else
  __asm volatile("dmb 0xf" ::: "memory");
#endif
}

}  // namespace cox::hal
