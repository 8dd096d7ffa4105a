/* SPDX-License-Identifier: MIT */
/*
 * What a board may do itself during start-up, in its board.cpp (docs/startup.md). hooks.cpp has weak defaults, so a board
 * defines only the functions that it needs.
 */
#ifndef BOARDS_CORTEX_M55_HOOKS_H
#define BOARDS_CORTEX_M55_HOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called by Reset_Handler right behind SystemInit(), with the stack and the FPU, before .data and .bss have their values: it must not use
 * objects with static storage, apart from constants. For power and the memory controllers. Default: nothing.
 */
void board_early_init(void);

/*
 * Called before the console, the tick and constructors. Sets the clocks and SystemCoreClock, from which the console and the tick take their
 * divisors. Default: SystemCoreClockUpdate().
 */
void board_init_clocks(void);

/* Bytes of DRAM from BOARD_DRAM_BASE, a multiple of 32. Called by dram_size(). Default: BOARD_DRAM_SIZE_DEFAULT. */
uint64_t board_dram_size(void);

/* Returns 0 if the accelerator is absent, so that nothing accesses its registers. Default: 1. */
int board_accelerator_present(void);

#ifdef __cplusplus
}
#endif

#endif
