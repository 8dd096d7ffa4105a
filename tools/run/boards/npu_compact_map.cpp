// SPDX-License-Identifier: MIT
#include "boards/qemu-npu-compact/board.h"
#include "tools/run/boards/board_map.h"

namespace cox::tools::run {

const BoardMap kNpuCompact{"qemu-npu-compact", "npu-compact",           "qemu-npu-compact",
                           BOARD_DRAM_BASE,    BOARD_DRAM_SIZE_DEFAULT, BOARD_DRAM_SIZE_MAX};

}  // namespace cox::tools::run
