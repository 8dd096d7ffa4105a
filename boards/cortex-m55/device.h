/* SPDX-License-Identifier: MIT */
/*
 * What the shared code of boards includes for the control core: the board's header, which has the memory map (BOARD_*) and the device
 * header of the SoC. For a board that names no other, this is npu_soc.h. Interrupts are named by their BOARD_*_IRQ numbers, because the
 * device header of a vendor has names of its own.
 */
#ifndef BOARDS_CORTEX_M55_DEVICE_H
#define BOARDS_CORTEX_M55_DEVICE_H

#include "board.h"

/* All device headers for this core define it. */
#ifndef __CM55_REV
#include "coxswain/device/npu_soc.h"
#endif

/* Options of board.h. */
#ifndef BOARD_CACHES
#define BOARD_CACHES 0 /* 1: start-up enables the core's caches */
#endif
#ifndef BOARD_SEMIHOSTING
#define BOARD_SEMIHOSTING 0 /* 1: exit() and files of the host by semihosting calls */
#endif

#define BOARD_IRQN(NUMBER) ((IRQn_Type)(NUMBER))

#endif
