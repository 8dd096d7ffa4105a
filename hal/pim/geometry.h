// SPDX-License-Identifier: MIT
// Number of the PIM cores (PIM_CORES in docs/registers.md).
#pragma once

#include "coxswain/base/result.h"

namespace cox::hal::pim {

/// Returns the number of cores of a device that has the engine, 1 to 64. Error: unknown_device ("PIM_CORES.COUNT") for another number.
[[nodiscard]] Result<unsigned> read_cores();

}  // namespace cox::hal::pim
