// SPDX-License-Identifier: MIT
// Defaults of the hooks.
#include "boards/cortex-m55/hooks.h"

#include <cstdint>

#include "boards/cortex-m55/device.h"

[[gnu::weak]] void board_early_init() {}
[[gnu::weak]] void board_init_clocks() { SystemCoreClockUpdate(); }
[[gnu::weak]] std::uint64_t board_dram_size() { return BOARD_DRAM_SIZE_DEFAULT; }
[[gnu::weak]] int board_accelerator_present() { return 1; }
