// SPDX-License-Identifier: MIT
// The two kinds of addresses (docs/hal.md, Addresses). A pointer, a span and a std::uintptr_t belong to the control core. A std::uint64_t,
// a MemoryRange and a Window are of the bus. Only the functions of this file turn one kind into the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/memory_range.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cox_bus.h"

namespace cox::hal {

/// Returns the bus address of the first byte.
[[nodiscard]] inline std::uint64_t bus_address(const void *memory) { return cox_bus_address(memory); }
[[nodiscard]] inline std::uint64_t bus_address(std::span<const std::byte> memory) { return cox_bus_address(memory.data()); }

/// Returns the object at a bus address, which lies in memory of the core.
template <typename T>
[[nodiscard]] inline T *core_pointer(std::uint64_t address) {
  return static_cast<T *>(cox_core_address(address));
}

/// Returns the bus addresses of DRAM. Accelerator::open() has checked that they have no more bits than the core computes with.
[[nodiscard]] inline MemoryRange dram_range() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): memory of the map
  return {cox_bus_address(reinterpret_cast<const void *>(board::dram_base())), board::dram_size()};
}

}  // namespace cox::hal
