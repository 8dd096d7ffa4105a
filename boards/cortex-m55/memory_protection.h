// SPDX-License-Identifier: MIT
// The MPU: code is read-only, nothing else is executed, registers are device memory, and what is not in the map is not there.
#pragma once

namespace cox::board::memory_protection {

/// False if the core's MPU has too few regions.
[[nodiscard]] bool start();

}  // namespace cox::board::memory_protection
