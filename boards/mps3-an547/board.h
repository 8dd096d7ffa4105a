/* SPDX-License-Identifier: MIT */
/* The board mps3-an547 (docs/mps3-an547.md). Its numbers are in board.json. */
#ifndef BOARDS_MPS3_AN547_BOARD_H
#define BOARDS_MPS3_AN547_BOARD_H

#include "board_map.h"

#include "boards/devices/simulated.h"

#ifndef BOARD_SEMIHOSTING
#define BOARD_SEMIHOSTING 1 /* under QEMU programs end by it; without a host that answers, start-up goes on */
#endif

#endif
