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
#endif

namespace cox::hal {

/// Bytes of a line of the Cortex-M55's data cache.
inline constexpr std::size_t kCacheLine = 32;

#if !defined(COX_HAL_NATIVE)
/// Registers that take the address of a data cache line and maintain the line (Arm v8-M, D1.2: DCIMVAC, DCCMVAC, DCCIMVAC).
enum class CacheOperation : std::uintptr_t { invalidate = 0xE000EF5C, clean = 0xE000EF68, clean_and_invalidate = 0xE000EF70 };

/// Does `operation` for each line of [data, data + bytes). One function for all callers, because the image has many.
[[gnu::noinline]] inline void maintain_lines(CacheOperation operation, const volatile void *data, std::size_t bytes) {
  if (bytes == 0) return;
  auto line = reinterpret_cast<std::uintptr_t>(data);
  std::size_t lines = ((line & (kCacheLine - 1)) + bytes + kCacheLine - 1) / kCacheLine;
  auto *const target = reinterpret_cast<volatile std::uintptr_t *>(operation);
  __asm volatile("dsb 0xf" ::: "memory");
  // The operations ignore the address's bits within the line. A loop of this form has three instructions.
  do {
    *target = line;
    line += kCacheLine;
  } while (--lines != 0);
  __asm volatile("dsb 0xf\n\tisb 0xf" ::: "memory");
}
#endif

/// Writes the core's changes in [data, data + bytes) to memory, so that the device sees them. The call returns when memory has the bytes,
/// so a later write cannot overtake them.
inline void clean_cache(const void *data, std::size_t bytes) {
#if defined(COX_HAL_NATIVE)
  native::maintain_cache(native::CacheOperation::clean, data, bytes);
#else
  maintain_lines(CacheOperation::clean, data, bytes);
#endif
}

/// Drops the core's cached copy of [data, data + bytes), so that the core sees what the device wrote. Changes by the core that were not
/// cleaned are lost, in this range and in the cache lines at its ends.
inline void invalidate_cache(void *data, std::size_t bytes) {
#if defined(COX_HAL_NATIVE)
  native::maintain_cache(native::CacheOperation::invalidate, data, bytes);
#else
  maintain_lines(CacheOperation::invalidate, data, bytes);
#endif
}

/// Writes the core's changes in [data, data + bytes) to memory and drops the core's copy. Call it before the device writes to the range: a
/// changed line that stayed in the cache could be written back later, over the device's bytes.
inline void clean_and_invalidate_cache(void *data, std::size_t bytes) {
#if defined(COX_HAL_NATIVE)
  native::maintain_cache(native::CacheOperation::clean_and_invalidate, data, bytes);
#else
  maintain_lines(CacheOperation::clean_and_invalidate, data, bytes);
#endif
}

}  // namespace cox::hal
