/* SPDX-License-Identifier: MIT */
/* The board of this project. Its numbers are in board.json; here are the options of start-up. */
#ifndef BOARD_H
#define BOARD_H

#include "board_map.h"

#define BOARD_SEMIHOSTING 1 /* QEMU answers: the program ends with the status of main */

#endif
