// SPDX-License-Identifier: MIT
// Blocks threads of the program's operating system, if it has one (hal/cox_os.h).
#pragma once

#include <cstdint>
#include <iterator>

#include "coxswain/device/engines.h"
#include "coxswain/hal/cox_os.h"

// A weak reference: the address is null in a program that does not define the function.
extern "C" [[gnu::weak]] void cox_os_wait(std::uint32_t engine);

namespace cox::hal {

/// True if waiting calls block their thread in cox_os_wait(). Otherwise they put the core to sleep.
[[nodiscard]] inline bool has_threads() { return cox_os_wait != nullptr; }

/// The engine's number in hal/cox_os.h.
[[nodiscard]] constexpr std::uint32_t os_number(registers::Engine engine) {
  return static_cast<std::uint32_t>(&registers::row_of(engine) - std::begin(registers::kEngineRows));
}
static_assert(std::size(registers::kEngineRows) <= COX_OS_ENGINES);

}  // namespace cox::hal
