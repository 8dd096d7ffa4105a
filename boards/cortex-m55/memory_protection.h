// SPDX-License-Identifier: MIT
// The MPU: code is read-only, all other memory is not executable, registers are device memory, and any address outside the map faults.
#pragma once

namespace cox::board::memory_protection {

/// False if the core's MPU has too few regions.
[[nodiscard]] bool start();

}  // namespace cox::board::memory_protection
