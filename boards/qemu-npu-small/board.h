/* SPDX-License-Identifier: MIT */
/* The board qemu-npu-small: the smallest SoC that runs the firmware with one tile core (docs/porting.md). Its numbers are in board.json. */
#ifndef BOARDS_QEMU_NPU_SMALL_BOARD_H
#define BOARDS_QEMU_NPU_SMALL_BOARD_H

#include "board_map.h"
#include "boards/devices/simulated.h"

#endif
