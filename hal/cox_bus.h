/* SPDX-License-Identifier: MIT */
/*
 * Addresses of the control core and addresses of the bus (docs/hal.md, Addresses). The core reaches a byte of memory by a pointer. The
 * accelerator, the DMA engine and a host reach the same byte by a bus address. On most boards the two are equal, and these functions return
 * what they are given. A board on which they differ says so in board.json, or has these functions (docs/startup.md, Hooks).
 */
#ifndef HAL_COX_BUS_H
#define HAL_COX_BUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the bus address of a byte. Windows, tensors and all other addresses that a program gives as numbers are bus addresses. Memory
 * that follows the byte in one of the board's memories follows its bus address, too. */
uint64_t cox_bus_address(const void *memory);
/* Returns the pointer by which the core reaches the byte at a bus address, which lies in memory of the core. */
void *cox_core_address(uint64_t address);

#ifdef __cplusplus
}
#endif
#endif
