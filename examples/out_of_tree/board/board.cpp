// SPDX-License-Identifier: MIT
// The hooks of the board. Start-up has defaults for all others (boards/cortex-m55/hooks.h).
#include "board.h"

#include <cstdint>

#include "boards/cortex-m55/hooks.h"

// On silicon the memory controller would say it, or the package's type.
std::uint64_t board_dram_size() { return BOARD_DRAM_SIZE_DEFAULT; }
