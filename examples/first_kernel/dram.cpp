// SPDX-License-Identifier: MIT
#include "examples/first_kernel/dram.h"

#include "hal/board.h"

uint64_t first_kernel_dram() { return cox::board::dram_base(); }
