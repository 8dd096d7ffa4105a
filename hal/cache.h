// SPDX-License-Identifier: MIT
// Coherence of cached DRAM with the accelerator, which reads and writes memory behind the core's data cache. Queue memory is not
// cached and needs none of this. In a host process there is nothing to do.
#pragma once

#include <cstddef>

#if !defined(COX_HAL_NATIVE)
#include <cstdint>

#include "device/npu.h"
// core_cm55.h needs device/npu.h before it.
#include "core_cm55.h"
#endif

namespace cox::hal {

/// Writes the core's changes in [data, data + bytes) to memory, so that the device sees them. The range has at most 2 GiB.
inline void clean_cache([[maybe_unused]] const void *data, [[maybe_unused]] std::size_t bytes) {
#if !defined(COX_HAL_NATIVE)
  SCB_CleanDCache_by_Addr(const_cast<void *>(data), static_cast<std::int32_t>(bytes));
#endif
}

/// Drops the core's cached copy of [data, data + bytes), so that the core sees what the device wrote. Changes by the core that were not
/// cleaned are lost, in this range and in the cache lines at its ends. The range has at most 2 GiB.
inline void invalidate_cache([[maybe_unused]] void *data, [[maybe_unused]] std::size_t bytes) {
#if !defined(COX_HAL_NATIVE)
  SCB_InvalidateDCache_by_Addr(data, static_cast<std::int32_t>(bytes));
#endif
}

}  // namespace cox::hal
