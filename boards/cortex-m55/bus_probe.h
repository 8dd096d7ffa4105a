// SPDX-License-Identifier: MIT
// Looks whether a device answers, on boards that may lack it.
#pragma once

#include <cstdint>

#include "boards/cortex-m55/exception_frame.h"

namespace cox::board::bus_probe {

/// Reads the word at `address` into `*value`. Returns false if the bus answers with an error, which is a fault elsewhere. The MPU must
/// permit the access. Call it from the main program, not from handlers.
[[nodiscard]] bool read(std::uintptr_t address, std::uint32_t *value);

/// Called by the HardFault handler with the stacked registers. Returns true if read() caused the fault; execution then continues after the
/// load, and read() returns false.
bool recover(ExceptionFrame &frame);

}  // namespace cox::board::bus_probe
