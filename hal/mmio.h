// SPDX-License-Identifier: MIT
// All accesses to device registers: one volatile load or store on the target, one call through hal/native_bus.h in a host process. Callers
// name registers as in CMSIS (`COX_NPU->CYCLE_LO`) in both cases.
#pragma once

#include <cstdint>

#if defined(COX_HAL_NATIVE)
#include "coxswain/hal/native_bus.h"
#endif

namespace cox::hal::mmio {

/// Reads a register once.
[[nodiscard]] inline std::uint32_t read(const volatile std::uint32_t &reg) {
#if defined(COX_HAL_NATIVE)
  return native::read(reinterpret_cast<std::uintptr_t>(&reg));
#else
  return reg;
#endif
}

/// Writes a register once.
inline void write(volatile std::uint32_t &reg, std::uint32_t value) {
#if defined(COX_HAL_NATIVE)
  native::write(reinterpret_cast<std::uintptr_t>(&reg), value);
#else
  reg = value;
#endif
}

/// Reads a 64-bit counter whose low half latches the high half: low first, then high.
[[nodiscard]] inline std::uint64_t read_counter(const volatile std::uint32_t &low, const volatile std::uint32_t &high) {
  const std::uint32_t low_half = read(low);
  const std::uint32_t high_half = read(high);
  return static_cast<std::uint64_t>(high_half) << 32 | low_half;
}

}  // namespace cox::hal::mmio
