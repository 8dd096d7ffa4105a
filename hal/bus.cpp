// SPDX-License-Identifier: MIT
// For boards on which core and bus have the same addresses.
#include "coxswain/hal/cox_bus.h"

#include <cstdint>

extern "C" [[gnu::weak]] std::uint64_t cox_bus_address(const void *memory) { return reinterpret_cast<std::uintptr_t>(memory); }

extern "C" [[gnu::weak]] void *cox_core_address(std::uint64_t address) {
  return reinterpret_cast<void *>(static_cast<std::uintptr_t>(address));  // NOLINT(performance-no-int-to-ptr): the same address
}
