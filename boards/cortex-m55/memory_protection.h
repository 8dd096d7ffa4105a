// SPDX-License-Identifier: MIT
// The MPU: code is read-only, all other memory is not executable, registers are device memory, and any address outside the map faults.
#pragma once

namespace cox::board::memory_protection {

/// Enables the MPU with the board's regions. Returns false if the core's MPU has too few regions.
[[nodiscard]] bool start();

}  // namespace cox::board::memory_protection
