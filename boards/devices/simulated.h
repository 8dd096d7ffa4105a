/* SPDX-License-Identifier: MIT */
/*
 * The devices of the boards that QEMU has, wherever a board's memory map puts them: sizes in bytes, offsets of registers. Macros alone, for
 * the same readers as a board's board.h, which includes it.
 */
#ifndef BOARDS_DEVICES_SIMULATED_H
#define BOARDS_DEVICES_SIMULATED_H

#define BOARD_UART_SIZE 0x00001000
#define BOARD_WATCHDOG_SIZE 0x00001000
#define BOARD_PROBE_SIZE 0x00001000
#define BOARD_NPU_SIZE 0x00100000
#define BOARD_L2_STRIDE 0x00800000 /* from one tile core's buffer to the next one's */
#define BOARD_L2_CORES_MAX 4

/*
 * The simulation probe: what a simulator knows and silicon does not tell. Offsets; registers are 32-bit and read-only.
 * Reading EXECUTED_LO latches EXECUTED_HI.
 */
#define BOARD_PROBE_VALID 0x00       /* 1 where instructions are counted (QEMU runs with -icount), else 0 */
#define BOARD_PROBE_EXECUTED_LO 0x04 /* instructions that the control core has executed since power-on, low half */
#define BOARD_PROBE_EXECUTED_HI 0x08 /* high half */
#define BOARD_PROBE_DRAM_SIZE 0x0c   /* bytes of DRAM at BOARD_DRAM_BASE */

#endif
