// SPDX-License-Identifier: MIT
// Number of the Unity units (UNITY_UNITS in docs/registers.md).
#pragma once

#include "coxswain/base/result.h"

namespace cox::hal::unity {

/// Returns the number of units of a device that has the engine, 1 to 8. Error: unknown_device ("UNITY_UNITS.COUNT") for another number.
[[nodiscard]] Result<unsigned> read_units();

}  // namespace cox::hal::unity
