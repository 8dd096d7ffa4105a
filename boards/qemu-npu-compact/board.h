/* SPDX-License-Identifier: MIT */
/* The board qemu-npu-compact: a smaller SoC, with other addresses and interrupt numbers than qemu-npu-soc (docs/porting.md). Its numbers
 * are in board.json. */
#ifndef BOARDS_QEMU_NPU_COMPACT_BOARD_H
#define BOARDS_QEMU_NPU_COMPACT_BOARD_H

#include "board_map.h"
#include "boards/devices/simulated.h"

/* Options of start-up (docs/startup.md). */
#ifndef BOARD_SEMIHOSTING
#define BOARD_SEMIHOSTING 1 /* QEMU answers: programs that end, files of the host */
#endif

#endif
