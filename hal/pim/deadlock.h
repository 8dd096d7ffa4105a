// SPDX-License-Identifier: MIT
// The cores of a deadlock (PIM_WAITING_LO and PIM_WAITING_HI in docs/registers.md).
#pragma once

#include <cstdint>

namespace cox::hal::pim {

/// Returns the cores that could not go on when the last program ended with FaultCode::deadlock: bit i is core i.
[[nodiscard]] std::uint64_t read_waiting();

}  // namespace cox::hal::pim
