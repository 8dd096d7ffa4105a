// SPDX-License-Identifier: MIT
// Coherence of cached DRAM with the accelerator and with other processors, which read and write memory behind the core's data cache. Queue
// memory is not cached and needs none of this. In a host process the calls go to hal/native_bus.h (docs/hal.md, Memory that is not
// coherent).
//
// Each function works on whole cache lines, also at the ends of the range. A range has at most 2 GiB.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(COX_HAL_NATIVE)
#include "coxswain/hal/native_bus.h"
#else
#include "coxswain/device/npu.h"
// core_cm55.h needs device/npu.h before it.
#include "core_cm55.h"
#endif

namespace cox::hal {

/// Bytes of a line of the Cortex-M55's data cache.
inline constexpr std::size_t kCacheLine = 32;
#if !defined(COX_HAL_NATIVE)
static_assert(kCacheLine == __SCB_DCACHE_LINE_SIZE);
#endif

/// Writes the core's changes in [data, data + bytes) to memory, so that the device sees them. The call returns when memory has the bytes,
/// so a later write cannot overtake them.
inline void clean_cache(const void *data, std::size_t bytes) {
#if defined(COX_HAL_NATIVE)
  native::maintain_cache(native::CacheOperation::clean, data, bytes);
#else
  SCB_CleanDCache_by_Addr(const_cast<void *>(data), static_cast<std::int32_t>(bytes));
#endif
}

/// Drops the core's cached copy of [data, data + bytes), so that the core sees what the device wrote. Changes by the core that were not
/// cleaned are lost, in this range and in the cache lines at its ends.
inline void invalidate_cache(void *data, std::size_t bytes) {
#if defined(COX_HAL_NATIVE)
  native::maintain_cache(native::CacheOperation::invalidate, data, bytes);
#else
  SCB_InvalidateDCache_by_Addr(data, static_cast<std::int32_t>(bytes));
#endif
}

/// Writes the core's changes in [data, data + bytes) to memory and drops the core's copy. Call it before the device writes to the range: a
/// changed line that stayed in the cache could be written back later, over the device's bytes.
inline void clean_and_invalidate_cache(void *data, std::size_t bytes) {
#if defined(COX_HAL_NATIVE)
  native::maintain_cache(native::CacheOperation::clean_and_invalidate, data, bytes);
#else
  SCB_CleanInvalidateDCache_by_Addr(data, static_cast<std::int32_t>(bytes));
#endif
}

}  // namespace cox::hal
